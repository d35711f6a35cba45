import { describe, expect, it } from 'vitest'
import { createAccount, createMember } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { signatureOf } from '../events/receiver.ts'
import { platform } from '../platform.ts'
import {
  account,
  body,
  by,
  create,
  nextCount,
  openWorld,
  owner,
  receiver,
  resetNames,
  WEBHOOKS,
} from './webhooks-world.ts'

openWorld()

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
    const at = (path: string) => ({ subscriberUrl: `${receiver.url}${path}?n=${nextCount()}` })
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

  it('409 for the same Idempotency-Key, which keeps nothing of the secret', async () => {
    const { id } = await create()
    const key = { 'idempotency-key': crypto.randomUUID() }
    const send = () => owner.post(`${WEBHOOKS}/rotate-secret`, { id }, key)
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status]).toEqual([200, 409])
    expect(again.body.message).toMatch(/carried out/)
    const [kept] = await queryDatabase(
      'select status, body, k::text as row from idempotency_keys k where key = $1',
      [key['idempotency-key']],
    )
    expect(kept).toMatchObject({ status: 200, body: null })
    expect(kept?.row).not.toContain(String(first.body.data.secret))
    const other = await owner.post(`${WEBHOOKS}/rotate-secret`, { id, overlapMinutes: 1 }, key)
    expect(other.status).toBe(422)
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

describe('GET /webhooks/deliveries', () => {
  it('200 page by page where ids have grown past 32 bits', async () => {
    const { id } = await create()
    const columns = 'account_id, webhook_id, event_id, subject, subject_id, created_at'
    const [event] = await queryDatabase(
      `insert into events (account_id, type, subject, subject_id, version, payload, created_at)
       values ($1, 'OOO_CREATED', 'out_of_office', 1, 1, '{}', now()) returning id`,
      [account.accountId],
    )
    const ids = [3_000_000_001, 3_000_000_002, 3_000_000_003]
    for (const one of ids)
      await queryDatabase(
        `insert into deliveries (id, ${columns}, status) overriding system value
         values ($1, $2, $3, $4, 'out_of_office', 1, now(), 'failed')`,
        [one, account.accountId, id, event?.id],
      )
    const path = `${WEBHOOKS}/deliveries?webhookId=${id}&limit=2`
    const first = await owner.get(path)
    const second = await owner.get(`${path}&cursor=${first.body.pagination.nextCursor}`)
    expect([...first.items, ...second.items].map(d => d.id)).toEqual(ids.toReversed())
    expect(second.body.pagination.nextCursor).toBeNull()
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
