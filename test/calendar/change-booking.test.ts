import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Member } from '#lib/core/context.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { cancelBooking } from '#lib/domain/bookings/cancel.ts'
import { confirmBooking, markNoShow, rejectBooking } from '#lib/domain/bookings/changes.ts'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import { rescheduleBooking } from '#lib/domain/bookings/reschedule.ts'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'
import {
  asOwner,
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  eventsOf,
  newAddress,
  visitor,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const LATER = '2027-03-04T15:00:00.000Z'

const cancel = (body: object) =>
  visitor.post('/api/cancel', body, { ...clock, 'x-test-client': newAddress() })

/** Makes a booking and puts it into a status. */
async function booked(calendar: Calendar, status = 'accepted', start = AT) {
  const { body } = await book(bodyOf(calendar.eventTypeId, start))
  await queryDatabase('update bookings set status = $2 where uid = $1', [body.uid, status])
  // Whoever waits for a host has none yet.
  if (status === 'awaiting_host')
    for (const gone of ['booking_hosts where booking_id', 'occupancies where source_id'])
      await queryDatabase(`delete from ${gone} = $2 and account_id = $1`, [
        calendar.account.accountId,
        body.id,
      ])
  return { id: body.id as unknown as number, uid: body.uid as unknown as string }
}

describe('POST /api/cancel', () => {
  test('200 cancels by uid with a reason, once; then 409; the time is free again', async () => {
    const calendar = await createCalendar()
    const { uid, id } = await booked(calendar)
    const first = await cancel({ uid, reason: 'ill' })
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({
      bookingId: id,
      bookingUid: uid,
      onlyRemovedAttendee: false,
    })
    expect((await cancel({ uid, cancellationReason: 'again' })).status).toBe(409)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED'])
    const [row] = await queryDatabase(
      'select status, cancellation_reason from bookings where uid = $1',
      [uid],
    )
    expect(row).toEqual({ status: 'cancelled', cancellation_reason: 'ill' })
    expect((await book(bodyOf(calendar.eventTypeId, AT, 'Next'))).status).toBe(201)
  })

  test('20 at once: one 200, one event', async () => {
    const calendar = await createCalendar()
    const { uid } = await booked(calendar)
    const all = await Promise.all(Array.from({ length: 20 }, () => cancel({ uid })))
    expect(all.filter(r => r.status === 200)).toHaveLength(1)
    expect(all.filter(r => r.status === 409)).toHaveLength(19)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED'])
  })

  test('404 for an unknown uid, 422 without one, 409 where guests cannot cancel', async () => {
    expect((await cancel({ uid: 'AAAAAAAAAAAAAAAAAAAAAA' })).status).toBe(404)
    const { status, body } = await cancel({ reason: 'x' })
    expect([status, body.details]).toEqual([422, [{ field: 'uid', message: 'required' }]])
    const firm = await createCalendar({ disable_cancelling: true })
    const { uid, id } = await booked(firm)
    expect((await cancel({ uid })).status).toBe(409)
    await asOwner(firm, m => cancelBooking(m, { id }))
    expect(await eventsOf(firm)).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED'])
  })
})

describe('rescheduling', () => {
  test('201 keeps the uid and the host, frees the old time, takes the new', async () => {
    const calendar = await createCalendar()
    const { uid, id } = await booked(calendar)
    const moved = await book({ ...bodyOf(calendar.eventTypeId, LATER), rescheduleUid: uid })
    expect(moved.status).toBe(201)
    expect(moved.body).toMatchObject({
      id,
      uid,
      startTime: LATER,
      status: 'accepted',
      iCalSequence: 1,
    })
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_RESCHEDULED'])
    const [event] = await queryDatabase<{ payload: object }>(
      `select payload from events where type = 'BOOKING_RESCHEDULED' and account_id = $1`,
      [calendar.account.accountId],
    )
    expect(event!.payload).toMatchObject({ uid, startTime: LATER, rescheduleStartTime: AT })
    expect((await book(bodyOf(calendar.eventTypeId, AT, 'Other'))).status).toBe(201)
    expect((await book(bodyOf(calendar.eventTypeId, LATER, 'Other'))).status).toBe(409)
  })

  test('409 into a taken time, or of a cancelled booking; nothing changes', async () => {
    const calendar = await createCalendar()
    const { uid } = await booked(calendar)
    await booked(calendar, 'accepted', LATER)
    const into = { ...bodyOf(calendar.eventTypeId, LATER), rescheduleUid: uid }
    expect((await book(into)).status).toBe(409)
    await cancel({ uid })
    const free = { ...bodyOf(calendar.eventTypeId, '2027-03-05T15:00:00Z'), rescheduleUid: uid }
    const refused = await book(free)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('cancelled_bookings_cannot_be_rescheduled')
  })

  test('waits for confirmation again when a guest moves it; not when the host does', async () => {
    const calendar = await createCalendar({ requires_confirmation: true })
    const { uid, id } = await booked(calendar)
    await book({ ...bodyOf(calendar.eventTypeId, LATER), rescheduleUid: uid })
    expect(await eventsOf(calendar)).toEqual([
      'BOOKING_REQUESTED',
      'BOOKING_RESCHEDULED',
      'BOOKING_REQUESTED',
    ])
    await asOwner(calendar, m => confirmBooking(m, { id }))
    const byHost = await asOwner(calendar, m =>
      rescheduleBooking(m, { id, start: new Date('2027-03-05T15:00:00Z') }),
    )
    expect(byHost.read()).toMatchObject({
      status: 'accepted',
      start: '2027-03-05T15:00:00.000Z',
    })
  })
})

const STATUSES = ['accepted', 'pending', 'cancelled', 'rejected', 'awaiting_host'] as const
const MOVES = {
  confirm: { from: ['pending'], event: 'BOOKING_CONFIRMED' },
  reject: { from: ['pending'], event: 'BOOKING_REJECTED' },
  cancel: { from: ['accepted', 'pending', 'awaiting_host'], event: 'BOOKING_CANCELLED' },
  move: { from: ['accepted', 'pending'], event: 'BOOKING_RESCHEDULED' },
  join: { from: ['awaiting_host'], event: 'BOOKING_CREATED' },
}

/** Carries out a move in the name of the host. */
function carryOut(m: Member, move: keyof typeof MOVES, id: number): Promise<unknown> {
  if (move === 'confirm') return confirmBooking(m, { id })
  if (move === 'reject') return rejectBooking(m, { id, reason: 'no' })
  if (move === 'cancel') return cancelBooking(m, { id })
  if (move === 'move') return rescheduleBooking(m, { id, start: new Date(LATER) })
  return joinInstantBooking(m, TOKEN + id)
}

/** What a host joins by, whatever the booking's status. */
const TOKEN = 'a token'

describe('statuses of a booking', () => {
  for (const status of STATUSES)
    for (const move of ['confirm', 'reject', 'cancel', 'move', 'join'] as const) {
      const allowed = MOVES[move].from.includes(status)
      test(`${move} of one that is ${status}: ${allowed ? 'done, with one event' : '409, and no change'}`, async () => {
        const calendar = await createCalendar()
        const { id } = await booked(calendar, status)
        const hash = createHash('sha256')
          .update(TOKEN + id)
          .digest('hex')
        await queryDatabase(
          `update bookings set join_hash = $2, join_expires_at = '2027-04-01' where id = $1`,
          [id, hash],
        )
        const before = await eventsOf(calendar)
        const done = asOwner(calendar, m => carryOut(m, move, id))
        if (allowed) await done
        else
          await expect(done.catch(e => Promise.reject(meaningOf(e)))).rejects.toMatchObject({
            status: 409,
          })
        const added = (await eventsOf(calendar)).slice(before.length)
        expect(added).toEqual(allowed ? [MOVES[move].event] : [])
        const [row] = await queryDatabase('select version from bookings where id = $1', [id])
        expect(row?.version).toBe(allowed ? 1 : 0)
      })
    }

  test('no-show only after the start, told once each time; a new place is told of', async () => {
    const calendar = await createCalendar()
    const { id } = await booked(calendar)
    const attendees = [{ email: 'zoe@example.com', noShow: true }]
    await expect(asOwner(calendar, m => markNoShow(m, { id, attendees }))).rejects.toMatchObject({
      status: 409,
    })
    const marked = await asOwner(
      calendar,
      m => markNoShow(m, { id, attendees }),
      '2027-03-03T15:10:00Z',
    )
    expect(marked.read().attendees).toMatchObject([{ absent: true }])
    await asOwner(calendar, m => markNoShow(m, { id, attendees }), '2027-03-03T15:20:00Z')
    const elsewhere = { id, start: new Date(AT), location: 'https://meet.example.com/x' }
    await asOwner(calendar, m => rescheduleBooking(m, elsewhere))
    expect((await eventsOf(calendar)).slice(1)).toEqual([
      'BOOKING_NO_SHOW_UPDATED',
      'MEETING_URL_CHANGED',
    ])
  })
})

describe('the meetings job', () => {
  test('tells of the start and the end once each, also when two runs overlap', async () => {
    const calendar = await createCalendar()
    await booked(calendar)
    await fireJob('meetings', new Date('2027-03-03T14:59:00Z'))
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
    const begin = new Date('2027-03-03T15:00:30Z')
    await Promise.all([fireJob('meetings', begin), fireJob('meetings', begin)])
    const end = new Date('2027-03-03T15:30:30Z')
    await Promise.all([fireJob('meetings', end), fireJob('meetings', end)])
    expect(await eventsOf(calendar)).toEqual([
      'BOOKING_CREATED',
      'MEETING_STARTED',
      'MEETING_ENDED',
    ])
  })
})
