import { describe, expect, test } from 'vitest'
import { startSession } from '#lib/domain/accounts/operations.ts'
import { createRoutingForm } from '#lib/domain/routing-forms/operations.ts'
import { NewRoutingForm } from '#lib/domain/routing-forms/schema.ts'
import { sampleOf } from '#lib/domain/webhooks/sample.ts'
import type { EventType } from '#lib/events/catalog.ts'
import { own, sendForm } from '../browser.ts'
import { directly } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { callTool } from '../mcp/rpc.ts'
import { fireJob } from '../platform.ts'
import { type Door, none, outboxOf, waits } from './doors.ts'
import { pageOf, typed } from './event-pages.ts'
import { AT, mailTo, plus } from './mail.ts'
import { send } from './own-pages.ts'
import { asOwner, bodyOf, book, type Calendar, clock, createCalendar, NOW } from './world.ts'

/** What a door is tried on. */
interface Made {
  calendar: Calendar
  uid: string
  tool(name: string, args: object, now?: string): Promise<unknown>
}

const LATER = plus(AT, 1440)

/** Presses a button of the page that the host's e-mail leads to. */
async function answer({ calendar, uid }: Made, said: string) {
  const { text } = await mailTo(calendar.account.email)
  const token = /answer\?token=(\S+)/.exec(text ?? '')![1]!
  const reply = await send(`/e/${uid}/answer`, { token, answer: said })
  expect(reply.status, reply.text).toBe(303)
}

/** Sends a form that leads on. */
async function press(path: string, fields: Record<string, string>) {
  const reply = await send(path, fields)
  expect(reply.status, reply.text).toBe(303)
}

/** Joins the meeting that the newest event calls to, on the page, signed in. */
async function join({ account }: Calendar) {
  const [event] = await queryDatabase<{ url: string }>(
    `select payload->>'connectAndJoinUrl' as url from events
     where account_id = $1 and type = 'INSTANT_MEETING'`,
    [account.accountId],
  )
  const { searchParams } = new URL(event!.url)
  const { secret } = await directly(base => startSession(base, account), new Date(NOW))
  const reply = await sendForm(
    '/connect-and-join',
    { token: searchParams.get('token')! },
    { ...own(), ...clock, cookie: `__Host-session=${secret}` },
  )
  expect(reply.status, reply.text).toBe(303)
}

/** Answers a form of the account on its page. */
async function answerForm({ account, ...calendar }: Calendar) {
  const form = NewRoutingForm.parse({
    name: 'Ask',
    fields: [{ label: 'Topic', identifier: 'topic', type: 'text' }],
  })
  await asOwner({ account, ...calendar }, m => createRoutingForm(m, form))
  await press(`/forms/${account.subdomain}/ask`, { topic: 'Rent' })
}

/** The doors that are no operation of REST: pages, tools and forms; and what comes out of each. */
const DOORS: Door<Made, EventType>[] = [
  {
    ...{ door: 'the page of an event type', ...none, events: ['BOOKING_CREATED'] },
    act: ({ calendar }) => press(`${pageOf(calendar)}/book`, typed()),
  },
  {
    ...{ door: 'the page of one to be confirmed', ...none, columns: waits },
    act: ({ calendar }) => press(`${pageOf(calendar)}/book`, typed()),
    events: ['BOOKING_REQUESTED'],
  },
  {
    ...{ door: 'an attendee’s page: cancel', events: ['BOOKING_CANCELLED'] },
    act: ({ uid }) => press(`/e/${uid}/cancel`, {}),
  },
  {
    ...{ door: 'an attendee’s page: move', events: ['BOOKING_RESCHEDULED'] },
    act: ({ uid }) => press(`/e/${uid}/move`, { start: LATER }),
  },
  {
    ...{ door: 'an attendee’s page: move what waits', columns: waits },
    act: ({ uid }) => press(`/e/${uid}/move`, { start: LATER }),
    events: ['BOOKING_RESCHEDULED', 'BOOKING_REQUESTED'],
  },
  {
    ...{ door: 'a host’s e-mail: confirm', columns: waits, events: ['BOOKING_CONFIRMED'] },
    act: made => answer(made, 'confirm'),
  },
  {
    ...{ door: 'a host’s e-mail: decline', columns: waits, events: ['BOOKING_REJECTED'] },
    act: made => answer(made, 'decline'),
  },
  {
    ...{ door: 'a host’s page: join', path: '/api/book/instant-event', start: NOW },
    act: ({ calendar }) => join(calendar),
    events: ['BOOKING_CREATED'],
  },
  {
    ...{ door: 'a routing form', ...none, events: ['FORM_SUBMITTED'] },
    act: ({ calendar }) => answerForm(calendar),
  },
  {
    ...{ door: 'create_booking', ...none, events: ['BOOKING_CREATED'] },
    act: ({ calendar, tool }) =>
      tool('create_booking', {
        ...{ eventTypeId: calendar.eventTypeId, start: AT },
        attendee: { name: 'Zoe', email: 'zoe@example.com', timeZone: 'UTC' },
      }),
  },
  {
    ...{ door: 'cancel_booking', events: ['BOOKING_CANCELLED'] },
    act: ({ uid, tool }) => tool('cancel_booking', { uid }),
  },
  {
    ...{ door: 'reschedule_booking', events: ['BOOKING_RESCHEDULED'] },
    act: ({ uid, tool }) => tool('reschedule_booking', { uid, start: LATER }),
  },
  {
    ...{ door: 'reschedule_booking to another place', events: ['MEETING_URL_CHANGED'] },
    act: ({ uid, tool }) =>
      tool('reschedule_booking', { uid, start: AT, location: 'https://meet.example.org/x' }),
  },
  {
    ...{ door: 'confirm_booking', columns: waits, events: ['BOOKING_CONFIRMED'] },
    act: ({ uid, tool }) => tool('confirm_booking', { uid }),
  },
  {
    ...{ door: 'reject_booking', columns: waits, events: ['BOOKING_REJECTED'] },
    act: ({ uid, tool }) => tool('reject_booking', { uid }),
  },
  {
    ...{ door: 'mark_no_show, twice', events: ['BOOKING_NO_SHOW_UPDATED'] },
    act: async ({ uid, tool }) => {
      const absent = { uid, attendees: [{ email: 'zoe@example.com' }] }
      await tool('mark_no_show', absent, plus(AT, 5))
      await tool('mark_no_show', absent, plus(AT, 6))
    },
  },
  {
    ...{ door: 'the clock', events: ['MEETING_STARTED', 'MEETING_ENDED'] },
    act: () => fireJob('meetings', new Date(plus(AT, 60))),
  },
]

/** The fields of a payload of each type, as they came. */
const fieldsSeen = new Map<EventType, string[]>()

async function madeFor({ columns, path, start }: Door<Made>): Promise<Made> {
  const calendar = await createCalendar({ ...columns })
  const tool = async (name: string, args: object, now = NOW) => {
    const headers = { 'x-test-now': now }
    const { isError, text } = await callTool(name, args, { key: calendar.account.apiKey, headers })
    expect(isError, text).toBe(false)
  }
  if (path === null) return { calendar, uid: '', tool }
  const { status, body } = await book(bodyOf(calendar.eventTypeId, start ?? AT), path)
  expect(status).toBe(201)
  return { calendar, uid: String(body.uid ?? body.bookingUid), tool }
}

describe('the outbox has one row for', () => {
  test.each(DOORS)('$door: $events', async door => {
    const made = await madeFor(door)
    const outbox = () => outboxOf<EventType>(made.calendar)
    const before = (await outbox()).length
    await door.act(made)
    const rows = await outbox()
    expect(rows.slice(before).map(e => e.type)).toEqual(door.events)
    for (const { type, payload } of rows) fieldsSeen.set(type, Object.keys(payload).toSorted())
  })
})

test('a sample of an event has the fields that the event has', async () => {
  const { account } = await createCalendar()
  const customer = { name: 'Cy', email: `cy${account.accountId}@example.com` }
  const service = await account.client.post('/api/services/services', { name: 'Cut' }, clock)
  const start = { serviceId: service.body.id, startTime: AT, customer }
  expect((await account.client.post('/api/services/book', start, clock)).status).toBe(201)
  const [booked] = await queryDatabase<{ payload: object }>(
    `select payload from events where account_id = $1 and type = 'SERVICE_BOOKING_CREATED'`,
    [account.accountId],
  )
  fieldsSeen.set('SERVICE_BOOKING_CREATED', Object.keys(booked!.payload).toSorted())
  expect(fieldsSeen.size).toBe(13)
  for (const [type, fields] of fieldsSeen) {
    const { payload } = sampleOf([type], new Date(NOW))
    expect([type, Object.keys(payload as object).toSorted()]).toEqual([type, fields])
  }
})
