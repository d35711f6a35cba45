import { describe, expect, it } from 'vitest'
import { confirmBooking, rejectBooking } from '#lib/domain/bookings/changes.ts'
import { rescheduleBooking } from '#lib/domain/bookings/reschedule.ts'
import { queryDatabase } from '../database.ts'
import {
  AT,
  booked,
  calendarOf,
  cancel,
  fileOf,
  kindsOf,
  mailsAfter,
  mailTo,
  plus,
  somebodyNamed,
} from './mail.ts'
import { bodyOf, book, createCalendar, NOW, setHosts } from './world.ts'

const LATER = '2027-03-03T16:00:00.000Z'
describe('POST /api/book/event', () => {
  it('201 and one e-mail to each: who books, their guest and the host, with the invitation', async () => {
    const calendar = await createCalendar({
      locations: JSON.stringify([{ type: 'link', link: 'https://meet.example/a;b,c' }]),
    })
    const guest = somebodyNamed('Guest')
    const { email, uid } = await booked(calendar, {
      responses: { guests: [guest.email, guest.email] },
    })
    const [mine, theirs, hosts] = await Promise.all(
      [email, guest.email, calendar.account.email].map(to => mailTo(to)),
    )
    expect(mine!.subject).toMatch(/^Confirmed: 30 minute meeting between Olive Owner and Zoë/)
    expect(mine!.from).toContain('"Olive Owner"')
    expect(mine!.replyTo).toEqual([calendar.account.email])
    expect(mine!.text).toContain(`/e/${uid}`)
    expect(mine!.text).toContain('Wednesday, March 3, 2027')
    expect(mine!.text).toContain('4:00 PM – 4:30 PM (Central European Standard Time)')
    expect(theirs!.subject).toBe(mine!.subject)
    expect(hosts!.subject).toMatch(/^New booking/)
    expect(hosts!.text).toContain(email)
    expect(hosts!.text).toContain('10:00 AM – 10:30 AM (Eastern Standard Time)')
    const { method, entries } = calendarOf(mine!)
    expect(method).toBe('REQUEST')
    expect(entries).toEqual([
      {
        uid,
        sequence: 0,
        status: 'CONFIRMED',
        start: AT,
        end: plus(AT, 30),
        summary: expect.stringContaining('Zoë; "Z", Smith'),
        location: 'https://meet.example/a;b,c',
        organizer: `mailto:${calendar.account.email}`,
        attendees: [email, guest.email],
      },
    ])
    expect(calendarOf(hosts!).entries[0]!.attendees).toContain(calendar.account.email)
    const file = fileOf(mine!)!
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(await kindsOf(calendar)).toEqual(['event_confirmed', 'event_confirmed', 'host_booked'])
  })

  it('201 in the language and zone of the reader; the event type has the last word', async () => {
    const calendar = await createCalendar()
    const german = await booked(calendar, { language: 'de' })
    expect((await mailTo(german.email)).text).toContain('Mittwoch, 3. März 2027')
    await queryDatabase('update event_types set interface_language = $2 where id = $1', [
      calendar.eventTypeId,
      'fr',
    ])
    const french = await booked(calendar, { language: 'de', timeZone: 'Asia/Tokyo' }, LATER)
    const mail = await mailTo(french.email)
    expect(mail.text).toContain('jeudi 4 mars 2027')
    expect(mail.html).toContain('<html lang="fr">')
    await queryDatabase('update event_types set interface_language = null where id = $1', [
      calendar.eventTypeId,
    ])
    const odd = await booked(calendar, { language: 'nonsense!' }, plus(LATER, 60))
    expect((await mailTo(odd.email)).subject).toMatch(/^Confirmed/)
  })

  it('201 without the address of a host who hides it', async () => {
    const calendar = await createCalendar({ hide_organizer_email: true })
    const { email } = await booked(calendar)
    const mail = await mailTo(email)
    expect(mail.replyTo).toEqual([])
    expect(JSON.stringify([mail.text, mail.html, fileOf(mail)])).not.toContain(
      calendar.account.email,
    )
  })

  it('201 and one e-mail to each host of a collective', async () => {
    const calendar = await createCalendar()
    const { accountId, userId, staff } = calendar.account
    const [other] = await queryDatabase<{ id: number }>(
      'select user_id as id from members where account_id = $1 and user_id <> $2',
      [accountId, userId],
    )
    await setHosts(calendar, 'collective', [userId, other!.id])
    const { email } = await booked(calendar)
    expect((await mailTo(email)).text).toContain('With: Olive Owner, ')
    for (const to of [calendar.account.email, staff.email])
      expect((await mailTo(to)).subject).toMatch(/^New booking/)
  })
})

describe('a booking that waits for its host', () => {
  it('is told of as a request, and with what became of it; the host gets a link', async () => {
    const calendar = await createCalendar({ requires_confirmation: true })
    const { email, uid, id } = await booked(calendar)
    const mine = await mailTo(email)
    expect(mine.subject).toMatch(/^Requested/)
    expect(mine.attachments).toEqual([])
    const hosts = await mailTo(calendar.account.email)
    expect(hosts.subject).toMatch(/^Please answer/)
    expect(hosts.text).toMatch(new RegExp(`/e/${uid}/answer\\?token=[\\w.-]+`))
    expect(hosts.attachments).toEqual([])
    const mails = await mailsAfter(calendar, m => confirmBooking(m, { id }), plus(NOW, 1))
    expect(mails.map(m => [m.to, m.subject.split(':')[0]]).toSorted()).toEqual(
      [
        [calendar.account.email, 'Confirmed'],
        [email, 'Confirmed'],
      ].toSorted(),
    )
    for (const mail of mails)
      expect(calendarOf(mail)).toMatchObject({
        method: 'REQUEST',
        entries: [{ uid, sequence: 1, status: 'CONFIRMED' }],
      })
  })

  it('that is declined: the attendee alone hears of it, with the reason', async () => {
    const calendar = await createCalendar({ requires_confirmation: true })
    const { email, id, uid } = await booked(calendar)
    const mails = await mailsAfter(
      calendar,
      m => rejectBooking(m, { id, reason: 'Away <then>' }),
      plus(NOW, 1),
    )
    expect(mails.map(m => m.to)).toEqual([email])
    expect(mails[0]!.subject).toMatch(/^Declined/)
    expect(mails[0]!.html).toContain('Away &lt;then&gt;')
    expect(calendarOf(mails[0]!)).toMatchObject({ method: 'CANCEL', entries: [{ uid }] })
  })
})

describe('a booking that is moved', () => {
  it('by who booked: both hear of it, with both times, under the same uid', async () => {
    const calendar = await createCalendar()
    const { email, uid } = await booked(calendar)
    await mailTo(email)
    const body = bodyOf(calendar.eventTypeId, LATER, 'Z', { rescheduleUid: uid })
    expect((await book({ ...body, responses: { name: 'Z', email } })).status).toBe(201)
    const mail = await mailTo(email, 2)
    expect(mail.subject).toMatch(/^Changed/)
    expect(mail.text).toMatch(/When: .*5:00 PM – 5:30 PM/)
    expect(mail.text).toMatch(/Before: .*4:00 PM – 4:30 PM/)
    expect(calendarOf(mail)).toMatchObject({
      method: 'REQUEST',
      entries: [{ uid, sequence: 1, start: LATER, status: 'CONFIRMED' }],
    })
    expect((await mailTo(calendar.account.email, 2)).subject).toMatch(/^Changed/)
  })

  it('to a time that needs the host’s word again: a request, tentative in the calendar', async () => {
    const calendar = await createCalendar()
    const { email, uid } = await booked(calendar)
    await mailTo(email)
    await queryDatabase('update event_types set requires_confirmation = true where id = $1', [
      calendar.eventTypeId,
    ])
    const body = bodyOf(calendar.eventTypeId, LATER, 'Z', { rescheduleUid: uid })
    await book({ ...body, responses: { name: 'Z', email } })
    const mail = await mailTo(email, 2)
    expect(mail.subject).toMatch(/^Requested/)
    expect(calendarOf(mail).entries[0]).toMatchObject({ uid, status: 'TENTATIVE', start: LATER })
    const hosts = await mailTo(calendar.account.email, 2)
    expect(hosts.subject).toMatch(/^Please answer/)
    expect(hosts.text).toContain('/answer?token=')
  })

  it('by its host, or to another place', async () => {
    const calendar = await createCalendar()
    const { email, id } = await booked(calendar)
    const mails = await mailsAfter(
      calendar,
      m => rescheduleBooking(m, { id, start: new Date(LATER) }),
      plus(NOW, 1),
    )
    expect(mails.map(m => m.to).toSorted()).toEqual([email, calendar.account.email].toSorted())
    const link = 'https://meet.example/new'
    const place = (m: Parameters<typeof rescheduleBooking>[0]) =>
      rescheduleBooking(m, { id, start: new Date(LATER), location: link })
    const moved = await mailsAfter(calendar, place, plus(NOW, 2))
    expect(moved.map(m => [m.subject.split(':')[0], calendarOf(m).entries[0]?.location])).toEqual([
      ['Changed', link],
      ['Changed', link],
    ])
    expect(await mailsAfter(calendar, place, plus(NOW, 3))).toEqual([])
  })
})

describe('POST /api/cancel', () => {
  it('200 and the entry leaves the calendars; once, whoever else cancels', async () => {
    const calendar = await createCalendar()
    const { email, uid } = await booked(calendar)
    await mailTo(email)
    const replies = await Promise.all([1, 2, 3].map(() => cancel({ uid, reason: 'Ill' })))
    expect(replies.map(r => r.status).toSorted()).toEqual([200, 409, 409])
    const mail = await mailTo(email, 2)
    expect(mail.subject).toMatch(/^Canceled/)
    expect(mail.text).toContain('Reason: Ill')
    expect(mail.text).not.toContain('/e/')
    for (const one of [mail, await mailTo(calendar.account.email, 2)])
      expect(calendarOf(one)).toMatchObject({
        method: 'CANCEL',
        entries: [{ uid, sequence: 1, status: 'CANCELLED' }],
      })
    expect(await kindsOf(calendar)).toEqual([
      ...['event_cancelled', 'event_confirmed', 'host_booked', 'host_cancelled'],
    ])
  })

  it('200 and nothing is sent that is no longer so', async () => {
    const calendar = await createCalendar()
    const { email, id } = await booked(calendar)
    await mailTo(email)
    await queryDatabase(
      `update messages set status = 'queued', created_at = $2 where account_id = $1`,
      [calendar.account.accountId, plus(NOW, 5)],
    )
    await queryDatabase(`update bookings set status = 'cancelled' where id = $1`, [id])
    expect(await mailsAfter(calendar, async () => {}, plus(NOW, 5))).toEqual([])
  })
})
