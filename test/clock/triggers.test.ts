import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { client, createAccount } from '../client.ts'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { DAY, dayOf, HOUR, iso, MINUTE, openPlace, type Place } from './world.ts'

let platform: OwnPlatform
let place: Place
let [START, EARLY] = [0, 0]
let workflows = 0
beforeAll(async () => {
  platform = await emptyOwnPlatform()
})
beforeEach(async () => {
  place = await openPlace(platform)
  START = place.start
  EARLY = START - 30 * DAY
})

const APPOINTMENTS = '/api/services/appointments'
const ALL = { isActiveOnAppointments: true, isActiveOnAllEventTypes: true }
const words = (text: string) => ({ template: 'custom', message: { subject: 'Flow', text } })

/** A workflow of one step to an address of its own, and the texts that it has got. */
async function on(type: string, text: string) {
  const to = `flow${++workflows}@example.com`
  const step = { action: 'email_address', recipient: to, ...words(text) }
  await place.workflow(EARLY - DAY, { trigger: { type }, activation: ALL, steps: [step] })
  return async (count: number) => {
    const read = () => place.sent(to).map(m => m.text?.split('\n')[0])
    await expect.poll(read, { timeout: 5000 }).toHaveLength(count)
    return read()
  }
}

describe('a workflow that something sets off', () => {
  it('is sent for appointments right after the answer, each time once', async () => {
    const made = await on('newEvent', 'made {event_name}')
    const asked = await on('bookingRequested', 'asked {attendee_name}')
    const moved = await on('rescheduleEvent', 'moved {event_date}')
    const ended = await on('eventCancelled', 'ended {cancel_reason}')
    const { id } = await place.appoint(EARLY)
    const pending = await place.appoint(EARLY, { status: 'pending' })
    expect(await made(1)).toEqual(['made Haircut'])
    expect(await asked(1)).toEqual(['asked Ann Lee'])
    await place.call('put', `${APPOINTMENTS}?id=${pending.id}`, EARLY, { status: 'approved' })
    await made(2)
    await place.call('put', `${APPOINTMENTS}?id=${id}`, EARLY, { startTime: iso(START + DAY) })
    expect(await moved(1)).toEqual([`moved ${dayOf(START + DAY)}`])
    await place.call('put', `${APPOINTMENTS}?id=${id}`, EARLY, { notes: 'No milk' })
    await place.call('put', `${APPOINTMENTS}?id=${id}`, EARLY, {
      status: 'canceled',
      cancellationReason: 'rain',
    })
    expect(await ended(1)).toEqual(['ended rain'])
    await place.tick(EARLY + MINUTE)
    await place.tick(EARLY + 2 * MINUTE)
    for (const [read, count] of [
      [made, 2],
      [asked, 1],
      [moved, 1],
      [ended, 1],
    ] as const)
      await read(count)
  })

  it('is sent for event bookings: made, moved, cancelled, asked for and declined', async () => {
    const made = await on('newEvent', 'made')
    const asked = await on('bookingRequested', 'asked')
    const moved = await on('rescheduleEvent', 'moved because {reschedule_reason}')
    const ended = await on('eventCancelled', 'ended {cancel_reason}')
    const declined = await on('bookingRejected', 'declined {cancel_reason}')
    const { uid, email, start } = await place.book(EARLY)
    await made(1)
    await place.call('post', '/api/book/event', EARLY, {
      eventTypeId: place.eventTypeId,
      rescheduleUid: uid,
      start: iso(start + 5 * HOUR),
      timeZone: 'UTC',
      language: 'en',
      responses: { name: 'Bo Ek', email, rescheduleReason: 'a train' },
    })
    expect(await moved(1)).toEqual(['moved because a train'])
    await place.call('post', '/api/cancel', EARLY, { uid, reason: 'snow' })
    expect(await ended(1)).toEqual(['ended snow'])
    await place.sql('update event_types set requires_confirmation = true where id = $1', [
      place.eventTypeId,
    ])
    const waiting = await place.book(EARLY)
    await asked(1)
    await place.reject(EARLY, { id: waiting.id, reason: 'full' })
    // The answer was given beside the platform: the job sends what it has queued.
    await place.tick(EARLY + MINUTE)
    expect(await declined(1)).toEqual(['declined full'])
    await made(1)
  })

  it('is sent once for a series that is made, or cancelled, at once', async () => {
    const made = await on('newEvent', 'made {event_date}')
    const ended = await on('eventCancelled', 'ended {event_date}')
    await place.appoint(EARLY, { recurrenceRule: 'weekly', recurrenceCount: 4 })
    expect(await made(1)).toEqual([`made ${dayOf(START)}`])
    const bookings = [1, 8, 15].map(day => ({
      eventTypeId: place.eventTypeId,
      start: iso(START + day * DAY),
      recurringEventId: 'a-series',
      timeZone: 'UTC',
      language: 'en',
      responses: { name: 'Bo Ek', email: 'series@example.com' },
    }))
    const [first] = (await place.call(
      'post',
      '/api/book/recurring-event',
      EARLY,
      bookings,
    )) as unknown as { uid: string }[]
    expect(await made(2)).toEqual([`made ${dayOf(START)}`, `made ${dayOf(START + DAY)}`])
    const uid = first?.uid
    await place.call('post', '/api/cancel', EARLY, { uid, cancelSubsequentBookings: true })
    expect(await ended(1)).toEqual([`ended ${dayOf(START + DAY)}`])
    await place.tick(EARLY + MINUTE)
    await made(2)
    await ended(1)
  })

  it('is not sent more than a day late', async () => {
    const asked = await on('bookingRequested', 'asked')
    const { id } = await place.appoint(EARLY, { status: 'pending' })
    await asked(1)
    await place.sql(
      `update messages set status = 'queued', dedupe = dedupe || id, provider_id = null,
         created_at = created_at + interval '1 second'
       where account_id = $1 and kind = 'workflow' and subject_id = $2`,
      [place.account.accountId, id],
    )
    await place.tick(EARLY + DAY + HOUR)
    await asked(1)
  })

  it('does not exist when the write that causes it fails', async () => {
    await on('newEvent', 'made')
    const { start } = await place.book(EARLY)
    const headers = { 'x-test-now': iso(EARLY) }
    const taken = await client(undefined, platform.url).post(
      '/api/book/event',
      {
        eventTypeId: place.eventTypeId,
        start: iso(start),
        timeZone: 'UTC',
        language: 'en',
        responses: { name: 'Cy', email: 'cy@example.com' },
      },
      headers,
    )
    expect(taken.status).toBe(409)
    const rows = await place.sql(
      `select 1 from messages where account_id = $1 and kind = 'workflow'`,
      [place.account.accountId],
    )
    expect(rows).toHaveLength(1)
  })
})

it('every variable is filled', async () => {
  const text = [
    'event_name event_date event_time event_end_time timezone location organizer_name',
    'attendee_name attendee_first_name attendee_last_name attendee_email additional_notes',
    'meeting_url cancel_url reschedule_url attendee_timezone',
    'event_start_time_in_attendee_timezone event_end_time_in_attendee_timezone',
  ]
    .join(' ')
    .replace(/\w+/g, '{$&}')
    .replaceAll(' ', '|')
  await place.workflow(EARLY - DAY, {
    trigger: { type: 'beforeEvent', offset: { value: 1, unit: 'hour' } },
    activation: ALL,
    steps: [
      { action: 'email_host', ...words(text), includeCalendarEvent: true, sender: 'The desk' },
      {
        action: 'email_attendee',
        template: 'custom',
        message: { subject: 'Hi {attendee_first_name}', html: '<b>{additional_notes}</b>' },
      },
    ],
  })
  const { email, uid, start } = await place.book(EARLY, {
    responses: { name: 'Bo van Ek', notes: 'Tea & <milk>', location: 'https://meet.example/x' },
  })
  await place.tick(start - HOUR)
  const [mail] = place.sent(place.account.email).filter(m => m.subject === 'Flow')
  expect(mail?.from).toMatch(/^"The desk" </)
  expect(mail?.attachments).toHaveLength(1)
  const at = (zone: string, plus = 0) =>
    new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: zone })
      .format(start + plus)
      .replace('\u202f', ' ')
  const page = `${platform.url}/e/${uid}`
  expect(mail?.text?.split('\n')[0]?.split('|')).toEqual([
    '30 minute meeting',
    dayOf(start),
    at('UTC'),
    at('UTC', 30 * MINUTE),
    'UTC',
    'https://meet.example/x',
    'Olive Owner',
    'Bo van Ek',
    'Bo',
    'van Ek',
    email,
    'Tea & <milk>',
    'https://meet.example/x',
    page,
    `${page}/move`,
    'Europe/Berlin',
    at('Europe/Berlin'),
    at('Europe/Berlin', 30 * MINUTE),
  ])
  const [own] = place.sent(email).filter(m => m.subject === 'Hi Bo')
  expect(own?.html).toContain('<b>Tea &amp; &lt;milk&gt;</b>')
  expect(own?.text).toContain('Tea & <milk>')
  for (const linked of [page, `${page}/move`]) expect((await fetch(linked)).status).toBe(200)
})

describe('POST /api/services/notifications/reminders', () => {
  const PATH = '/api/services/notifications/reminders'

  it('200 and sends what is due to the account, once, as the job does', async () => {
    const other = await openPlace(platform)
    const due = START - DAY
    const { email, customerId } = await place.appoint(EARLY)
    const unwanted = await place.appoint(EARLY)
    await place.optOut(unwanted.email)
    const times = { startTime: iso(START), endTime: iso(START + HOUR) }
    const theirs = await other.appoint(EARLY, times)
    await place.workflow(EARLY, {
      trigger: { type: 'beforeEvent', offset: { value: 1, unit: 'day' } },
      activation: ALL,
      steps: [{ action: 'email_host', ...words('soon') }],
    })
    // The job has queued, and nobody has sent: of these the request sends its own account's.
    await platform.fireJob('reminders', new Date(due))
    const answers = await Promise.all([1, 2, 3].map(() => place.call('post', PATH, due, {})))
    const sums = ['processed', 'sent', 'failed', 'skipped'].map(key =>
      answers.reduce((sum, a) => sum + Number(a.data[key]), 0),
    )
    expect(sums).toEqual([4, 3, 0, 1])
    expect(place.sent(theirs.email)).toEqual([])
    await place.tick(due)
    expect(place.sent(email)).toHaveLength(1)
    expect(place.sent(unwanted.email)).toEqual([])
    // The job sent it, the request of another account did not.
    expect(place.sent(theirs.email)).toHaveLength(1)
    expect((await place.call('post', PATH, due, {})).data).toEqual({
      processed: 0,
      sent: 0,
      failed: 0,
      skipped: 0,
    })
    expect(customerId).toBeGreaterThan(0)
  })

  it('403 for staff, 401 without credentials', async () => {
    const account = await createAccount('enterprise', {}, platform)
    const staff = await account.staffClient.post(PATH, {})
    expect(staff.status).toBe(403)
    expect(staff.text).toContain('appointments.write')
    expect((await client(undefined, platform.url).post(PATH, {})).status).toBe(401)
  })
})
