import { describe, expect, it } from 'vitest'
import { anyone, newEmail, sendForm, somebody } from '../browser.ts'
import { bookingsOf, pageOf, startsIn, typed } from '../calendar/event-pages.ts'
import { AT, booked, mailTo, plus } from '../calendar/mail.ts'
import { see, send } from '../calendar/own-pages.ts'
import { createCalendar, eventsOf, NOW } from '../calendar/world.ts'
import { queryDatabase } from '../database.ts'

describe('/{username}/{slug}/book', () => {
  it('200 with a labelled field for each question; nothing is written by looking', async () => {
    const questions = [
      { type: 'text', slug: 'topic', label: 'Your <topic>', required: true },
      { type: 'checkbox', slug: 'days', label: 'Days', options: ['Mon', 'Tue'] },
      { type: 'text', slug: 'hush', label: 'Hush', hidden: true },
    ]
    const calendar = await createCalendar({ booking_fields: JSON.stringify(questions) })
    const { status, text } = await see(`${pageOf(calendar)}/book?zone=Europe/Berlin&start=${AT}`)
    expect(status).toBe(200)
    for (const label of ['name">Your name', 'email">E-mail', 'guests">Guests', 'notes">Notes'])
      expect(text).toContain(`<label for="${label}`)
    expect(text).toMatch(/<label for="q-topic">Your &lt;topic&gt;/)
    expect(text).toMatch(/<input id="q-topic" name="q-topic" required=""/)
    expect(text).toContain('name="q-days.1" value="Tue"')
    expect(text).not.toContain('Hush')
    expect(text).toContain('Central European Standard Time')
    expect(await bookingsOf(calendar)).toEqual([])
    expect(
      await queryDatabase('select * from holds where account_id = $1', [
        calendar.account.accountId,
      ]),
    ).toEqual([])
  })

  it('303 to the attendee’s page, as POST /api/book/event would book it', async () => {
    const questions = [
      { type: 'number', slug: 'size', label: 'Size', required: true },
      { type: 'checkbox', slug: 'days', label: 'Days', options: ['Mon', 'Tue', 'Wed'] },
      { type: 'boolean', slug: 'terms', label: 'Terms', required: true },
    ]
    const calendar = await createCalendar({
      booking_fields: JSON.stringify(questions),
      length_options: '[60]',
      locations: JSON.stringify([
        { type: 'link', link: 'https://meet.example/x' },
        { type: 'attendeePhone' },
      ]),
    })
    const guest = newEmail()
    const fields = typed({
      length: '60',
      'q-size': '42',
      'q-days.0': 'Mon',
      'q-days.2': 'Wed',
      'q-terms': 'true',
      place: '1',
      where: '+1 555 0100',
      guests: `${guest}\n`,
      notes: 'Hi',
    })
    const reply = await send(`${pageOf(calendar)}/book`, fields)
    expect([reply.status, reply.text]).toEqual([303, ''])
    const [row] = await bookingsOf(calendar)
    expect(reply.headers.get('location')).toBe(`/e/${row!.uid}`)
    expect(row).toMatchObject({
      status: 'accepted',
      location: '+15550100',
      source: 'public',
      responses: {
        name: 'Zoe <b>',
        email: fields.email,
        notes: 'Hi',
        guests: [guest],
        size: 42,
        days: ['Mon', 'Wed'],
        terms: true,
      },
    })
    const [start, end] = [row!.start_time, row!.end_time].map(at => Date.parse(String(at)))
    expect(end! - start!).toBe(60 * 60_000)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
    expect((await mailTo(fields.email)).text).toContain('4:00 PM – 5:00 PM (Central European')
    expect((await see(reply.headers.get('location')!)).text).toContain('Your meeting is confirmed')
  })

  it('303 as a request where the host has to confirm', async () => {
    const calendar = await createCalendar({ requires_confirmation: true })
    const page = await see(`${pageOf(calendar)}/book?zone=UTC&start=${AT}`)
    expect(page.text).toContain('Ask for this time')
    const reply = await send(`${pageOf(calendar)}/book`, typed())
    const shown = await see(reply.headers.get('location')!)
    expect(shown.text).toContain('Your request waits for an answer')
    expect(await eventsOf(calendar)).toEqual(['BOOKING_REQUESTED'])
  })

  it('303 to the own seat in a meeting with seats', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 2 })
    const take = () => send(`${pageOf(calendar)}/book`, typed())
    const first = (await take()).headers.get('location')!
    const second = (await take()).headers.get('location')!
    expect(first).toMatch(/^\/e\/[\w-]{22}\?seat=[\w-]{22}$/)
    expect(second.split('?')[0]).toBe(first.split('?')[0])
    expect(second).not.toBe(first)
    expect((await see(second)).text).toContain('Your seat is confirmed')
    expect((await take()).status).toBe(409)
  })

  it('303 for a series by its count, all or none', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 2, occurrences: 3 })
    const calendar = await createCalendar({ recurrence })
    const page = await see(`${pageOf(calendar)}/book?zone=UTC&start=${AT}`)
    expect(page.text).toContain('3 times, every 2 weeks')
    const reply = await send(`${pageOf(calendar)}/book`, typed({ count: '3' }))
    expect(reply.status).toBe(303)
    const rows = await bookingsOf(calendar)
    expect(rows).toHaveLength(3)
    expect(reply.headers.get('location')).toBe(`/e/${rows[0]!.uid}`)
    expect((await see(`/e/${rows[0]!.uid}`)).text).toContain('Other dates')
    const clash = await send(
      `${pageOf(calendar)}/book`,
      typed({ start: plus(AT, -14 * 1440), count: '3' }),
      '2027-02-01T12:00:00.000Z',
    )
    expect(clash.status).toBe(409)
    expect(await bookingsOf(calendar)).toHaveLength(3)
    const single = await send(
      `${pageOf(calendar)}/book`,
      typed({ start: plus(AT, 60), count: '1' }),
    )
    expect(single.status).toBe(303)
    expect(await bookingsOf(calendar)).toHaveLength(4)
  })

  it('303 to the one booking for each press of one showing of the form, at once or later', async () => {
    const calendar = await createCalendar()
    const path = `${pageOf(calendar)}/book`
    const { text } = await see(`${path}?start=${AT}`)
    const once = /name="\.once" value="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(once.length).toBeGreaterThan(20)
    const fields = typed({ '.once': once })
    const presses = await Promise.all([1, 2, 3].map(() => send(path, fields)))
    presses.push(await send(path, fields))
    const [row, ...others] = await bookingsOf(calendar)
    expect(others).toEqual([])
    for (const { status, headers } of presses)
      expect([status, headers.get('location')]).toEqual([303, `/e/${row!.uid}`])
    // Somebody else, another showing, or none of them: another press.
    for (const change of [
      typed({ '.once': once }),
      { ...fields, '.once': `${once}x` },
      { ...fields, '.once': '' },
    ])
      expect((await send(path, change)).status).toBe(409)
  })

  it('303 for the same press that was refused before, once the reason is gone', async () => {
    const calendar = await createCalendar()
    const path = `${pageOf(calendar)}/book`
    const first = typed({ '.once': crypto.randomUUID() })
    expect((await send(path, first)).status).toBe(303)
    const second = typed({ '.once': crypto.randomUUID() })
    expect((await send(path, second)).status).toBe(409)
    await queryDatabase(`delete from occupancies where account_id = $1`, [
      calendar.account.accountId,
    ])
    await queryDatabase(`update bookings set status = 'cancelled' where account_id = $1`, [
      calendar.account.accountId,
    ])
    expect((await send(path, second)).status).toBe(303)
  })

  it('422 shows what was typed and what is wrong with it, at the fields', async () => {
    const questions = [{ type: 'number', slug: 'size', label: 'Size', required: true }]
    const calendar = await createCalendar({ booking_fields: JSON.stringify(questions) })
    const wrong = typed({ email: 'no"<b>', 'q-size': 'big', guests: 'who', notes: 'Keep me' })
    const { status, text } = await send(`${pageOf(calendar)}/book`, wrong)
    expect(status).toBe(422)
    expect(text).toContain('<a href="#email">E-mail: Please enter an e-mail address.</a>')
    expect(text).toContain('value="no&quot;&lt;b&gt;"')
    expect(text).toContain('id="email-fault">Please enter an e-mail address.')
    expect(text).toContain('Keep me')
    const other = await send(`${pageOf(calendar)}/book`, typed({ 'q-size': 'big' }))
    expect(other.status).toBe(422)
    expect(other.text).toContain('id="q-size-fault"')
    expect(other.text).toContain('value="Zoe &lt;b&gt;"')
    expect(await bookingsOf(calendar)).toEqual([])
  })

  it('409 for a start that is taken, with the others of its day', async () => {
    const calendar = await createCalendar()
    await booked(calendar)
    const gone = await see(`${pageOf(calendar)}/book?zone=UTC&start=${AT}`)
    expect(gone.status).toBe(409)
    expect(gone.text).toContain('This time is not available')
    expect(startsIn(gone.text)).toContain(plus(AT, 30))
    const late = await send(`${pageOf(calendar)}/book`, typed())
    expect(late.status).toBe(409)
    expect(startsIn(late.text)).toContain(plus(AT, 30))
    expect(await bookingsOf(calendar)).toHaveLength(1)
  })

  it('303 to a page that leads on where the event type says, this once', async () => {
    const calendar = await createCalendar({
      success_redirect_url: 'https://example.org/ok?a=1&b=2',
    })
    const reply = await send(`${pageOf(calendar)}/book`, typed())
    const made = reply.headers.get('location')!
    expect(made).toMatch(/^\/e\/[\w-]{22}\?booked=1$/)
    const shown = await see(made)
    expect(shown.headers.get('refresh')).toBe('3; url=https://example.org/ok?a=1&b=2')
    expect(shown.text).toContain('href="https://example.org/ok?a=1&amp;b=2"')
    expect((await see(made.split('?')[0]!)).headers.get('refresh')).toBeNull()
  })

  it('303 once of several at the same time', async () => {
    const calendar = await createCalendar()
    const all = await Promise.all(
      Array.from({ length: 6 }, () => send(`${pageOf(calendar)}/book`, typed())),
    )
    expect(all.map(r => r.status).toSorted()).toEqual([303, 409, 409, 409, 409, 409])
    expect(await bookingsOf(calendar)).toHaveLength(1)
  })

  it('303 back to the times without a start; 403 from another site; 201 in JSON', async () => {
    const calendar = await createCalendar()
    const page = pageOf(calendar)
    const lost = await see(`${page}/book?zone=UTC`)
    expect([lost.status, lost.headers.get('location')]).toEqual([303, `${page}?zone=UTC`])
    const evil = { origin: 'https://evil.example', 'x-test-now': NOW }
    expect((await sendForm(`${page}/book`, typed(), evil)).status).toBe(403)
    expect(await bookingsOf(calendar)).toEqual([])
    const made = await anyone.post(`${page}/book`, typed(), { ...somebody(), 'x-test-now': NOW })
    expect([made.status, made.body.status]).toEqual([201, 'accepted'])
  })
})
