import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '#lib/events/catalog.ts'
import { createAccount } from '../client.ts'
import { platform } from '../platform.ts'
import { body, by, create, fault, openWorld, owner, WEBHOOKS } from './webhooks-world.ts'

openWorld()

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
    expect(await fault({ triggers: [] })).toBe('triggers: must have at least 1 item')
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

  it('409 for the fifty-first, also of many at once', async () => {
    const other = (await createAccount()).client
    const post = () => other.post(WEBHOOKS, body())
    const made = await Promise.all(Array.from({ length: 55 }, post))
    expect(made.filter(m => m.status === 201)).toHaveLength(50)
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
    const subscriberUrl = 'https://late.example.com/in'
    const answer = { status: 503, times: 2, contains: 'late.example.com' }
    const init = { method: 'POST', body: JSON.stringify(answer) }
    await fetch(`${platform().url}/_dev/dns/fault`, init)
    expect(await fault({ subscriberUrl })).toMatch(/looked up/)
    await create({ subscriberUrl })
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
