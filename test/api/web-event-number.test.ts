import { describe, expect, it } from 'vitest'
import { bookingsOf, pageOf, typed } from '../calendar/event-pages.ts'
import { AT, mailsTo, newNumber } from '../calendar/mail.ts'
import { rowOf, see, send } from '../calendar/own-pages.ts'
import { type Calendar, createCalendar } from '../calendar/world.ts'

/** What somebody types who has no e-mail address. */
const without = (more: Record<string, string>) => ({ ...typed(), email: '', phone: '', ...more })
const post = (calendar: Calendar, fields: Record<string, string>) =>
  send(`${pageOf(calendar)}/book`, fields)
const formOf = async (calendar: Calendar) =>
  (await see(`${pageOf(calendar)}/book?zone=Europe/Berlin&start=${AT}`)).text
const locations = (...types: string[]) => ({
  locations: JSON.stringify(types.map(type => ({ type }))),
})
const fields = (...questions: object[]) => ({ booking_fields: JSON.stringify(questions) })

describe('/{username}/{slug}/book without an e-mail address', () => {
  it('303 with a number; the text message leads to a page that moves and cancels it', async () => {
    const calendar = await createCalendar()
    const form = await formOf(calendar)
    // Either will do, so the browser insists on neither.
    for (const name of ['email', 'phone'])
      expect(form).toMatch(new RegExp(`<input id="${name}"(?![^>]*required)[^>]*aria-describedby`))
    const number = newNumber()
    const booked = await post(
      calendar,
      without({ phone: `${number.slice(0, 3)} ${number.slice(3)}` }),
    )
    expect([booked.status, booked.text]).toEqual([303, ''])
    const [row] = await bookingsOf(calendar)
    expect(row).toMatchObject({ responses: { attendeePhoneNumber: number } })
    const [sent] = await mailsTo(number, 1)
    const path = new URL(/https?:\S+$/.exec(sent!.text ?? '')![0]).pathname
    expect(booked.headers.get('location')).toBe(path)
    const moved = await send(`${path}/move`, { start: '2027-03-04T15:00:00.000Z' })
    expect(moved.status).toBe(303)
    expect((await mailsTo(number, 2))[0]!.text).toMatch(/^Changed: /)
    expect((await send(`${path}/cancel`, { reason: 'ill' })).status).toBe(303)
    expect((await mailsTo(number, 3))[0]!.text).toMatch(/^Canceled: /)
    expect(await rowOf(String(row!.uid))).toMatchObject({
      status: 'cancelled',
      rescheduled_by: 'attendee',
    })
  })

  it('303 with both: the e-mail address is written to', async () => {
    const calendar = await createCalendar()
    const both = { ...typed(), phone: newNumber() }
    expect((await post(calendar, both)).status).toBe(303)
    expect(await mailsTo(both.email, 1)).toHaveLength(1)
    const [row] = await bookingsOf(calendar)
    expect(row).toMatchObject({
      responses: { email: both.email, attendeePhoneNumber: both.phone },
    })
  })

  it('422 with neither, and for a number that nobody can write to; nothing is booked', async () => {
    const calendar = await createCalendar()
    const neither = await post(calendar, without({ name: '', notes: 'Kept' }))
    expect(neither.status).toBe(422)
    expect(neither.text).toContain('id="name-fault"')
    expect(neither.text).toMatch(/id="email-fault">\s*Required, unless your phone number is given/)
    expect(neither.text).toContain('Kept')
    const local = await post(calendar, without({ phone: '0151 234567' }))
    expect([local.status, local.text]).toEqual([
      422,
      expect.stringMatching(/value="0151 234567".*id="phone-fault">[^<]*with its country code/s),
    ])
    expect(await bookingsOf(calendar)).toEqual([])
  })

  it('303 with the number that the attendee is called at, which is asked for once', async () => {
    const calendar = await createCalendar(locations('attendeePhone'))
    expect(await formOf(calendar)).not.toContain('name="phone"')
    const local = await post(calendar, without({ where: '0151 234567' }))
    expect([local.status, local.text]).toEqual([422, expect.stringContaining('id="where-fault"')])
    const number = newNumber()
    expect((await post(calendar, without({ where: number }))).status).toBe(303)
    expect(await mailsTo(number, 1)).toHaveLength(1)
    expect(await bookingsOf(calendar)).toMatchObject([{ location: number }])
  })

  it('303 where one of several places is to be called', async () => {
    const calendar = await createCalendar(locations('integrations:jitsi', 'attendeePhone'))
    expect(await formOf(calendar)).toContain('name="phone"')
    const number = newNumber()
    expect((await post(calendar, without({ place: '1', where: number }))).status).toBe(303)
    expect(await bookingsOf(calendar)).toMatchObject([
      { location: number, responses: { attendeePhoneNumber: number } },
    ])
  })

  it.each(['attendeePhoneNumber', 'phone'])(
    '303 with the answer to a question of its own, %s',
    async slug => {
      const question = { type: 'phone', slug, label: 'Mobile', required: true }
      const calendar = await createCalendar(fields(question))
      expect(await formOf(calendar)).not.toContain('name="phone"')
      const name = `q-${slug}`
      const local = await post(calendar, without({ [name]: '0151 234567' }))
      expect([local.status, local.text]).toEqual([
        422,
        expect.stringContaining(`id="${name}-fault"`),
      ])
      const number = newNumber()
      expect((await post(calendar, without({ [name]: number }))).status).toBe(303)
      expect(await mailsTo(number, 1)).toHaveLength(1)
    },
  )

  it('422 where the event type insists on an address; no number is asked for', async () => {
    const question = { type: 'email', slug: 'email', label: 'E-mail', required: true }
    for (const columns of [fields(question), { requires_booker_email_verification: true }]) {
      const calendar = await createCalendar(columns)
      const form = await formOf(calendar)
      expect(form).not.toContain('name="phone"')
      expect(form).toMatch(/<input id="email"[^>]*required/)
      const { status, text } = await post(calendar, without({ phone: newNumber() }))
      expect([status, text]).toEqual([422, expect.stringContaining('id="email-fault"')])
    }
  })
})
