import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { DAY, dayOf, HOUR, iso, MINUTE, openPlace, type Place } from './world.ts'

let platform: OwnPlatform
let place: Place
let [START, EARLY, DUE] = [0, 0, 0]
beforeAll(async () => {
  platform = await emptyOwnPlatform()
})
beforeEach(async () => {
  place = await openPlace(platform)
  START = place.start
  EARLY = START - 30 * DAY
  DUE = START - DAY
})

const subjects = (to: string) => place.sent(to).map(m => m.subject)
const REMINDER = /^Reminder: /

describe('the reminder of an appointment', () => {
  it('comes 24 hours before, to the minute, and once', async () => {
    const { email } = await place.appoint(EARLY)
    await place.tick(DUE - MINUTE)
    expect(subjects(email)).toEqual([])
    await place.tick(DUE)
    expect(subjects(email)).toEqual([expect.stringMatching(REMINDER)])
    await place.tick(DUE + MINUTE)
    await place.tick(START - MINUTE)
    const [mail, ...more] = place.sent(email)
    expect(more).toEqual([])
    expect(mail?.text).toContain('Hello Ann Lee,')
    expect(mail?.text).toContain(dayOf(START))
    expect(mail?.text).not.toContain('at short notice')
    expect(mail?.attachments).toEqual([])
  })

  it('comes once when two runs overlap', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => place.appoint(EARLY)))
    const { fireJob } = platform
    const now = new Date(DUE)
    await Promise.all(['reminders', 'reminders', 'reminders'].map(job => fireJob(job, now)))
    await Promise.all(['messages', 'messages', 'messages'].map(job => fireJob(job, now)))
    for (const { email } of all) expect(subjects(email)).toHaveLength(1)
  })

  it('does not come after it was canceled, before or after it was queued', async () => {
    const before = await place.appoint(EARLY)
    await place.call('del', `/api/services/appointments?id=${before.id}`, DUE - HOUR)
    const after = await place.appoint(EARLY)
    await platform.fireJob('reminders', new Date(DUE))
    await place.call('del', `/api/services/appointments?id=${after.id}`, DUE)
    await place.tick(DUE)
    for (const { email } of [before, after]) expect(subjects(email)).toEqual([])
  })

  it('moves along, and comes anew when it was moved after it', async () => {
    const { id, email } = await place.appoint(EARLY)
    const move = (start: number, at: number) =>
      place.call('put', `/api/services/appointments?id=${id}`, at, { startTime: iso(start) })
    await move(START + 2 * DAY, EARLY + HOUR)
    await place.tick(DUE)
    expect(subjects(email)).toEqual([])
    await place.tick(DUE + 2 * DAY)
    expect(subjects(email)).toHaveLength(1)
    await move(START + 5 * DAY, DUE + 2 * DAY + HOUR)
    await place.tick(DUE + 5 * DAY - MINUTE)
    expect(subjects(email)).toHaveLength(1)
    await place.tick(DUE + 5 * DAY)
    expect(subjects(email)).toHaveLength(2)
    expect(place.sent(email)[1]?.text).toContain(dayOf(START + 5 * DAY))
  })

  it('says nothing of a time that it had when it was queued and has no more', async () => {
    const { id, email } = await place.appoint(EARLY)
    await platform.fireJob('reminders', new Date(DUE))
    await place.call('put', `/api/services/appointments?id=${id}`, DUE, {
      startTime: iso(START + 3 * DAY),
    })
    await platform.fireJob('messages', new Date(DUE))
    expect(subjects(email)).toEqual([])
    await place.tick(DUE + 3 * DAY)
    expect(subjects(email)).toHaveLength(1)
  })

  it('comes at once, and says so, where it is booked later than that', async () => {
    const { email } = await place.appoint(START - 5 * HOUR)
    await place.tick(START - 5 * HOUR + MINUTE)
    const [mail] = place.sent(email)
    expect(mail?.text).toContain('this reminder comes right after your booking')
    await place.tick(START - 4 * HOUR)
    expect(subjects(email)).toHaveLength(1)
  })

  it('does not come for what starts within the hour, is over, or waits to be confirmed', async () => {
    const soon = await place.appoint(START - HOUR)
    const waiting = await place.appoint(EARLY, { status: 'pending' })
    await place.tick(DUE)
    await place.tick(START - 10 * MINUTE)
    const past = await place.appoint(START + 2 * HOUR)
    await place.tick(START + 2 * HOUR)
    for (const { email } of [soon, waiting, past]) expect(subjects(email)).toEqual([])
  })

  it('comes when it is approved after all', async () => {
    const { id, email } = await place.appoint(EARLY, { status: 'pending' })
    await place.tick(DUE)
    const at = DUE + HOUR
    await place.call('put', `/api/services/appointments?id=${id}`, at, { status: 'approved' })
    await place.tick(at + MINUTE)
    expect(subjects(email)).toHaveLength(1)
  })

  it('comes late, but before the start, when the clock stood still for a day', async () => {
    const [mend, lost] = [await place.appoint(EARLY), await place.appoint(EARLY)]
    await place.call('del', `/api/services/appointments?id=${lost.id}`, START - 2 * HOUR)
    await place.tick(START - HOUR)
    expect(subjects(mend.email)).toHaveLength(1)
    expect(place.sent(mend.email)[0]?.text).not.toContain('right after your booking')
    expect(subjects(lost.email)).toEqual([])
    const over = await place.appoint(EARLY)
    await place.tick(START + MINUTE)
    expect(subjects(over.email)).toEqual([])
  })

  it('comes for each date of a series at its own time', async () => {
    const { email } = await place.appoint(EARLY, { recurrenceRule: 'weekly', recurrenceCount: 3 })
    for (const week of [0, 1, 2]) {
      await place.tick(DUE + week * 7 * DAY - MINUTE)
      expect(subjects(email)).toHaveLength(week)
      await place.tick(DUE + week * 7 * DAY)
      expect(subjects(email)).toHaveLength(week + 1)
    }
  })

  it('is sent once although the provider failed, or its answer was lost', async () => {
    const { email } = await place.appoint(EARLY)
    await expect.poll(() => platform.mailbox.list({ to: email })).toHaveLength(1)
    const fault = (body: object) =>
      fetch(`${platform.url}/_dev/resend/fault`, {
        method: 'POST',
        body: JSON.stringify({ contains: email, ...body }),
      })
    await fault({ status: 500 })
    await place.tick(DUE)
    expect(subjects(email)).toEqual([])
    await fault({ status: 0, answerLost: true })
    await place.tick(DUE + 2 * MINUTE)
    await place.tick(DUE + 10 * MINUTE)
    await place.tick(DUE + 60 * MINUTE)
    expect(subjects(email)).toHaveLength(1)
  })
})

describe('the reminder of an event booking', () => {
  it('comes 24 hours before to everybody who comes, once, in their own zone', async () => {
    const guest = `g${crypto.randomUUID()}@example.com`
    const { email, start } = await place.book(EARLY, { responses: { guests: [guest] } })
    await place.tick(start - DAY - MINUTE)
    expect(subjects(email)).toEqual([])
    await place.tick(start - DAY)
    await place.tick(start - DAY + MINUTE)
    for (const to of [email, guest]) expect(subjects(to)).toEqual([expect.stringMatching(REMINDER)])
    const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'Europe/Berlin' })
    const [from, to] = [start, start + 30 * MINUTE].map(at => clock.format(at))
    expect(place.sent(email)[0]?.text).toContain(`${from} – ${to} (Central European`)
  })

  it('does not come after it was cancelled, and moves along', async () => {
    const gone = await place.book(EARLY)
    await place.call('post', '/api/cancel', EARLY, { uid: gone.uid })
    const moved = await place.book(EARLY)
    const start = moved.start + 8 * HOUR
    await place.call('post', '/api/book/event', EARLY, {
      eventTypeId: place.eventTypeId,
      rescheduleUid: moved.uid,
      start: iso(start),
      timeZone: 'UTC',
      language: 'en',
      responses: { name: 'Bo Ek', email: moved.email },
    })
    await place.tick(gone.start - DAY)
    await place.tick(moved.start - DAY)
    for (const { email } of [gone, moved]) expect(subjects(email)).toEqual([])
    await place.tick(start - DAY)
    expect(subjects(moved.email)).toHaveLength(1)
  })

  it('comes at once to who takes a seat later than that, unless it starts within the hour', async () => {
    const setSeats = (seats: number | null) =>
      place.sql('update event_types set seats_per_time_slot = $2 where id = $1', [
        place.eventTypeId,
        seats,
      ])
    await setSeats(3)
    const first = await place.book(EARLY)
    const { start } = first
    await place.tick(start - DAY)
    const late = await place.book(start - 5 * HOUR, { start: iso(start) })
    await place.tick(start - 5 * HOUR + MINUTE)
    const soon = await place.book(start - HOUR / 2, { start: iso(start) })
    await place.tick(start - HOUR / 2 + MINUTE)
    await setSeats(null)
    expect([late.id, soon.id]).toEqual([first.id, first.id])
    const sent = [first, late, soon].map(({ email }) => place.sent(email))
    expect(sent.map(mails => mails.length)).toEqual([1, 1, 0])
    const mail = sent[1]?.[0]
    expect(mail?.subject).toMatch(REMINDER)
    expect(mail?.text).toContain('this reminder comes right after your booking')
  })

  it('waits until it is confirmed, and comes then', async () => {
    await place.sql('update event_types set requires_confirmation = true where id = $1', [
      place.eventTypeId,
    ])
    const { id, email, start } = await place.book(EARLY)
    await place.sql('update event_types set requires_confirmation = false where id = $1', [
      place.eventTypeId,
    ])
    await place.tick(start - DAY)
    expect(subjects(email)).toEqual([])
    await place.confirm(start - DAY + HOUR, { id })
    await place.tick(start - DAY + HOUR + MINUTE)
    expect(subjects(email)).toHaveLength(1)
  })
})
