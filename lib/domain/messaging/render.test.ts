import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { readToken } from '#lib/core/tokens.ts'
import { CONFIRM_PURPOSE } from './appointment.ts'
import type { AppointmentMessage } from './claimed.ts'
import { renderMessage } from './render.ts'
import type { Occurrence, ShownAppointment } from './schema.ts'

const settings = {
  publicUrl: 'https://book.example.org',
  secret: 'secret',
  emailFrom: 'Almanac <no-reply@example.org>',
  allowLoopback: false,
  deliveriesAtOnce: 5,
}
const now = new Date('2026-03-01T12:00:00Z')

const appointment: ShownAppointment = {
  uid: 'uid-1',
  version: 1,
  status: 'approved',
  startTime: '2026-03-08T13:00:00.000Z',
  endTime: '2026-03-08T14:00:00.000Z',
  timeZone: null,
  totalAmount: 4500,
  currency: 'usd',
  confirmBy: null,
  cancellationReason: null,
  notes: null,
  service: 'Haircut',
  employee: 'Sam Lee',
  location: { name: 'Main Street', address: '1 Main St, Boston', timeZone: 'America/Chicago' },
  customer: { name: 'Ann Bee', email: 'ann@example.org', timeZone: 'Europe/Berlin' },
}
const message: AppointmentMessage = {
  accountId: 1,
  id: 7,
  subject: 'appointment',
  kind: 'booking_confirmation',
  recipient: 'ann@example.org',
  data: {},
  attempts: 1,
  channel: 'email',
  optedOut: false,
  toStopped: false,
  handedOver: null,
  createdAt: '2026-03-01T11:59:00.000Z',
  sender: {
    name: 'Salon',
    email: 'salon@example.org',
    phone: '+15551234567',
    timeZone: 'America/New_York',
    locale: 'en',
  },
  appointment,
  series: [],
}

/** The e-mail of the message with some of it changed; fails when it is skipped. */
async function render(
  change: Partial<AppointmentMessage> = {},
  about: Partial<ShownAppointment> = {},
  at = now,
) {
  const given = { ...message, appointment: { ...appointment, ...about }, ...change }
  const email = await renderMessage(given, settings, at)
  if ('skipped' in email) throw new Error(email.skipped)
  return email
}
const isSkipped = async (
  change: Partial<AppointmentMessage>,
  about: Partial<ShownAppointment> = {},
  at = now,
) => {
  const given = { ...message, appointment: { ...appointment, ...about }, ...change }
  return 'skipped' in (await renderMessage(given, settings, at))
}
const calendar = (email: { attachments?: { content: string }[] }) =>
  new ICAL.Component(ICAL.parse(email.attachments![0]!.content))

describe('a confirmation', () => {
  it('comes from the business, answers to it, and says what, when, where, with whom', async () => {
    const email = await render()
    expect(email.from).toBe('"Salon" <no-reply@example.org>')
    expect(email.replyTo).toBe('salon@example.org')
    expect(email.subject).toBe('Confirmed: Haircut, Sun, Mar 8, 2:00 PM')
    for (const part of [email.text, email.html])
      for (const fact of ['Haircut', 'Sam Lee', 'Main Street, 1 Main St, Boston', '$45.00'])
        expect(part).toContain(fact)
  })

  it.each([
    [
      { timeZone: 'Asia/Tokyo' },
      'Sunday, March 8, 2026, 10:00 PM – 11:00 PM (Japan Standard Time)',
    ],
    [{}, 'Sunday, March 8, 2026, 2:00 PM – 3:00 PM (Central European Standard Time)'],
    [
      { customer: { ...appointment.customer!, timeZone: null } },
      'Sunday, March 8, 2026, 8:00 AM – 9:00 AM (Central Daylight Time)',
    ],
    [
      { customer: null, location: null },
      'Sunday, March 8, 2026, 9:00 AM – 10:00 AM (Eastern Daylight Time)',
    ],
    [
      { timeZone: 'No/Where', customer: null, location: null },
      'Sunday, March 8, 2026, 9:00 AM – 10:00 AM (Eastern Daylight Time)',
    ],
  ])('shows the time in the zone that counts first: %j', async (about, when) => {
    expect((await render({}, about)).text).toContain(`When: ${when}`)
  })

  it('names the day of the end where it is another', async () => {
    const { text } = await render({}, { endTime: '2026-03-09T01:00:00.000Z' })
    expect(text).toContain('Sunday, March 8, 2026, 2:00 PM – Monday, March 9, 2026, 2:00 AM')
  })

  it('writes dates and money as the locale of the company does, English where it is unknown', async () => {
    const german = await render({ sender: { ...message.sender, locale: 'de' } })
    expect(german.text).toContain('Sonntag, 8. März 2026, 14:00 – 15:00')
    expect(german.html).toContain('<html lang="de">')
    const unknown = await render({ sender: { ...message.sender, locale: 'not a locale' } })
    expect(unknown.text).toContain('Sunday, March 8, 2026')
  })

  it('carries an invitation with the uid and the version of the appointment', async () => {
    const email = await render()
    const entry = new ICAL.Event(calendar(email).getFirstSubcomponent('vevent')!)
    expect(calendar(email).getFirstPropertyValue('method')).toBe('REQUEST')
    expect(email.attachments![0]!.contentType).toContain('method=REQUEST')
    expect([entry.uid, entry.sequence]).toEqual(['uid-1', 1])
  })

  it('escapes every value in HTML and keeps the subject and the sender to one line', async () => {
    const evil = `<script>alert("x")</script> & 'co'`
    const lines = 'Evil\r\nBcc: victim@example.org'
    const email = await render(
      { sender: { ...message.sender, name: `${lines}"<a@b.c>`, phone: evil } },
      {
        service: `${evil}\r\nBcc: victim@example.org`,
        employee: evil,
        location: { name: evil, address: evil, timeZone: 'UTC' },
        customer: { name: evil, email: null, timeZone: null },
      },
    )
    expect(email.html).not.toContain('<script>')
    expect(email.html).toContain(
      '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;co&#39;',
    )
    expect(email.subject).not.toMatch(/[\r\n]/)
    expect(email.from).toBe('"Evil Bcc: victim@example.org a@b.c" <no-reply@example.org>')
  })

  it('needs nothing from elsewhere', async () => {
    const { html } = await render()
    expect(html).not.toMatch(/<img|<link|<script|url\(|src=/)
    expect(html).toContain('prefers-color-scheme: dark')
  })

  it('is the same e-mail at every try', async () => {
    const later = new Date('2026-03-01T14:00:00Z')
    expect(await render({}, {}, later)).toEqual(await render())
  })
})

describe('a series', () => {
  const day = (n: number, status: Occurrence['status'] = 'approved'): Occurrence => ({
    uid: `uid-${n}`,
    version: 0,
    status,
    startTime: `2026-03-${String(n).padStart(2, '0')}T13:00:00.000Z`,
    endTime: `2026-03-${String(n).padStart(2, '0')}T14:00:00.000Z`,
  })
  const series = [day(8), day(15, 'canceled'), day(22), day(29)]

  it('is one e-mail that lists the dates that hold, each in the zone as it is then', async () => {
    const email = await render({ series, data: { seriesId: 3 } })
    expect(email.subject).toBe('Confirmed: Haircut, 3 dates from Sun, Mar 8, 2:00 PM')
    expect(email.text).toContain('1. Sunday, March 8, 2026, 2:00 PM – 3:00 PM (Central European S')
    expect(email.text).toContain(
      '3. Sunday, March 29, 2026, 3:00 PM – 4:00 PM (Central European Su',
    )
    expect(email.text).not.toContain('March 15')
    expect(email.html.match(/<li/g)).toHaveLength(3)
  })

  it('publishes an entry for each', async () => {
    const email = await render({ series, data: { seriesId: 3 } })
    expect(calendar(email).getFirstPropertyValue('method')).toBe('PUBLISH')
    expect(calendar(email).getAllSubcomponents('vevent')).toHaveLength(3)
  })
})

describe('a request to confirm', () => {
  const request = { kind: 'booking_request' } as const
  it('has a button whose link names the appointment and ends when it begins', async () => {
    const email = await render(request, { status: 'pending' })
    const link = /href="https:\/\/book\.example\.org\/confirm\?token=([^"]+)"/.exec(email.html)
    const token = link?.[1] ?? ''
    expect(email.text).toContain(`https://book.example.org/confirm?token=${token}`)
    const start = new Date(appointment.startTime)
    expect(await readToken('secret', CONFIRM_PURPOSE, token, now)).toBe('uid-1')
    expect(await readToken('secret', CONFIRM_PURPOSE, token, start)).toBeUndefined()
    expect(email.attachments).toBeUndefined()
  })
})

describe('a cancellation', () => {
  it('gives the reason and takes the entry out of the calendar', async () => {
    const about = { status: 'canceled', version: 2, cancellationReason: 'Sam is ill' } as const
    const email = await render({ kind: 'booking_cancelled' }, about)
    expect(email.subject).toMatch(/^Canceled: Haircut/)
    expect(email.text).toContain('Reason: Sam is ill')
    expect(calendar(email).getFirstPropertyValue('method')).toBe('CANCEL')
    const entry = calendar(email).getFirstSubcomponent('vevent')!
    expect(new ICAL.Event(entry).sequence).toBe(2)
    expect(entry.getFirstPropertyValue('status')).toBe('CANCELLED')
  })
})

describe('a change', () => {
  it('shows the time before', async () => {
    const data = {
      previousStartTime: '2026-03-07T13:00:00.000Z',
      previousEndTime: '2026-03-07T14:00:00.000Z',
    }
    const email = await render({ kind: 'booking_changed', data })
    expect(email.text).toContain('When: Sunday, March 8')
    expect(email.text).toContain('Before: Saturday, March 7')
  })
})

describe('a message is skipped', () => {
  it('when the appointment is in another state by now, or gone', async () => {
    expect(await isSkipped({ appointment: null })).toBe(true)
    expect(await isSkipped({}, { status: 'canceled' })).toBe(true)
    expect(await isSkipped({}, { status: 'pending' })).toBe(true)
    expect(await isSkipped({ kind: 'booking_request' })).toBe(true)
    expect(await isSkipped({ kind: 'booking_cancelled' })).toBe(true)
    expect(await isSkipped({ kind: 'booking_changed' }, { status: 'canceled' })).toBe(true)
  })

  it('when the appointment is over, and a request when it has begun', async () => {
    const start = new Date(appointment.startTime)
    expect(await isSkipped({}, {}, start)).toBe(false)
    expect(await isSkipped({}, {}, new Date(appointment.endTime))).toBe(true)
    expect(await isSkipped({ kind: 'booking_request' }, { status: 'pending' }, start)).toBe(true)
  })
})
