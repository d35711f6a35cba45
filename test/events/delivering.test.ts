import { describe, expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import {
  answers,
  attemptsOf,
  fireJob,
  from,
  idsOf,
  jobAfter,
  nextSubject,
  one,
  platform,
  receiver,
  SECOND,
  shop,
  subject,
  subscribed,
  useCourier,
} from './courier.ts'
import { until } from './receiver.ts'
import { leaveEvents } from './subscriber.ts'

useCourier()

describe('job deliver', () => {
  it('sends what a write left behind', () =>
    subscribed(async (path, id) => {
      await leaveEvents(shop, one())
      await fireJob()
      const [got] = receiver.at(path)
      expect(got?.json).toEqual({
        triggerEvent: 'SERVICE_BOOKING_UPDATED',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        payload: expect.objectContaining({ id: subject, price: 1 }),
      })
      expect(got?.headers['content-type']).toBe('application/json')
      expect(got?.headers['x-service-timestamp']).toMatch(/^\d{4}-.*Z$/)
      expect(got?.headers).not.toHaveProperty('x-service-signature')
      const [delivery] = await shop.deliveries(id)
      expect(delivery).toMatchObject({
        webhookId: id,
        uid: got?.headers['x-service-event-id'],
        triggerEvent: 'SERVICE_BOOKING_UPDATED',
        ...{ status: 'delivered', attempts: 1, responseCode: 200, error: null, nextAt: null },
        durationMs: expect.any(Number),
        log: [{ attempt: 1, responseCode: 200, error: null }],
      })
      await fireJob()
      expect(receiver.at(path)).toHaveLength(1)
    }))

  it('tries again after 5 s, 30 s and 5 min, with the same event id', () =>
    subscribed(async (path, id) => {
      answers.set(path, () => (receiver.at(path).length <= 3 ? 503 : 200))
      await leaveEvents(shop, one())
      await jobAfter(100)
      expect(attemptsOf(path)).toEqual(['1'])
      await jobAfter(103)
      expect(attemptsOf(path)).toEqual(['1'])
      expect(await shop.webhook(id)).toMatchObject({ failingSince: expect.any(String) })
      const [waiting] = await shop.deliveries(id)
      const due = (Date.parse(String(waiting?.nextAt)) - from) / SECOND - 100
      expect(due).toBeGreaterThan(4)
      expect(due).toBeLessThan(15)
      await jobAfter(115)
      expect(attemptsOf(path)).toEqual(['1', '2'])
      await jobAfter(140)
      await jobAfter(160)
      expect(attemptsOf(path)).toEqual(['1', '2', '3'])
      await jobAfter(400)
      await jobAfter(500)
      expect(attemptsOf(path)).toEqual(['1', '2', '3', '4'])
      expect(new Set(idsOf(path)).size).toBe(1)
      expect(new Set(receiver.at(path).map(r => r.body)).size).toBe(1)
      const [delivery] = await shop.deliveries(id)
      expect(delivery).toMatchObject({ status: 'delivered', attempts: 4 })
      const log = delivery?.log as unknown as { responseCode: number; error: string | null }[]
      expect(log.map(l => l.responseCode)).toEqual([503, 503, 503, 200])
      expect(log[0]?.error).toBe('Answered 503')
      expect(await shop.webhook(id)).toMatchObject({ failingSince: null })
    }))

  it('gives up after the ninth try, visibly, and lets the next of the subject go', () =>
    subscribed(async (path, id) => {
      const subjectId = nextSubject()
      answers.set(path, ({ json }) => (json.payload.price === 1 ? 500 : 200))
      await leaveEvents(shop, [
        { subjectId, version: 1 },
        { subjectId, version: 2 },
      ])
      const HOURS = [0, 0.01, 0.05, 0.2, 1, 3.5, 9, 19.5, 30, 45]
      for (const hour of HOURS) await jobAfter(1000 + hour * 3600)
      const versions = receiver.at(path).map(({ json }) => json.payload.price)
      expect(versions).toEqual([...Array(9).fill(1), 2])
      const [first, second] = await shop.deliveries(id)
      expect(first).toMatchObject({ status: 'failed', attempts: 9, nextAt: null })
      expect(second).toMatchObject({ status: 'delivered', attempts: 1 })
      const failed = await shop.client.get(
        `/api/services/webhooks/deliveries?webhookId=${id}&status=failed`,
      )
      expect(failed.items.map(d => d.id)).toEqual([first?.id])
    }))

  it('keeps the order of a subject, while other subjects and webhooks go on', () =>
    subscribed(path =>
      subscribed(async healthy => {
        const [stuck, other] = [nextSubject(), nextSubject()]
        let isBroken = true
        answers.set(path, ({ json }) => (isBroken && json.payload.id === stuck ? 500 : 200))
        const events = [1, 2, 3].flatMap(version => [
          { subjectId: stuck, version },
          { subjectId: other, version },
        ])
        await leaveEvents(shop, events)
        await jobAfter(0)
        const got = (at: string, id: number) =>
          receiver
            .at(at)
            .filter(r => r.json.payload.id === id)
            .map(r => r.json.payload.price)
        expect(got(path, stuck)).toEqual([1])
        expect(got(path, other)).toEqual([1, 2, 3])
        expect(got(healthy, stuck)).toEqual([1, 2, 3])
        expect(got(healthy, other)).toEqual([1, 2, 3])
        isBroken = false
        await jobAfter(60)
        expect(got(path, stuck)).toEqual([1, 1, 2, 3])
      }),
    ))

  // As many as the first claim takes, and more.
  it.each([100, 260])('works off a backlog of %i subjects in one run, each in order', count =>
    subscribed(async path => {
      const subjects = Array.from({ length: count }, nextSubject)
      const left = [1, 2, 3].flatMap(version => subjects.map(subjectId => ({ subjectId, version })))
      await leaveEvents(shop, left)
      await fireJob()
      const got = receiver.at(path).map(({ json }) => json.payload)
      expect(got).toHaveLength(left.length)
      for (const subjectId of subjects)
        expect(got.filter(p => p.id === subjectId).map(p => p.price)).toEqual([1, 2, 3])
    }),
  )

  it('sends each delivery once when runs overlap', () =>
    subscribed(async path => {
      const subjects = Array.from({ length: 120 }, () => one()).flat()
      await leaveEvents(shop, subjects)
      await Promise.all([fireJob(), fireJob(), fireJob()])
      await until(() => receiver.at(path).length >= subjects.length)
      expect(receiver.at(path)).toHaveLength(subjects.length)
      expect(new Set(idsOf(path)).size).toBe(subjects.length)
    }))

  it('takes again what a sender left that died', () =>
    subscribed(async (path, id) => {
      await leaveEvents(shop, one())
      const lease = new Date(from + 90 * SECOND)
      const claim = 'update deliveries set attempts = 1, leased_until = $2 where webhook_id = $1'
      await queryDatabase(claim, [id, lease], platform)
      await jobAfter(80)
      expect(receiver.at(path)).toEqual([])
      await jobAfter(100)
      expect(attemptsOf(path)).toEqual(['2'])
    }))

  it('follows no redirect', () =>
    subscribed(async (path, id) => {
      answers.set(path, () => 302)
      await leaveEvents(shop, one())
      await fireJob()
      expect(receiver.at('/elsewhere')).toEqual([])
      const [delivery] = await shop.deliveries(id)
      expect(delivery).toMatchObject({ status: 'pending', responseCode: 302, error: /redirect/ })
    }))

  it('fails what nobody listens to', async () => {
    const id = await shop.subscribe('http://127.0.0.1:9/')
    await leaveEvents(shop, one())
    await fireJob()
    const [delivery] = await shop.deliveries(id)
    expect(delivery).toMatchObject({
      status: 'pending',
      responseCode: null,
      error: 'No connection',
    })
    await shop.client.del(`/api/services/webhooks?id=${id}`)
  })

  it('never keeps what a receiver wrote', () =>
    subscribed(async (path, id) => {
      answers.set(path, () => 500)
      await leaveEvents(shop, one())
      await fireJob()
      expect(receiver.at(path)).toHaveLength(1)
      const kept = await queryDatabase(
        `select (select json_agg(d) from deliveries d where webhook_id = $1)::text
           || (select json_agg(a) from delivery_attempts a join deliveries d on d.id = a.delivery_id
                 and d.account_id = a.account_id where webhook_id = $1)::text as all`,
        [id],
        platform,
      )
      expect(kept[0]?.all).toContain('Answered 500')
      expect(kept[0]?.all).not.toContain('what a receiver says')
    }))
})
