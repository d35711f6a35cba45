import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, type CalendarMethod, writeCalendar } from './ics.ts'

const stamp = new Date('2026-03-01T08:00:00Z')
const event: CalendarEvent = {
  uid: 'Zk3-x_9',
  sequence: 2,
  start: new Date('2026-03-08T17:00:00Z'),
  end: new Date('2026-03-08T18:30:00Z'),
  status: 'CONFIRMED',
  summary: 'Haircut',
  organizer: { name: 'Salon', email: 'salon@example.org' },
  attendees: [{ name: 'Ann', email: 'ann@example.org' }],
}
const write = (change: Partial<CalendarEvent> = {}, method: CalendarMethod = 'REQUEST') =>
  writeCalendar(method, stamp, [{ ...event, ...change }])

const parse = (text: string) => new ICAL.Component(ICAL.parse(text))
const firstEvent = (text: string) => parse(text).getFirstSubcomponent('vevent')!
const octets = (text: string) => new TextEncoder().encode(text).length

const NASTY = [
  'Smith; Jones, and "Sons" Co.',
  'line one\nline two\r\nline three\rline four',
  '^ caret ^n and ^\' and "quotes"',
  'BEGIN:VEVENT\r\nUID:evil',
  'Zoë 😀 李小龍 👩‍👩‍👧‍👦 e\u0301',
  'with:colon=equals;semi',
]

describe('a calendar file', () => {
  it('says everything that an invitation needs, in UTC', () => {
    const text = write()
    const calendar = parse(text)
    const entry = new ICAL.Event(firstEvent(text))
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST')
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    expect(entry.uid).toBe('Zk3-x_9')
    expect(entry.sequence).toBe(2)
    expect(entry.startDate.toString()).toBe('2026-03-08T17:00:00Z')
    expect(entry.endDate.toString()).toBe('2026-03-08T18:30:00Z')
    expect(String(firstEvent(text).getFirstPropertyValue('dtstamp'))).toBe('2026-03-01T08:00:00Z')
    expect(firstEvent(text).getFirstPropertyValue('status')).toBe('CONFIRMED')
    expect(firstEvent(text).getFirstPropertyValue('organizer')).toBe('mailto:salon@example.org')
    expect(entry.attendees[0]?.getFirstValue()).toBe('mailto:ann@example.org')
    expect(entry.attendees[0]?.getParameter('partstat')).toBe('ACCEPTED')
  })

  it('says who has no e-mail address by their number', () => {
    const attendees = [
      { name: 'Bo', email: null, phoneNumber: '+491512345678' },
      { name: 'Ann', email: 'ann@example.org', phoneNumber: '+15550100001' },
    ]
    const { attendees: read } = new ICAL.Event(firstEvent(write({ attendees })))
    expect(read.map(one => one.getFirstValue())).toEqual([
      'tel:+491512345678',
      'mailto:ann@example.org',
    ])
    expect(read.map(one => [one.type, one.getParameter('cn')])).toEqual([
      ['cal-address', 'Bo'],
      ['cal-address', 'Ann'],
    ])
  })

  it('cancels the entry under the same uid, and frees the time', () => {
    const text = write({ status: 'CANCELLED', sequence: 3 }, 'CANCEL')
    expect(parse(text).getFirstPropertyValue('method')).toBe('CANCEL')
    expect(new ICAL.Event(firstEvent(text)).uid).toBe('Zk3-x_9')
    expect(firstEvent(text).getFirstPropertyValue('transp')).toBe('TRANSPARENT')
  })

  it('publishes several entries, without attendees', () => {
    const text = writeCalendar('PUBLISH', stamp, [event, { ...event, uid: 'b' }])
    const entries = parse(text).getAllSubcomponents('vevent')
    expect(entries.map(e => new ICAL.Event(e).uid)).toEqual(['Zk3-x_9', 'b'])
    expect(text).not.toContain('ATTENDEE')
    expect(text.match(/^ORGANIZER/gm)).toHaveLength(2)
  })

  it.each(NASTY)('keeps %j whole in texts and names', nasty => {
    const text = write({
      summary: nasty,
      description: nasty,
      location: nasty,
      organizer: { name: nasty, email: 'o+tag@example.org' },
      attendees: [{ name: nasty, email: "a'b@example.org" }],
    })
    const lines = nasty.replace(/\r\n?/g, '\n')
    const entries = parse(text).getAllSubcomponents('vevent')
    expect(entries).toHaveLength(1)
    const entry = new ICAL.Event(entries[0]!)
    expect(entry.uid).toBe('Zk3-x_9')
    expect([entry.summary, entry.description, entry.location]).toEqual([lines, lines, lines])
    expect(entries[0]!.getFirstProperty('organizer')!.getParameter('cn')).toBe(lines)
    expect(entry.attendees[0]!.getParameter('cn')).toBe(lines)
  })

  it('escapes the backslash in texts, and not in names, where it means nothing', () => {
    const nasty = 'a\\nb \\; \\, \\\\'
    const text = write({ summary: nasty, organizer: { name: nasty, email: 'o@example.org' } })
    expect(new ICAL.Event(firstEvent(text)).summary).toBe(nasty)
    expect(text.replaceAll('\r\n ', '')).toContain(`ORGANIZER;CN="${nasty}":mailto:`)
  })

  it('drops control characters that no calendar may hold, and keeps the tab', () => {
    const entry = new ICAL.Event(firstEvent(write({ summary: 'a\u0000b\u0007c\td\u007f\u0085' })))
    expect(entry.summary).toBe('abc\td')
  })

  it('ends lines by CRLF after at most 75 octets, wherever an emoji meets the border', () => {
    for (let lead = 0; lead < 80; lead++) {
      const summary = `${'x'.repeat(lead)}😀é李${'😀'.repeat(40)}`
      const text = write({ summary, description: summary })
      expect(text.endsWith('\r\n')).toBe(true)
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      const lines = text.split('\r\n')
      for (const line of lines) expect(octets(line)).toBeLessThanOrEqual(75)
      expect(text).not.toContain('\ufffd')
      expect(new ICAL.Event(firstEvent(text)).summary).toBe(summary)
    }
  })

  it('folds no earlier than it must', () => {
    const line = (summary: string) => write({ summary }).split('\r\n').indexOf('STATUS:CONFIRMED')
    const fits = 'x'.repeat(75 - 'SUMMARY:'.length)
    expect(line(`${fits}x`)).toBe(line(fits) + 1)
  })
})
