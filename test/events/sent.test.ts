import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import {
  answers,
  attemptsOf,
  fireJob,
  from,
  idsOf,
  jobAfter,
  one,
  platform,
  receiver,
  shop,
  subject,
  subscribed,
  useCourier,
} from './courier.ts'
import { signatureOf, until } from './receiver.ts'
import { leaveEvents } from './subscriber.ts'

useCourier()

describe('what is sent', () => {
  it('is signed with the secret, over the very bytes', () =>
    subscribed(
      async path => {
        await leaveEvents(shop, one())
        await fireJob()
        const [got] = receiver.at(path)
        expect(got?.headers['x-service-signature']).toBe(signatureOf(got!.body, 'tell nobody'))
        expect(got?.headers).not.toHaveProperty('x-service-signature-previous')
      },
      { secret: 'tell nobody' },
    ))

  it('is signed with both secrets while a rotation lasts', () =>
    subscribed(
      async (path, id) => {
        const rotate = { id, overlapMinutes: 60 }
        const rotated = await shop.client.post('/api/services/webhooks/rotate-secret', rotate)
        const secret = String(rotated.body.data.secret)
        await leaveEvents(shop, one())
        await jobAfter(120)
        await leaveEvents(shop, one())
        await jobAfter(2 * 3600)
        const [during, after] = receiver.at(path)
        expect(during?.headers['x-service-signature']).toBe(signatureOf(during!.body, secret))
        expect(during?.headers['x-service-signature-previous']).toBe(
          signatureOf(during!.body, 'old'),
        )
        expect(after?.headers['x-service-signature']).toBe(signatureOf(after!.body, secret))
        expect(after?.headers).not.toHaveProperty('x-service-signature-previous')
      },
      { secret: 'old' },
    ))

  it('is what the template makes of it', () =>
    subscribed(
      async path => {
        await leaveEvents(shop, one())
        await fireJob()
        expect(receiver.at(path).map(r => r.body)).toEqual([`{"text":"Cut ${subject}, 1"}`])
      },
      {
        payloadTemplate: '{"text":"{{payload.title}} {{payload.id}}, {{payload.price}}"}',
      },
    ))

  it('is of the event type that was asked for, where one was', async () => {
    const only = await subscribeToEventType()
    await leaveEvents(shop, one())
    expect(await shop.deliveries(only)).toEqual([])
    await shop.client.del(`/api/services/webhooks?id=${only}`)
  })
})

/** A subscription to one event type alone: no appointment is of it. */
async function subscribeToEventType(): Promise<number> {
  const [type] = await queryDatabase(
    'select id from event_types where account_id = $1 order by id limit 1',
    [shop.account.accountId],
    platform,
  )
  const eventTypeId = Number(type?.id)
  expect(eventTypeId).toBeGreaterThan(0)
  return shop.subscribe(`${receiver.url}/${randomUUID()}`, { eventTypeId })
}

describe('POST /webhooks/replay', () => {
  const replay = (input: object) => shop.client.post('/api/services/webhooks/replay', input)

  it('200 and sends a delivery again, with the event id that it had', () =>
    subscribed(async (path, id) => {
      await leaveEvents(shop, one())
      await fireJob()
      const [first] = await shop.deliveries(id)
      expect((await replay({ deliveryId: first?.id })).body.data).toEqual({ replayed: 1 })
      await until(() => receiver.at(path).length === 2)
      expect(new Set(idsOf(path)).size).toBe(1)
      expect(attemptsOf(path)).toEqual(['1', '1'])
      const [before, again] = await until(async () => {
        const all = await shop.deliveries(id)
        return String(all[1]?.status) === 'delivered' ? all : undefined
      })
      expect(before).toEqual(first)
      expect(again?.uid).toBe(first?.uid)
    }))

  it('200 and sends what failed since an instant, once', () =>
    subscribed(async (path, id) => {
      answers.set(path, () => 500)
      await leaveEvents(shop, [...one(), ...one(), ...one()])
      await shop.client.patch(`/api/services/webhooks?id=${id}`, { active: false })
      const ended = await shop.deliveries(id)
      expect(ended.map(d => d.status)).toEqual(['failed', 'failed', 'failed'])
      expect(ended[0]?.error).toBe('The webhook was switched off')
      const since = { webhookId: id, from: new Date(from - 1000).toISOString() }
      expect(await replay(since)).toMatchObject({ status: 409, body: { message: /switched off/ } })
      await shop.client.patch(`/api/services/webhooks?id=${id}`, { active: true })
      answers.delete(path)
      expect((await replay(since)).body.data).toEqual({ replayed: 3 })
      await until(() => receiver.at(path).length === 3)
      expect((await replay(since)).body.data).toEqual({ replayed: 0 })
      const late = { webhookId: id, from: new Date(Date.now() + 60_000).toISOString() }
      expect((await replay(late)).body.data).toEqual({ replayed: 0 })
    }))

  it('200 once, however many ask at the same moment: 409 for one delivery, 0 for what failed', () =>
    subscribed(async (path, id) => {
      await leaveEvents(shop, one())
      await fireJob()
      const [first] = await shop.deliveries(id)
      answers.set(path, () => 500)
      const all = (input: object) => Promise.all([1, 2, 3, 4, 5, 6].map(() => replay(input)))
      const named = await all({ deliveryId: first?.id })
      expect(named.map(a => a.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
      await leaveEvents(shop, [...one(), ...one()])
      await shop.client.patch(`/api/services/webhooks?id=${id}`, { active: false })
      await shop.client.patch(`/api/services/webhooks?id=${id}`, { active: true })
      const failed = await all({ webhookId: id, from: new Date(from - 1000).toISOString() })
      expect(failed.map(a => a.body.data?.replayed).toSorted()).toEqual([0, 0, 0, 0, 0, 2])
    }))

  it('409 while a delivery is on its way', () =>
    subscribed(async (path, id) => {
      answers.set(path, () => 500)
      await leaveEvents(shop, one())
      await jobAfter(100)
      const [waiting] = await shop.deliveries(id)
      expect((await replay({ deliveryId: waiting?.id })).status).toBe(409)
    }))
})
