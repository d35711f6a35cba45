import { describe, expect, test } from 'vitest'
import { createWorkflow } from '#lib/domain/workflows/operations.ts'
import { NewWorkflow } from '#lib/domain/workflows/schema.ts'
import { newEmail } from '../browser.ts'
import { bookingsOf, pageOf, typed } from './event-pages.ts'
import { AT, newNumber } from './mail.ts'
import { bookAs } from './numbers.ts'
import { see, send } from './own-pages.ts'
import { asOwner, type Calendar, createCalendar, setEventType } from './world.ts'

/** A workflow whose step asks for a number, on all event types where nothing is said. */
const requireNumber = (calendar: Calendar, step: object = {}, more: object = {}) =>
  asOwner(calendar, m =>
    createWorkflow(
      m,
      NewWorkflow.parse({
        name: 'Flow',
        trigger: { type: 'newEvent' },
        activation: { isActiveOnAllEventTypes: true },
        steps: [{ action: 'sms_attendee', template: 'reminder', phoneRequired: true, ...step }],
        ...more,
      }),
    ),
  )

describe('an event type whose workflow needs a number', () => {
  test.each([
    ['all event types', {}],
    ['it alone', { activation: {} }],
  ])('422 without one, 201 with one, where it is active on %s', async (_where, more) => {
    const calendar = await createCalendar()
    const { eventTypeId } = calendar
    const activation = { activation: { activeOnEventTypeIds: [eventTypeId] } }
    await requireNumber(calendar, {}, 'activation' in more ? activation : {})
    const email = newEmail()
    const { status, body } = await bookAs(calendar, { email })
    expect([status, body.details]).toEqual([
      422,
      [{ field: 'responses.attendeePhoneNumber', message: 'required' }],
    ])
    expect((await bookAs(calendar, { email, attendeePhoneNumber: newNumber() })).status).toBe(201)
  })

  test.each([
    ['does not require it', { phoneRequired: false }, {}],
    ['writes to somebody else', { action: 'sms_number', recipient: '+15550100002' }, {}],
    ['is switched off', {}, { active: false }],
    ['is for others', {}, { activation: {} }],
  ])('201 without one where the step or workflow %s', async (_why, step, more) => {
    const calendar = await createCalendar()
    await requireNumber(calendar, step, more)
    expect((await bookAs(calendar, { email: newEmail() })).status).toBe(201)
  })

  test('its page asks for both where an address is needed as well: 422, then 303', async () => {
    const calendar = await createCalendar()
    await requireNumber(calendar)
    const form = async () =>
      (await see(`${pageOf(calendar)}/book?zone=Europe/Berlin&start=${AT}`)).text
    const required = (name: string) => new RegExp(`<input id="${name}"[^>]*required`)
    expect(await form()).toMatch(required('phone'))
    expect(await form()).not.toMatch(required('email'))
    const question = { type: 'email', slug: 'email', label: 'E-mail', required: true }
    await setEventType(calendar.eventTypeId, { booking_fields: JSON.stringify([question]) })
    for (const name of ['phone', 'email']) expect(await form()).toMatch(required(name))
    const post = (fields: Record<string, string>) => send(`${pageOf(calendar)}/book`, fields)
    const refused = await post(typed())
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('phone-fault')])
    expect((await post({ ...typed(), email: '', phone: newNumber() })).status).toBe(422)
    expect((await post({ ...typed(), phone: newNumber() })).status).toBe(303)
    expect(await bookingsOf(calendar)).toHaveLength(1)
  })

  test('303 with the answer to its own question, or the number to be called at', async () => {
    const question = { type: 'phone', slug: 'phone', label: 'Mobile', required: true }
    const calendar = await createCalendar({ booking_fields: JSON.stringify([question]) })
    await requireNumber(calendar)
    const own = { ...typed(), 'q-phone': newNumber() }
    expect((await send(`${pageOf(calendar)}/book`, own)).status).toBe(303)
    const called = await createCalendar({ locations: JSON.stringify([{ type: 'attendeePhone' }]) })
    await requireNumber(called)
    const where = newNumber()
    expect((await send(`${pageOf(called)}/book`, { ...typed(), where })).status).toBe(303)
    for (const [place, number] of [
      [calendar, own['q-phone']],
      [called, where],
    ] as const)
      expect(await bookingsOf(place)).toMatchObject([
        { responses: { attendeePhoneNumber: number } },
      ])
  })
})
