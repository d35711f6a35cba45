import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

const APPOINTMENT = `/api/services/appointments?id=`

/** A workflow that is active for all, whose messages go to an address of its own. */
async function desk(trigger: object, more: object = {}, at = EARLY - DAY) {
  const to = `desk${++workflows}@example.com`
  const step = { action: 'email_address', recipient: to, template: 'reminder' }
  const activation = { isActiveOnAppointments: true, isActiveOnAllEventTypes: true }
  const { id } = await place.workflow(at, { trigger, activation, steps: [step], ...more })
  return { id, subjects: () => place.sent(to).map(m => m.subject), to }
}
const ahead = (value: number, unit = 'hour') => ({ type: 'beforeEvent', offset: { value, unit } })
const afterwards = (value: number, unit = 'hour') => ({
  type: 'afterEvent',
  offset: { value, unit },
})

describe('a workflow before the start', () => {
  it('is due to the minute, once, for appointments and event bookings', async () => {
    const { subjects } = await desk(ahead(3))
    await place.appoint(EARLY)
    const { start } = await place.book(EARLY)
    for (const at of [START - 3 * HOUR, start - 3 * HOUR]) {
      const was = subjects().length
      await place.tick(at - MINUTE)
      expect(subjects()).toHaveLength(was)
      await place.tick(at)
      expect(subjects()).toHaveLength(was + 1)
      await place.tick(at + MINUTE)
      await place.tick(at)
      expect(subjects()).toHaveLength(was + 1)
    }
  })

  it('is sent once when runs overlap, and each reader has one', async () => {
    const { subjects } = await desk(ahead(3), {
      steps: [{ action: 'email_attendee', template: 'reminder' }],
    })
    const all = await Promise.all(Array.from({ length: 8 }, () => place.appoint(EARLY)))
    const at = new Date(START - 3 * HOUR)
    const run = (job: string) => Promise.all([1, 2, 3].map(() => platform.fireJob(job, at)))
    await run('reminders')
    await run('messages')
    for (const { email } of all) {
      const mails = place.sent(email).filter(m => m.subject?.includes('20'))
      expect(mails.map(m => m.subject)).toEqual([`Reminder: Haircut, ${dayOf(START)}`])
    }
    expect(subjects()).toEqual([])
  })

  it('does not come after a cancellation, and moves along', async () => {
    const { subjects } = await desk(ahead(2, 'day'))
    const gone = await place.appoint(EARLY)
    const late = await place.appoint(EARLY)
    const moved = await place.appoint(EARLY)
    await place.call('del', `${APPOINTMENT}${gone.id}`, EARLY)
    await place.call('put', `${APPOINTMENT}${moved.id}`, EARLY, { startTime: iso(START + DAY) })
    const at = START - 2 * DAY
    await platform.fireJob('reminders', new Date(at))
    await place.call('del', `${APPOINTMENT}${late.id}`, at)
    await place.tick(at)
    expect(subjects()).toEqual([])
    await place.tick(at + DAY)
    expect(subjects()).toEqual([`Reminder: Haircut, ${dayOf(START + DAY)}`])
  })

  it('is not sent for what is booked after its instant, or waits to be confirmed', async () => {
    const { subjects } = await desk(ahead(1, 'day'))
    await place.appoint(START - 23 * HOUR)
    await place.appoint(EARLY, { status: 'pending' })
    await place.tick(START - 23 * HOUR + MINUTE)
    await place.tick(START - HOUR)
    expect(subjects()).toEqual([])
  })

  it('covers what was booked before it was made, but nothing that was due before', async () => {
    await place.appoint(EARLY)
    const made = START - 5 * HOUR
    const missed = await desk(ahead(6), {}, made)
    const later = await desk(ahead(4), {}, made)
    await place.tick(made + MINUTE)
    await place.tick(START - 4 * HOUR)
    expect(missed.subjects()).toEqual([])
    expect(later.subjects()).toHaveLength(1)
  })

  it('changes with the workflow: another offset, off, on again', async () => {
    const flow = await desk(ahead(6))
    await place.appoint(EARLY)
    await place.changeWorkflow(EARLY, flow.id, { trigger: ahead(5) })
    await place.tick(START - 6 * HOUR)
    expect(flow.subjects()).toEqual([])
    await place.tick(START - 5 * HOUR)
    expect(flow.subjects()).toHaveLength(1)
    await place.changeWorkflow(START - 5 * HOUR, flow.id, { trigger: ahead(3) })
    await platform.fireJob('reminders', new Date(START - 3 * HOUR))
    await place.changeWorkflow(START - 3 * HOUR, flow.id, { active: false })
    await place.tick(START - 3 * HOUR)
    expect(flow.subjects()).toHaveLength(1)
    await place.changeWorkflow(START - 2 * HOUR, flow.id, { active: true, trigger: ahead(1) })
    await place.tick(START - 2 * HOUR + MINUTE)
    expect(flow.subjects()).toHaveLength(1)
    await place.tick(START - HOUR)
    expect(flow.subjects()).toHaveLength(2)
  })

  it('is sent for what was booked before its instant and committed after the run', async () => {
    const { subjects } = await desk(ahead(3))
    const due = START - 3 * HOUR
    await place.pass(due + MINUTE / 2)
    await place.appoint(due - 1000)
    await place.pass(due + 1.5 * MINUTE)
    expect(subjects()).toHaveLength(1)
  })

  it('is made up for when the clock stood still, as long as the start is ahead', async () => {
    const early = await desk(ahead(20))
    const short = await desk(ahead(2))
    const long = await desk(ahead(3, 'day'))
    await place.pass(EARLY)
    await place.appoint(EARLY)
    await place.pass(START - 90 * MINUTE)
    for (const { subjects } of [early, short]) expect(subjects()).toHaveLength(1)
    // It was due more than a day ago.
    expect(long.subjects()).toEqual([])
    await place.appoint(EARLY)
    await place.pass(START + MINUTE)
    for (const { subjects } of [early, short]) expect(subjects()).toHaveLength(1)
  })

  it('is sent by a job that is fired by hand, although another was at a later time', async () => {
    const { subjects } = await desk(ahead(3))
    const due = START - 3 * HOUR
    await place.pass(due + HOUR)
    await place.appoint(EARLY)
    await place.pass(due + HOUR + MINUTE)
    expect(subjects()).toHaveLength(0)
    await place.tick(due + HOUR + 2 * MINUTE)
    expect(subjects()).toHaveLength(1)
  })

  it('is for the event types that it names', async () => {
    const activation = { activeOnEventTypeIds: [place.eventTypeId] }
    const flow = await desk(ahead(3), { activation })
    const none = await desk(ahead(3), { activation: {} })
    await place.appoint(EARLY)
    const { start } = await place.book(EARLY)
    await place.tick(START - 3 * HOUR)
    expect(flow.subjects()).toEqual([])
    await place.tick(start - 3 * HOUR)
    expect(flow.subjects()).toHaveLength(1)
    expect(none.subjects()).toEqual([])
  })
})

describe('a workflow after the end', () => {
  it('is due to the minute, for what took place', async () => {
    const { subjects } = await desk(afterwards(2), {
      steps: [
        { action: 'email_address', recipient: 'after@example.com', template: 'completed' },
        { action: 'email_attendee', template: 'rating' },
      ],
    })
    const { id: done, email } = await place.appoint(EARLY)
    const gone = await place.appoint(EARLY)
    await place.call('del', `${APPOINTMENT}${gone.id}`, EARLY)
    const end = START + HOUR
    await place.call('put', `${APPOINTMENT}${done}`, end, { status: 'completed' })
    await place.tick(end + 2 * HOUR - MINUTE)
    expect(place.sent('after@example.com')).toEqual([])
    await place.tick(end + 2 * HOUR)
    expect(place.sent('after@example.com').map(m => m.subject)).toEqual(['Thank you: Haircut'])
    expect(place.sent(email).at(-1)?.subject).toBe('How was Haircut?')
    expect(place.sent(gone.email)).toEqual([])
    expect(subjects()).toEqual([])
  })
})

describe('a workflow after somebody did not come', () => {
  it('is due its offset after the start when that was noted, and at once when later', async () => {
    const offset = { value: 30, unit: 'minute' }
    const guests = await desk({ type: 'afterGuestsCalVideoNoShow', offset })
    const hosts = await desk({ type: 'afterHostsCalVideoNoShow', offset })
    const updated = await desk({ type: 'bookingNoShowUpdated' })
    const early = await place.appoint(EARLY)
    const late = await place.appoint(EARLY)
    const flag = (id: number, at: number) =>
      place.call('put', `${APPOINTMENT}${id}`, at, { noShow: true })
    await flag(early.id, START + 10 * MINUTE)
    await place.tick(START + 29 * MINUTE)
    expect(guests.subjects()).toEqual([])
    await place.tick(START + 30 * MINUTE)
    expect(guests.subjects()).toHaveLength(1)
    await flag(late.id, START + 2 * HOUR)
    await place.tick(START + 2 * HOUR)
    await place.tick(START + 2 * HOUR + MINUTE)
    expect(guests.subjects()).toHaveLength(2)
    expect(updated.subjects()).toHaveLength(2)
    expect(hosts.subjects()).toEqual([])
  })

  it('is for hosts where the host of an event booking did not come', async () => {
    const offset = { value: 30, unit: 'minute' }
    const guests = await desk({ type: 'afterGuestsCalVideoNoShow', offset })
    const hosts = await desk({ type: 'afterHostsCalVideoNoShow', offset })
    const { start, id } = await place.book(EARLY)
    await place.noShow(start + 5 * MINUTE, { id, host: true })
    await place.tick(start + 30 * MINUTE)
    expect(hosts.subjects()).toHaveLength(1)
    expect(guests.subjects()).toEqual([])
  })
})

it('job cleanup forgets how far the clock had come days ago', async () => {
  const runs = () =>
    place.sql<{ n: number }>(
      'select count(*)::int as n from job_runs where until between $1 and $2',
      [iso(START - DAY), iso(START)],
    )
  await place.tick(START - HOUR)
  await platform.fireJob('cleanup', new Date(START + DAY))
  expect((await runs())[0]?.n).toBeGreaterThan(0)
  await platform.fireJob('cleanup', new Date(START + 3 * DAY))
  expect(await runs()).toEqual([{ n: 0 }])
})
