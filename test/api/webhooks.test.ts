import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '#lib/events/catalog.ts'
import { type Client, createAccount, createMember, type TestAccount } from '../client.ts'
import { type Receiver, signatureOf, startReceiver } from '../events/receiver.ts'
import { platform } from '../platform.ts'

const WEBHOOKS = '/api/services/webhooks'
const by = (id: unknown) => `${WEBHOOKS}?id=${id}`
let account: TestAccount
let owner: Client
let receiver: Receiver

beforeAll(async () => {
  account = await createAccount()
  owner = account.client
  receiver = await startReceiver(({ path }, response) => {
    const [, kind, status] = path.split(/[/?]/)
    if (kind === 'redirect') {
      response.setHeader('location', `${receiver.url}/secret`)
      return 302
    }
    return status === undefined ? 200 : Number(status)
  })
})
afterAll(() => receiver.stop())

let count = 0
const body = (more: object = {}) => ({
  subscriberUrl: `${receiver.url}/status/200?n=${++count}`,
  triggers: ['SERVICE_BOOKING_CREATED'],
  ...more,
})
const create = async (more: object = {}) => {
  const made = await owner.post(WEBHOOKS, body(more))
  expect(made, made.text).toMatchObject({ status: 201 })
  return made.body
}
const fault = async (more: object): Promise<string> => {
  const { status, body: answer, text } = await owner.post(WEBHOOKS, body(more))
  expect(status, text).toBe(422)
  const [detail] = answer.details as unknown as { field: string; message: string }[]
  return `${detail?.field}: ${detail?.message}`
}
const resetNames = () => fetch(`${platform().url}/_dev/dns/forget`, { method: 'POST' })

describe('POST /webhooks', () => {
  it('201 with the subscription, and of its secret only whether there is one', async () => {
    const made = await create({ secret: 'tell nobody', triggers: EVENT_TYPES })
    expect(made).toMatchObject({
      id: expect.any(Number),
      triggers: [...EVENT_TYPES],
      active: true,
      hasSecret: true,
      eventTypeId: null,
      payloadTemplate: null,
      disabledAt: null,
      failingSince: null,
      previousSecretUntil: null,
    })
    const one = await owner.get(by(made.id))
    expect(one.body.data).toEqual(made)
    const listed = await owner.get(WEBHOOKS)
    for (const text of [JSON.stringify(made), one.text, listed.text])
      expect(text).not.toMatch(/tell nobody|"secret"/)
    expect((await create()).hasSecret).toBe(false)
  })

  it('201 with triggers once each', async () => {
    const triggers = ['BOOKING_CREATED', 'BOOKING_CREATED', 'OOO_CREATED']
    expect((await create({ triggers })).triggers).toEqual(['BOOKING_CREATED', 'OOO_CREATED'])
  })

  it('422 for triggers that are none', async () => {
    expect(await fault({ triggers: ['BOOKING_MADE'] })).toMatch(
      /^triggers\.0: .*"BOOKING_CREATED".*"SERVICE_BOOKING_COMPLETED"/,
    )
    expect(await fault({ triggers: [] })).toBe('triggers: must have at least 1 items')
    expect(await fault({ triggers: undefined })).toBe('triggers: required')
    expect(await fault({ subscriberUrl: undefined })).toBe('subscriberUrl: required')
    expect(await fault({ secret: '' })).toMatch(/^secret: /)
  })

  it('422 for payload templates that make no JSON, or name what is not there', async () => {
    expect(await fault({ payloadTemplate: 'Hi {{payload.title}}' })).toMatch(/JSON/)
    expect(await fault({ payloadTemplate: '{"a": {{env.KEY}}}' })).toContain('{{env.KEY}}')
    expect(await fault({ payloadTemplate: `"${'x'.repeat(10_000)}"` })).toMatch(/at most 10000/)
  })

  it('404 for an event type that does not exist', async () => {
    expect((await owner.post(WEBHOOKS, body({ eventTypeId: 999_999 }))).status).toBe(404)
  })

  it('409 for the same address again', async () => {
    const { subscriberUrl } = await create()
    const again = await owner.post(WEBHOOKS, body({ subscriberUrl }))
    expect(again).toMatchObject({ status: 409, body: { details: [{ field: 'subscriberUrl' }] } })
  })

  it('409 for the fifty-first', async () => {
    const other = (await createAccount()).client
    const post = () => other.post(WEBHOOKS, body())
    const made = await Promise.all(Array.from({ length: 50 }, post))
    expect(new Set(made.map(m => m.status))).toEqual(new Set([201]))
    expect(await post()).toMatchObject({ status: 409, body: { message: /50 webhooks/ } })
  })

  it.each([
    ['http://hooks.example.com/', 'must begin with https://'],
    ['https://hooks.example.com:6379/', 'port 443 or 8443'],
    ['https://user:word@hooks.example.com/', 'user name or password'],
    ['https://10.0.0.1/', 'not give an IP address'],
    ['https://0x0a000001/', 'not give an IP address'],
    ['https://2852039166/', 'not give an IP address'],
    ['https://[fd00::1]/', 'not give an IP address'],
    ['https://metadata.google.internal/', 'must be a public host'],
    ['https://private.example.com/', 'leads to 10.0.0.1'],
    ['https://private6.example.com/', 'leads to fd12:3456:789a::1'],
    ['https://mapped.example.com/', 'leads to ::ffff:10.0.0.1'],
    ['https://mixed.example.com/', 'leads to 169.254.169.254'],
    ['https://alias-private.example.com/', 'leads to 10.0.0.1'],
    ['https://empty.example.com/', 'has no address'],
    ['https://nowhere.example.com/', 'has no address'],
    ['http://127.0.0.2/', 'must begin with https://'],
  ])('422 for the target %s: %s', async (subscriberUrl, words) => {
    const answer = await fault({ subscriberUrl })
    expect(answer).toMatch(/^subscriberUrl: /)
    expect(answer).toContain(words)
  })

  it('201 for public hosts, also behind an alias', async () => {
    await create({ subscriberUrl: 'https://hooks.example.com/in' })
    await create({ subscriberUrl: 'https://alias.example.com:8443/in' })
  })

  it('422 while the resolver does not answer', async () => {
    const answer = { status: 503, times: 2 }
    const init = { method: 'POST', body: JSON.stringify(answer) }
    await fetch(`${platform().url}/_dev/dns/fault`, init)
    expect(await fault({ subscriberUrl: 'https://hooks.example.com/late' })).toMatch(/looked up/)
    await create({ subscriberUrl: 'https://hooks.example.com/late' })
  })
})

describe('PATCH /webhooks', () => {
  it('200 with what was changed, the rest as it was', async () => {
    const made = await create({ secret: 's', payloadTemplate: '{{payload}}' })
    const change = { triggers: ['FORM_SUBMITTED'], active: false }
    const { status, body: answer } = await owner.patch(by(made.id), change)
    expect(status).toBe(200)
    const { updatedAt: _, ...rest } = { ...made, ...change } as Record<string, unknown>
    expect(answer.data).toMatchObject(rest)
    const without = await owner.patch(by(made.id), { secret: null, payloadTemplate: null })
    expect(without.body.data).toMatchObject({ hasSecret: false, payloadTemplate: null })
  })

  it('422 for a target that is not public, and nothing changes', async () => {
    const made = await create()
    const change = { subscriberUrl: 'https://private.example.com', active: false }
    expect((await owner.patch(by(made.id), change)).status).toBe(422)
    expect((await owner.get(by(made.id))).body.data).toEqual(made)
  })

  it('404 for one that does not exist', async () => {
    expect((await owner.patch(by(999_999), { active: false })).status).toBe(404)
  })
})

describe('DELETE /webhooks', () => {
  it('200, then 404', async () => {
    const { id } = await create()
    expect((await owner.del(by(id))).body.data).toEqual({ id, deleted: true })
    expect((await owner.del(by(id))).status).toBe(404)
    expect((await owner.get(by(id))).status).toBe(404)
  })
})

describe('POST /webhooks/test', () => {
  const test = async (more: object = {}) => {
    const { id, subscriberUrl } = await create(more)
    const answer = await owner.post(`${WEBHOOKS}/test`, { id })
    expect(answer.status).toBe(200)
    const { pathname, search } = new URL(String(subscriberUrl))
    return { answer: answer.body.data, text: answer.text, sent: receiver.at(pathname + search) }
  }

  it('200 with ok after sending a signed sample of the first trigger, now', async () => {
    const triggers = ['BOOKING_CANCELLED', 'OOO_CREATED']
    const { answer, sent } = await test({ triggers, secret: 'shh' })
    expect(answer).toEqual({ ok: true, status: 200, durationMs: expect.any(Number), error: null })
    const [{ json, headers, body: text }, ...more] = sent as [(typeof sent)[number]]
    expect(more).toEqual([])
    expect(json).toMatchObject({ triggerEvent: 'BOOKING_CANCELLED', payload: { uid: 'test' } })
    expect(headers['x-service-signature']).toBe(signatureOf(text, 'shh'))
    expect(headers['x-service-event-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['x-service-delivery-attempt']).toBe('1')
  })

  it('200 by the payload template', async () => {
    const { sent } = await test({ payloadTemplate: '{"text": "{{payload.title}}!"}' })
    expect(sent.map(s => s.body)).toEqual(['{"text": "Test of your webhook!"}'])
  })

  it('200 with what went wrong, and not a word of what the receiver wrote', async () => {
    const at = (path: string) => ({ subscriberUrl: `${receiver.url}${path}?n=${++count}` })
    const failed = await test(at('/status/500'))
    expect(failed.answer).toMatchObject({ ok: false, status: 500, error: 'Answered 500' })
    expect(failed.text).not.toContain('what a receiver says')
    const redirected = await test(at('/redirect'))
    expect(redirected.answer).toMatchObject({ ok: false, status: 302, error: /not followed/ })
    expect(receiver.at('/secret')).toEqual([])
    const dead = await test({ subscriberUrl: 'http://127.0.0.1:9/' })
    expect(dead.answer).toMatchObject({ ok: false, status: null, error: 'No connection' })
  })

  it('200 with an error for a host that has become private meanwhile', async () => {
    await resetNames()
    const { answer } = await test({ subscriberUrl: 'https://rebind.example.com/' })
    expect(answer).toMatchObject({ ok: false, status: null, error: /leads to 10\.0\.0\.1/ })
  })

  it('404 for one that does not exist, 422 without an id', async () => {
    expect((await owner.post(`${WEBHOOKS}/test`, { id: 999_999 })).status).toBe(404)
    expect((await owner.post(`${WEBHOOKS}/test`, {})).status).toBe(422)
  })
})

describe('POST /webhooks/rotate-secret', () => {
  const rotate = (input: object) => owner.post(`${WEBHOOKS}/rotate-secret`, input)

  it('200 with a new secret, and until when the one before it holds', async () => {
    const { id } = await create({ secret: 'old' })
    const { body: answer } = await rotate({ id })
    expect(answer.data.secret).toMatch(/^whsec_[\w-]{43}$/)
    const hours = (Date.parse(String(answer.data.previousSecretUntil)) - Date.now()) / 3_600_000
    expect(hours).toBeCloseTo(24, 1)
    expect((await owner.get(by(id))).text).not.toContain(String(answer.data.secret))
    const again = await rotate({ id, overlapMinutes: 0 })
    expect(again.body.data.secret).not.toBe(answer.data.secret)
  })

  it('200 without an overlap where there was no secret', async () => {
    const { id } = await create()
    expect((await rotate({ id })).body.data.previousSecretUntil).toBeNull()
    expect((await owner.get(by(id))).body.data.hasSecret).toBe(true)
  })

  it('404 for one that does not exist, 422 for an overlap of more than 30 days', async () => {
    expect((await rotate({ id: 999_999 })).status).toBe(404)
    expect((await rotate({ id: 1, overlapMinutes: 43_201 })).status).toBe(422)
  })
})

describe('POST /webhooks/replay', () => {
  const replay = (input: object) => owner.post(`${WEBHOOKS}/replay`, input)

  it('422 unless it names a delivery, or a webhook and since when', async () => {
    const { id } = await create()
    const from = '2026-01-01T00:00:00Z'
    for (const input of [{}, { webhookId: id }, { from }, { deliveryId: 1, webhookId: id, from }])
      expect(await replay(input)).toMatchObject({ status: 422 })
    expect((await replay({ webhookId: id, from })).body.data).toEqual({ replayed: 0 })
  })

  it('404 for what does not exist', async () => {
    expect((await replay({ deliveryId: 999_999_999_999 })).status).toBe(404)
    const from = '2026-01-01T00:00:00Z'
    expect((await replay({ webhookId: 999_999, from })).status).toBe(404)
  })
})

describe('who may', () => {
  it('401 without a key', async () => {
    const answer = await fetch(`${platform().url}${WEBHOOKS}`)
    expect(answer.status).toBe(401)
  })

  it('403 for staff; managers read, and change nothing', async () => {
    const { id } = await create()
    const manager = await createMember(account.accountId, 'manager')
    const from = '2026-01-01T00:00:00Z'
    for (const who of [account.staffClient, manager])
      for (const answer of [
        await who.post(WEBHOOKS, body()),
        await who.patch(by(id), { active: false }),
        await who.patch(by(id), { subscriberUrl: 'https://private.example.com' }),
        await who.del(by(id)),
        await who.post(`${WEBHOOKS}/test`, { id }),
        await who.post(`${WEBHOOKS}/replay`, { webhookId: id, from }),
        await who.post(`${WEBHOOKS}/rotate-secret`, { id }),
      ])
        expect(answer).toMatchObject({ status: 403, body: { message: /connections\.write/ } })
    for (const path of [WEBHOOKS, by(id), `${WEBHOOKS}/deliveries`]) {
      expect((await manager.get(path)).status).toBe(200)
      expect((await account.staffClient.get(path)).status).toBe(403)
    }
  })

  it('404 for another account, which sees none of it', async () => {
    const { id } = await create()
    const other = (await createAccount()).client
    const from = '2026-01-01T00:00:00Z'
    for (const answer of [
      await other.get(by(id)),
      await other.patch(by(id), { active: false }),
      await other.del(by(id)),
      await other.post(`${WEBHOOKS}/test`, { id }),
      await other.post(`${WEBHOOKS}/replay`, { webhookId: id, from }),
      await other.post(`${WEBHOOKS}/rotate-secret`, { id }),
    ])
      expect(answer.status).toBe(404)
    expect((await other.get(WEBHOOKS)).items).toEqual([])
    expect((await other.get(`${WEBHOOKS}/deliveries?webhookId=${id}`)).items).toEqual([])
    expect((await owner.get(by(id))).status).toBe(200)
  })
})
