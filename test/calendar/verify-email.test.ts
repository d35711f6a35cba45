import { beforeAll, describe, expect, test } from 'vitest'
import { newEmail } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { bookingsOf, pageOf, typed } from './event-pages.ts'
import { AT, mailsTo } from './mail.ts'
import { send } from './own-pages.ts'
import { bodyOf, book, type Calendar, clock, createCalendar, newAddress, visitor } from './world.ts'

const PATH = '/api/book/verify-email'
const asks = { requires_booker_email_verification: true }
const LATER = '2027-03-01T12:10:00.000Z'

const ask = (eventTypeId: number, email: string, now?: string) =>
  visitor.post(
    PATH,
    { eventTypeId, email },
    { ...clock, ...(now ? { 'x-test-now': now } : {}), 'x-test-client': newAddress() },
  )

/** The code of the newest e-mail to an address. */
const codeFor = async (email: string, count = 1): Promise<string> =>
  /Code: (\d{6})/.exec((await mailsTo(email, count))[0]!.text ?? '')![1]!

/** Another code than the one given. */
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const withCode = (id: number, email: string, start: string, verificationCode?: string) => ({
  ...bodyOf(id, start),
  responses: { name: 'Zoe', email },
  ...(verificationCode === undefined ? {} : { verificationCode }),
})

let calendar: Calendar
let id: number
beforeAll(async () => {
  calendar = await createCalendar(asks)
  id = calendar.eventTypeId
})

describe('POST /api/book/verify-email', () => {
  test('200 alike for every address, and one e-mail a minute with the same code', async () => {
    const email = newEmail()
    const answers = [
      await ask(id, email),
      await ask(id, email.toUpperCase()),
      await ask(id, newEmail()),
    ]
    for (const { status, body } of answers)
      expect([status, body.data]).toEqual([200, { expiresInSeconds: 600 }])
    const code = await codeFor(email)
    await ask(id, email, '2027-03-01T12:02:00.000Z')
    expect(await codeFor(email, 2)).toBe(code)
  })

  test('422 for an event type that asks for none, or no address; 404 for none', async () => {
    const other = await createCalendar()
    const refused = await ask(other.eventTypeId, newEmail())
    expect(refused.status).toBe(422)
    expect(refused.body.details).toMatchObject([{ field: 'eventTypeId' }])
    expect((await ask(id, 'nobody')).status).toBe(422)
    expect((await ask(2_000_000_000, newEmail())).status).toBe(404)
  })

  test('the code is kept nowhere', async () => {
    const email = newEmail()
    await ask(id, email)
    const code = await codeFor(email)
    const sql = `select (select json_agg(c) from booking_codes c where email = $1)::text
      || (select json_agg(m.data) from messages m where recipient = $1)::text as kept`
    const [row] = await queryDatabase<{ kept: string }>(sql, [email])
    expect(row!.kept).toContain('nonce')
    expect(row!.kept).not.toContain(`"${code}"`)
  })
})

describe('POST /api/book/event of an event type that asks for a code', () => {
  test.each([
    ['/api/book/event', 1],
    ['/api/book/instant-event', 1],
    ['/api/book/recurring-event', 2],
  ])('422 without a code or with a wrong one at %s; 201 with the right one', async (path, day) => {
    const email = newEmail()
    const start = `2027-03-0${day + 2}T19:00:00.000Z`
    await ask(id, email)
    const code = await codeFor(email)
    const post = (given?: string) => {
      const body = withCode(id, email, start, given)
      return book(path.includes('recurring') ? [body] : body, path)
    }
    for (const given of [undefined, wrong(code)]) {
      const { status, body } = await post(given)
      expect(status).toBe(422)
      expect(body.details).toMatchObject([{ field: 'verificationCode' }])
    }
    expect((await post(code)).status).toBe(201)
  })

  test('422 with the code of another address, or of another event type', async () => {
    const [one, two] = [newEmail(), newEmail()]
    const other = await createCalendar(asks)
    await ask(id, one)
    const code = await codeFor(one)
    await ask(id, two)
    await ask(other.eventTypeId, one)
    expect((await book(withCode(id, two, AT, code))).status).toBe(422)
    expect((await book(withCode(other.eventTypeId, one, AT, code))).status).toBe(422)
  })

  test('422 with the right code after five wrong ones, also when it is asked for again', async () => {
    const email = newEmail()
    await ask(id, email)
    const code = await codeFor(email)
    const tries = Array.from({ length: 5 }, () => book(withCode(id, email, AT, wrong(code))))
    for (const { status } of await Promise.all(tries)) expect(status).toBe(422)
    await ask(id, email, '2027-03-01T12:02:00.000Z')
    expect((await book(withCode(id, email, AT, code))).status).toBe(422)
    await ask(id, email, LATER)
    const fresh = await codeFor(email, 2)
    const headers = { 'x-test-now': LATER, 'x-test-client': newAddress() }
    const booked = await visitor.post('/api/book/event', withCode(id, email, AT, fresh), headers)
    expect(booked.status).toBe(201)
  })

  test('422 with a code that is ten minutes old', async () => {
    const email = newEmail()
    await ask(id, email)
    const body = withCode(id, email, '2027-03-04T16:00:00.000Z', await codeFor(email))
    const at = (now: string) =>
      visitor.post('/api/book/event', body, { 'x-test-now': now, 'x-test-client': newAddress() })
    expect((await at(LATER)).status).toBe(422)
    expect((await at('2027-03-01T12:09:59.000Z')).status).toBe(201)
  })
})

describe('/{username}/{slug}/book of an event type that asks for a code', () => {
  test('422 with a field for the code and what was typed; 303 with the code', async () => {
    const page = await createCalendar(asks)
    const fields = typed({ notes: 'Kept' })
    const first = await send(`${pageOf(page)}/book`, fields)
    expect(first.status).toBe(422)
    expect(first.text).toContain('<label for="verificationCode">Code')
    // Asking for it is no reproach.
    expect(first.text).toContain(`enter the code that we sent to ${fields.email}`)
    expect(first.text).toMatch(/name="verificationCode"[^>]*autofocus/)
    for (const reproach of ['aria-invalid', 'role="alert"', 'failed'])
      expect(first.text).not.toContain(reproach)
    for (const kept of ['Kept', fields.email, 'Send the code again'])
      expect(first.text).toContain(kept)
    expect(await bookingsOf(page)).toEqual([])
    const verificationCode = await codeFor(fields.email)
    const off = { ...fields, verificationCode: wrong(verificationCode) }
    expect((await send(`${pageOf(page)}/book`, off)).text).toContain('Is wrong or works no more')
    const again = await send(`${pageOf(page)}/book`, { ...fields, verificationCode, again: '1' })
    expect(again.status).toBe(422)
    const spaced = `${verificationCode.slice(0, 3)} ${verificationCode.slice(3)}`
    const booked = await send(`${pageOf(page)}/book`, { ...fields, verificationCode: spaced })
    expect(booked.status).toBe(303)
    expect(await bookingsOf(page)).toHaveLength(1)
  })
})
