import { expect } from 'vitest'
import type { Message } from '#dev/mailbox.ts'
import { type Body, client, createAccount, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { type OwnPlatform, startOwnPlatform } from '../own-platform.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** When what is booked in these tests begins: a Wednesday morning in New York. */
export const START = Date.parse('2028-05-17T14:00:00Z')

/** A business on a platform whose clock is the test's. */
export interface Place {
  platform: OwnPlatform
  account: TestAccount
  eventTypeId: number
  serviceId: number
  /** A request with the account's key at a moment (milliseconds). */
  call(
    method: 'post' | 'put' | 'patch' | 'del' | 'get',
    path: string,
    at: number,
    body?: object,
  ): Promise<Body>
  /** Books an appointment for a customer of its own, with the owner's key. */
  appoint(
    at: number,
    more?: object,
    person?: object,
  ): Promise<{ id: number; email: string; customerId: number }>
  /** Books an event, as somebody of their own, by default on a day that nobody else has. */
  book(
    at: number,
    more?: object,
  ): Promise<{ id: number; uid: string; email: string; start: number }>
  /** What the minute's jobs do at a moment: queueing, then sending. */
  tick(at: number): Promise<void>
  /** The messages to an address or number, oldest first, but those that confirm, change or cancel. */
  sent(to: string): Message[]
  sql<R extends object = Record<string, string>>(text: string, params?: unknown[]): Promise<R[]>
}

/** An instant as requests say it. */
export const iso = (at: number): string => new Date(at).toISOString()

let people = 0

const NOTICES = /^(Confirmed|Please|Requested|Declined|Changed|Canceled|New booking|A booking)/

/** Starts a platform with one business on it, whose owner works around the clock. */
export async function openPlace(): Promise<Place> {
  const platform = await startOwnPlatform()
  const account = await createAccount('enterprise', { timeZone: 'UTC' }, platform)
  return { platform, ...(await furnish(platform, account)) }
}

async function furnish(
  platform: OwnPlatform,
  account: TestAccount,
): Promise<Omit<Place, 'platform'>> {
  const sql: Place['sql'] = (text, params = []) => queryDatabase(text, params, platform)
  const mine = client(account.apiKey, platform.url)
  const call: Place['call'] = async (method, path, at, body) => {
    const headers = { 'x-test-now': iso(at) }
    const reply = await (method === 'get' || method === 'del'
      ? mine[method](path, headers)
      : mine[method](path, body, headers))
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body
  }
  const now = Date.parse('2028-01-03T12:00:00Z')
  const service = { name: 'Haircut', duration: 60, price: 4500 }
  const serviceId = Number((await call('post', '/api/services/services', now, service)).id)
  const [type] = await sql<{ id: number }>('select id from event_types where account_id = $1', [
    account.accountId,
  ])
  const eventTypeId = type!.id
  await sql('update event_types set minimum_booking_notice = 0 where id = $1', [eventTypeId])
  await sql(
    `update schedules set availability = '[{"days":["Monday","Tuesday","Wednesday","Thursday","Friday","Saturday","Sunday"],"startTime":"00:00","endTime":"23:59"}]' where account_id = $1`,
    [account.accountId],
  )
  return {
    account,
    eventTypeId,
    serviceId,
    call,
    sql,
    async appoint(at, more = {}, person = {}) {
      const email = `p${++people}@example.com`
      const customer = await call('post', '/api/services/customers', at, {
        name: 'Ann Lee',
        email,
        ...person,
      })
      const times = { startTime: iso(START), endTime: iso(START + HOUR) }
      const booked = { serviceId, customerId: customer.id, ...times, ...more }
      const { id } = await call('post', '/api/services/appointments', at, booked)
      return { id: Number(id), email, customerId: Number(customer.id) }
    },
    async book(at, more = {}) {
      const email = `p${++people}@example.com`
      const start = START + people * DAY
      const body = { eventTypeId, start: iso(start), timeZone: 'Europe/Berlin', language: 'en' }
      const responses = { name: 'Bo Ek', email, ...(more as { responses?: object }).responses }
      const made = await call('post', '/api/book/event', at, { ...body, ...more, responses })
      const { id, uid, startTime } = made
      return { id: Number(id), uid: String(uid), email, start: Date.parse(String(startTime)) }
    },
    async tick(at) {
      await platform.fireJob('reminders', new Date(at))
      await platform.fireJob('messages', new Date(at))
    },
    sent: to =>
      platform.mailbox
        .list({ to })
        .filter(m => m.to === to && !NOTICES.test(m.subject ?? ''))
        .reverse(),
  }
}
