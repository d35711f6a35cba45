import { describe, expect, it } from 'vitest'
import { readMessages } from '../platform.ts'
import { booked, calendarOf, cancel, fileOf, mailsTo, mailTo, somebodyNamed } from './mail.ts'
import { bodyOf, book, createCalendar } from './world.ts'

describe('POST /api/book/recurring-event', () => {
  const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 4 })

  it('201 and one e-mail to each for all dates; another when the rest is canceled', async () => {
    const calendar = await createCalendar({ recurrence })
    const { email } = somebodyNamed('Zoe')
    const body = bodyOf(calendar.eventTypeId, '2027-03-08T15:00:00Z', 'Z', { recurrenceCount: 4 })
    const reply = await book(
      { ...body, responses: { name: 'Z', email } },
      '/api/book/recurring-event',
    )
    const list = reply.body as unknown as { uid: string }[]
    const mail = await mailTo(email)
    expect(mail.subject).toContain('4 dates from')
    expect(mail.html!.match(/<li/g)).toHaveLength(4)
    const { method, entries } = calendarOf(mail)
    expect(method).toBe('PUBLISH')
    expect(entries.map(e => e.uid)).toEqual(list.map(b => b.uid))
    expect((await mailTo(calendar.account.email)).subject).toMatch(/^New booking.*4 dates/)
    await cancel({ uid: list[1]!.uid, cancelSubsequentBookings: true })
    const last = await mailTo(email, 2)
    expect(last.subject).toContain('3 dates from')
    expect(calendarOf(last).entries.map(e => [e.uid, e.status])).toEqual(
      list.slice(1).map(b => [b.uid, 'CANCELLED']),
    )
    await mailTo(calendar.account.email, 2)
  })
})

describe('seats', () => {
  it('each hears of their own alone, and the host of each', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const ann = await booked(calendar)
    const ben = await booked(calendar, { responses: { name: 'Ben Secret' } })
    const [mine, theirs] = [await mailTo(ann.email), await mailTo(ben.email)]
    expect(mine.text).toContain(`/e/${ann.uid}?seat=${ann.body.seatReferenceUid}`)
    for (const other of [ann.email, 'Zoë', String(ann.body.seatReferenceUid)])
      expect(theirs.text + theirs.html! + fileOf(theirs)).not.toContain(other)
    expect(calendarOf(theirs).entries[0]!.attendees).toEqual([ben.email])
    const [second] = await mailsTo(calendar.account.email, 2)
    expect(second!.text).toContain('Ben Secret booked a seat')
    expect(second!.text).toContain('Seats taken: 2')
    await cancel({ uid: ann.uid, seatReferenceUid: ann.body.seatReferenceUid })
    const gone = await mailTo(ann.email, 2)
    expect(calendarOf(gone)).toMatchObject({ method: 'CANCEL', entries: [{ uid: ann.uid }] })
    const told = await mailTo(calendar.account.email, 3)
    expect(told.text).toContain('no longer has a seat')
    // The meeting itself stays in the host's calendar.
    expect(calendarOf(told)).toMatchObject({
      method: 'REQUEST',
      entries: [{ status: 'CONFIRMED', sequence: 2 }],
    })
    expect(await readMessages({ to: ben.email })).toHaveLength(1)
  })

  it('the names of the others are told where the event type shows them', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3, seats_show_attendees: true })
    const ann = await booked(calendar, { responses: { name: 'Ann First' } })
    const { email } = await booked(calendar)
    const mail = await mailTo(email)
    expect(mail.text).toContain('Also: Ann First')
    expect(mail.text! + fileOf(mail)).not.toContain(ann.email)
  })
})
