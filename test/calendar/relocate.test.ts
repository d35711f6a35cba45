import { describe, expect, test } from 'vitest'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import { createAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { bookingsOf } from './event-pages.ts'
import { mailTo, somebodyNamed } from './mail.ts'
import {
  asOwner,
  bodyOf,
  book,
  type Calendar,
  createCalendar,
  eventsOf,
  NOW,
  setHosts,
  usersOf,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const LATER = '2027-03-04T15:00:00.000Z'
const [ROOM, OFFICE] = ['https://meet.example.org/room', '1 Main Street']
const locations = JSON.stringify([
  { type: 'link', link: ROOM },
  { type: 'address', address: OFFICE },
])

/** A booking in the room, and how to send it again for another time or place. */
async function booked(calendar: Calendar) {
  const person = somebodyNamed('Zoe')
  const made = await book({ ...bodyOf(calendar.eventTypeId, AT), responses: person })
  expect([made.status, made.body.location]).toEqual([201, ROOM])
  const { uid } = made.body
  const again = (start: string, location?: unknown) =>
    book({
      ...bodyOf(calendar.eventTypeId, start, 'Zoe', { rescheduleUid: uid }),
      responses: { ...person, ...(location === undefined ? {} : { location }) },
    })
  return { again, uid, email: person.email }
}

/** The last event of an account. */
const told = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ payload: Record<string, unknown> }>(
      'select payload from events where account_id = $1 order by id desc limit 1',
      [account.accountId],
    )
  )[0]!.payload

describe('POST /api/book/event with rescheduleUid', () => {
  test('201 with another place of the event type alone: MEETING_URL_CHANGED and an e-mail', async () => {
    const calendar = await createCalendar({ locations })
    const { again, uid, email } = await booked(calendar)
    const { status, body } = await again(AT, { value: 'address', optionValue: OFFICE })
    expect([status, body.location, body.meetingUrl, body.startTime]).toEqual([
      201,
      OFFICE,
      null,
      AT,
    ])
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'MEETING_URL_CHANGED'])
    expect(await told(calendar)).toMatchObject({ bookingUid: uid, oldUrl: ROOM, newUrl: OFFICE })
    expect((await mailTo(email, 2)).subject).toMatch(/^Changed/)
    // The same once more is nothing new.
    expect((await again(AT, 'address')).status).toBe(201)
    expect(await eventsOf(calendar)).toHaveLength(2)
  })

  test('201 with the time that it has: it stays as it is, and nobody is told', async () => {
    const calendar = await createCalendar({ locations })
    const { again, uid, email } = await booked(calendar)
    await mailTo(email)
    const { status, body } = await again(AT)
    expect([status, body.uid, body.startTime, body.iCalSequence]).toEqual([201, uid, AT, 0])
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
    expect((await again(LATER)).status).toBe(201)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_RESCHEDULED'])
    // The next e-mail is that of the move.
    expect((await mailTo(email, 2)).subject).toMatch(/^Changed/)
  })

  test('201 with another time and place: both events, and one e-mail', async () => {
    const calendar = await createCalendar({ locations })
    const { again, email } = await booked(calendar)
    await mailTo(email)
    expect((await again(LATER, 'address')).body).toMatchObject({
      startTime: LATER,
      location: OFFICE,
    })
    expect((await eventsOf(calendar)).slice(1)).toEqual([
      'BOOKING_RESCHEDULED',
      'MEETING_URL_CHANGED',
    ])
    await mailTo(email, 2)
  })

  test('201 without a place: it stays where it is', async () => {
    const calendar = await createCalendar({ locations })
    const { again } = await booked(calendar)
    expect((await again(LATER)).body.location).toBe(ROOM)
    expect((await eventsOf(calendar)).slice(1)).toEqual(['BOOKING_RESCHEDULED'])
  })

  test('422 for a place that the event type does not have', async () => {
    const calendar = await createCalendar({ locations })
    const { again } = await booked(calendar)
    const { status, body } = await again(AT, 'https://elsewhere.example.org')
    expect([status, body.details]).toMatchObject([422, [{ field: 'responses.location' }]])
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })
})

test('POST /api/book/recurring-event: 400 with each date that is past or beyond the window', async () => {
  const calendar = await createCalendar()
  const dates = ['2027-02-22', '2027-03-03', '2027-02-15'].map(day =>
    bodyOf(calendar.eventTypeId, `${day}T15:00:00Z`),
  )
  const { status, body } = await book(dates, '/api/book/recurring-event')
  expect([status, body.error, body.details]).toMatchObject([
    400,
    'BAD_REQUEST',
    [{ field: '0.start' }, { field: '2.start' }],
  ])
  const skipping = dates.map(date => ({ ...date, onConflict: 'skip' }))
  const left = await book(skipping, '/api/book/recurring-event')
  expect([left.status, left.body.length]).toEqual([201, 1])
})

test('a title names the team until a host has joined, and whoever hosts it by now', async () => {
  const calendar = await createCalendar()
  const { accountId } = calendar.account
  const [owner, other] = (await usersOf(calendar)) as [number, number]
  await setHosts(calendar, 'roundRobin', [owner, other])
  const titles = async () =>
    (await bookingsOf(calendar)).map(b => String(b.title).replace('30 minute meeting between ', ''))
  await book(bodyOf(calendar.eventTypeId, NOW), '/api/book/instant-event')
  expect(await titles()).toEqual(['the team and Zoe'])
  const { connectAndJoinUrl } = await told(calendar)
  const token = new URL(String(connectAndJoinUrl)).searchParams.get('token')!
  await asOwner(calendar, m => joinInstantBooking(m, token))
  expect(await titles()).toEqual(['Olive Owner and Zoe'])
  // Who hosts no more is followed by another, once the meeting is moved.
  const { body } = await book(
    bodyOf(calendar.eventTypeId, AT, 'Yan', { routedTeamMemberIds: [owner] }),
  )
  await queryDatabase('delete from event_type_hosts where account_id = $1 and user_id = $2', [
    accountId,
    owner,
  ])
  await book(bodyOf(calendar.eventTypeId, LATER, 'Yan', { rescheduleUid: body.uid }))
  const [person] = await queryDatabase<{ name: string }>('select name from users where id = $1', [
    other,
  ])
  expect(await titles()).toEqual(['Olive Owner and Zoe', `${person!.name} and Yan`])
})

test('a title names nobody who has a seat', async () => {
  const calendar = await createCalendar({ seats_per_time_slot: 3 })
  await book(bodyOf(calendar.eventTypeId, AT, 'Ann'))
  const { body } = await book(bodyOf(calendar.eventTypeId, AT, 'Bob'))
  expect(body.title).toBe('30 minute meeting with Olive Owner')
  const custom = await createCalendar({
    seats_per_time_slot: 3,
    custom_name: '{Event type title}: {Scheduler} and {Organiser}',
  })
  const named = await book(bodyOf(custom.eventTypeId, AT, 'Ann'))
  expect(named.body.title).toBe('30 minute meeting: the group and Olive Owner')
})

test('POST /api/book/event with credentials asks a member for no code, and others for one', async () => {
  const calendar = await createCalendar({ requires_booker_email_verification: true })
  const { client: other } = await createAccount('enterprise')
  const body = bodyOf(calendar.eventTypeId, AT)
  const clock = { 'x-test-now': '2027-03-01T12:00:00.000Z' }
  expect((await book(body)).status).toBe(422)
  expect((await other.post('/api/book/event', body, clock)).status).toBe(422)
  const mine = await calendar.account.client.post('/api/book/event', body, clock)
  expect([mine.status, mine.body.creationSource]).toEqual([201, 'api'])
})
