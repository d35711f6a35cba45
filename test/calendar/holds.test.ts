import { describe, expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'
import {
  bodyOf,
  type Calendar,
  createCalendar,
  newAddress,
  setHosts,
  usersOf,
  visitor,
} from './world.ts'

/** A Monday that no other test's clock is ahead of: what has expired by theirs is gone at once. */
const clock = { 'x-test-now': '2031-03-03T12:00:00.000Z' }
const PATH = '/api/extension/slots/reservations'
const AT = '2031-03-05T15:00:00.000Z'
const NEXT = '2031-03-05T15:30:00.000Z'
const DAY = '2031-03-05'

const hold = ({ account, eventTypeId }: Calendar, more: object = {}) =>
  account.client.post(PATH, { eventTypeId, slotStart: AT, ...more }, clock)

const book = (body: object) =>
  visitor.post('/api/book/event', body, { ...clock, 'x-test-client': newAddress() })

/** Whether the start is offered. */
async function isOffered({ account, eventTypeId }: Calendar): Promise<boolean> {
  const path = `/api/extension/slots?eventTypeId=${eventTypeId}&start=${DAY}&end=${DAY}`
  const { text } = await account.client.get(path, clock)
  return text.includes(`"start":"${AT}"`)
}

/** What keeps somebody's time. */
const sources = async ({ account: { accountId } }: Calendar) => {
  const rows = await queryDatabase<{ source: string }>(
    'select source from occupancies where account_id = $1',
    [accountId],
  )
  return rows.map(row => row.source)
}

describe('POST /api/extension/slots/reservations', () => {
  it('201 keeps a slot for five minutes: it is offered to nobody, and booked by who holds it', async () => {
    const calendar = await createCalendar()
    const { eventTypeId } = calendar
    const { status, body } = await hold(calendar)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        reservationUid: expect.stringMatching(/^[\w-]{22}$/),
        eventTypeId,
        slotStart: AT,
        slotEnd: NEXT,
        slotDuration: 30,
        reservationDuration: 5,
        reservationUntil: '2031-03-03T12:05:00.000Z',
      },
    ])
    expect(await isOffered(calendar)).toBe(false)
    expect((await hold(calendar)).status).toBe(409)
    expect((await book(bodyOf(eventTypeId, AT, 'Other'))).status).toBe(409)
    const guess = bodyOf(eventTypeId, AT, 'Guess', { holdUid: 'A'.repeat(22) })
    expect((await book(guess)).status).toBe(409)
    const mine = bodyOf(eventTypeId, AT, 'Zoe', { holdUid: body.reservationUid })
    expect((await book(mine)).status).toBe(201)
    expect(await sources(calendar)).toEqual(['booking'])
  })

  it('201 for as long as is asked, after which anybody books', async () => {
    const calendar = await createCalendar({ length_options: '[30,60]' })
    const { body } = await hold(calendar, { slotDuration: 60, reservationDuration: 1 })
    expect([body.slotEnd, body.reservationUntil]).toEqual([
      '2031-03-05T16:00:00.000Z',
      '2031-03-03T12:01:00.000Z',
    ])
    expect((await book(bodyOf(calendar.eventTypeId, NEXT))).status).toBe(409)
    const later = { 'x-test-now': '2031-03-03T12:01:00Z' }
    const { client } = calendar.account
    expect((await client.get(`${PATH}?id=${body.id}`, later)).status).toBe(404)
    const over = await client.post('/api/book/event', bodyOf(calendar.eventTypeId, NEXT), later)
    expect(over.status).toBe(201)
  })

  it('is gone with the next clean-up once it is over', async () => {
    const calendar = await createCalendar()
    const { account, eventTypeId } = calendar
    // Earlier than the clocks of other tests, whose holds and instant meetings the job leaves alone.
    const early = { 'x-test-now': '2027-02-22T12:00:00Z' }
    const asked = { eventTypeId, slotStart: '2027-02-25T15:00:00Z' }
    expect((await account.client.post(PATH, asked, early)).status).toBe(201)
    await fireJob('expiries', new Date('2027-02-22T12:06:00Z'))
    const left = await queryDatabase('select id from holds where account_id = $1', [
      account.accountId,
    ])
    expect([left, await sources(calendar)]).toEqual([[], []])
  })

  it('409 for a time that is not offered, and for one seat of many', async () => {
    const calendar = await createCalendar()
    const night = await hold(calendar, { slotStart: '2031-03-05T04:00:00Z' })
    expect(night.status).toBe(409)
    const seated = await createCalendar({ seats_per_time_slot: 3 })
    const { status, body } = await hold(seated)
    expect([status, body.message]).toEqual([
      409,
      'This event type has seats: book one, it cannot be held',
    ])
    expect([await sources(calendar), await sources(seated)]).toEqual([[], []])
  })

  it('422 for another length, a longer hold than an hour, and a start without its offset', async () => {
    const calendar = await createCalendar()
    const refused = async (wrong: object) => {
      const { status, body } = await hold(calendar, wrong)
      return [status, body.details]
    }
    expect(await refused({ slotDuration: 45 })).toEqual([
      422,
      [{ field: 'slotDuration', message: 'must be 30' }],
    ])
    expect(await refused({ reservationDuration: 61 })).toEqual([
      422,
      [{ field: 'reservationDuration', message: 'must be at most 60' }],
    ])
    expect(await refused({ slotStart: '2031-03-05T15:00:00' })).toMatchObject([
      422,
      [{ field: 'slotStart' }],
    ])
  })
})

describe('GET and DELETE /api/extension/slots/reservations', () => {
  it('200 with the hold until it is given back; then 404', async () => {
    const calendar = await createCalendar()
    const { body } = await hold(calendar)
    const one = `${PATH}?id=${body.id}`
    const read = await calendar.account.client.get(one, clock)
    expect([read.status, read.body.data]).toEqual([200, body])
    const gone = await calendar.account.client.del(one, clock)
    expect([gone.status, gone.body.data]).toEqual([200, { id: body.id, deleted: true }])
    expect(await isOffered(calendar)).toBe(true)
    expect((await calendar.account.client.get(one, clock)).status).toBe(404)
    expect((await calendar.account.client.del(one, clock)).status).toBe(404)
  })

  it('404 for what another account holds, which stays', async () => {
    const [mine, other] = await Promise.all([createCalendar(), createCalendar()])
    const { body } = await hold(mine)
    const one = `${PATH}?id=${body.id}`
    expect((await other.account.client.get(one, clock)).status).toBe(404)
    expect((await other.account.client.del(one, clock)).status).toBe(404)
    expect(await sources(mine)).toEqual(['hold'])
  })

  it('201 at once for as many as there are hosts who take turns, 409 for the others', async () => {
    const calendar = await createCalendar()
    await setHosts(calendar, 'roundRobin', await usersOf(calendar))
    const replies = await Promise.all(Array.from({ length: 6 }, () => hold(calendar)))
    expect(replies.map(r => r.status).sort()).toEqual([201, 201, 409, 409, 409, 409])
    expect(await isOffered(calendar)).toBe(false)
  })

  it('404 for staff where they are no host; what they host they hold', async () => {
    const calendar = await createCalendar()
    const { account, eventTypeId } = calendar
    const { body } = await hold(calendar)
    const by = account.staffClient
    const one = `${PATH}?id=${body.id}`
    expect((await by.get(one, clock)).status).toBe(404)
    expect((await by.del(one, clock)).status).toBe(404)
    const asked = { eventTypeId, slotStart: NEXT }
    expect((await by.post(PATH, asked, clock)).status).toBe(404)
    await setHosts(calendar, 'roundRobin', await usersOf(calendar))
    const own = await by.post(PATH, asked, clock)
    expect([own.status, (await by.get(`${PATH}?id=${own.body.id}`, clock)).status]).toEqual([
      201, 200,
    ])
  })
})
