import { expect, test } from 'vitest'
import { createOutOfOffice } from '#lib/domain/out-of-office/operations.ts'
import { queryDatabase } from '../database.ts'
import {
  asOwner,
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  newAddress,
  visitor,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'

const payloadsOf = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ payload: Record<string, unknown> }>(
      'select payload from events where account_id = $1 order by id',
      [account.accountId],
    )
  ).map(e => e.payload)

test('an event about a booking names answers, host and attendees', async () => {
  const fields = [{ type: 'text', slug: 'topic', label: 'What about?' }]
  const calendar = await createCalendar({ booking_fields: JSON.stringify(fields) })
  const responses = { name: 'Zoe', email: 'zoe@example.com', notes: 'Soon', topic: 'Rent' }
  await book({ ...bodyOf(calendar.eventTypeId, AT), responses })
  const [payload] = await payloadsOf(calendar)
  expect(payload).toMatchObject({
    additionalNotes: 'Soon',
    responses: {
      name: { label: 'Name', value: 'Zoe' },
      email: { label: 'E-mail', value: 'zoe@example.com' },
      topic: { label: 'What about?', value: 'Rent' },
    },
    userFieldsResponses: { topic: { label: 'What about?', value: 'Rent' } },
    customInputs: { 'What about?': 'Rent' },
    organizer: {
      id: calendar.account.userId,
      name: 'Olive Owner',
      email: calendar.account.email,
      username: calendar.account.username,
      timeZone: 'America/New_York',
      language: { locale: 'en' },
      timeFormat: 12,
      utcOffset: -300,
    },
    attendees: [
      { name: 'Zoe', timeZone: 'Europe/Berlin', language: { locale: 'en' }, utcOffset: 60 },
    ],
  })
  expect(Object.keys(payload!.userFieldsResponses as object)).toEqual(['topic'])
})

test('an event about a seat tells of that seat alone', async () => {
  const calendar = await createCalendar({ seats_per_time_slot: 3 })
  const made = await book(bodyOf(calendar.eventTypeId, AT, 'Ann'))
  const { body } = await book(bodyOf(calendar.eventTypeId, AT, 'Bob'))
  const { uid, seatReferenceUid } = body
  await visitor.post(
    '/api/cancel',
    { uid, seatReferenceUid, reason: 'ill' },
    { ...clock, 'x-test-client': newAddress() },
  )
  const [first, taken, given] = await payloadsOf(calendar)
  expect(first).toMatchObject({
    seatReferenceUid: made.body.seatReferenceUid,
    attendees: [{ email: 'ann@example.com' }],
  })
  const bob = {
    seatReferenceUid,
    attendees: [{ email: 'bob@example.com' }],
    responses: { name: { value: 'Bob' }, email: { value: 'bob@example.com' } },
  }
  expect(taken).toMatchObject({ ...bob, status: 'ACCEPTED' })
  expect(given).toMatchObject({
    ...bob,
    status: 'CANCELLED',
    cancellationReason: 'ill',
    cancelledBy: 'bob@example.com',
  })
  expect(JSON.stringify([taken?.responses, given?.responses])).not.toContain('Ann')
})

test('OOO_CREATED tells the reason with its sign and number', async () => {
  const calendar = await createCalendar()
  const away = { start: new Date(AT), end: new Date('2027-03-04T15:00:00Z') }
  await asOwner(calendar, m => createOutOfOffice(m, { ...away, reason: 'travel' }))
  expect((await payloadsOf(calendar))[0]).toMatchObject({
    oooEntry: { reason: { emoji: '✈️', reason: 'travel' }, reasonId: 3 },
  })
})
