import { expect } from 'vitest'
import type { Message } from '#dev/mailbox.ts'
import { ownerOf } from '#dev/operator.ts'
import type { Member } from '#lib/core/context.ts'
import { confirmBooking, markNoShow, rejectBooking } from '#lib/domain/bookings/changes.ts'
import { queueDueWorkflows } from '#lib/domain/workflows/clock.ts'
import { createWorkflow, deleteWorkflow, updateWorkflow } from '#lib/domain/workflows/operations.ts'
import { NewWorkflow, WorkflowChange } from '#lib/domain/workflows/schema.ts'
import { type Body, client, createAccount, directly, type TestAccount } from '../client.ts'
import { OPT_OUT, queryDatabase } from '../database.ts'
import type { OwnPlatform } from '../own-platform.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A business on a platform whose clock is the test's. */
export interface Place {
  platform: OwnPlatform
  /** When what is booked here begins, where nothing is said: no other place is near it. */
  start: number
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
  /** Makes, changes or (with null) deletes a workflow of the owner's at a moment. */
  workflow(at: number, input: object): Promise<{ id: number }>
  changeWorkflow(at: number, id: number, change: object | null): Promise<void>
  /** Notes as the owner who did not come to an event booking. */
  noShow(
    at: number,
    who: { id: number; host?: boolean; attendees?: { email: string; noShow: boolean }[] },
  ): Promise<void>
  /** Confirms, as the owner, what waits for their word. */
  confirm(at: number, which: { id: number }): Promise<void>
  /** Turns down, as the owner, what waits for their word. */
  reject(at: number, which: { id: number; reason: string }): Promise<void>
  /** Notes that an address wants no reminders, as the link in an e-mail does. */
  optOut(email: string): Promise<void>
  /** What the minute's jobs do at a moment: queueing, then sending. Looks at all that may be due still. */
  tick(at: number): Promise<void>
  /** The same as the minute's cron does it, which goes on from the end of the last run. */
  pass(at: number): Promise<void>
  /** The messages to an address or number, oldest first, but those that confirm, change or cancel. */
  sent(to: string): Message[]
  sql<R extends object = Record<string, string>>(text: string, params?: unknown[]): Promise<R[]>
}

/** An instant as requests say it. */
export const iso = (at: number): string => new Date(at).toISOString()

/** A day as e-mails write it, in UTC. */
export const dayOf = (at: number): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(at)

let people = 0

const NOTICES = /^(Confirmed|Please|Requested|Declined|Changed|Canceled|New booking|A booking)/

/** Wednesdays, far enough apart that what is due for one place is not for the next. */
const FIRST = Date.parse('2028-05-17T14:00:00Z')
let places = 0

/** Opens a business on a platform, whose owner works around the clock. */
export async function openPlace(platform: OwnPlatform): Promise<Place> {
  const account = await createAccount('enterprise', { timeZone: 'UTC' }, platform)
  const start = FIRST + places++ * 10 * 7 * DAY
  return { platform, ...(await furnish(platform, account, start)) }
}

async function furnish(
  platform: OwnPlatform,
  account: TestAccount,
  start: number,
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
  let booked = 0
  const asOwner = <R>(at: number, work: (m: Member) => Promise<R>) =>
    directly(
      base => work(ownerOf(base, { ...account, plan: 'enterprise' })),
      new Date(at),
      platform,
    )
  const now = start - 40 * DAY
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
    start,
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
      const times = { startTime: iso(start), endTime: iso(start + HOUR) }
      const body = { serviceId, customerId: customer.id, ...times, ...more }
      const { id } = await call('post', '/api/services/appointments', at, body)
      return { id: Number(id), email, customerId: Number(customer.id) }
    },
    async book(at, more = {}) {
      const email = `p${++people}@example.com`
      const next = start + ++booked * DAY
      const body = { eventTypeId, start: iso(next), timeZone: 'Europe/Berlin', language: 'en' }
      const responses = { name: 'Bo Ek', email, ...(more as { responses?: object }).responses }
      const made = await call('post', '/api/book/event', at, { ...body, ...more, responses })
      const { id, uid, startTime } = made
      return { id: Number(id), uid: String(uid), email, start: Date.parse(String(startTime)) }
    },
    async workflow(at, input) {
      const body = NewWorkflow.parse({ name: 'Flow', ...input })
      return asOwner(at, async m => (await createWorkflow(m, body)).read())
    },
    async changeWorkflow(at, id, change) {
      await asOwner<unknown>(at, m =>
        change
          ? updateWorkflow(m, { id, ...WorkflowChange.parse(change) })
          : deleteWorkflow(m, { id }),
      )
    },
    async noShow(at, who) {
      await asOwner(at, m => markNoShow(m, { uid: undefined, ...who }))
    },
    async confirm(at, which) {
      await asOwner(at, m => confirmBooking(m, which))
    },
    async reject(at, which) {
      await asOwner(at, m => rejectBooking(m, which))
    },
    async optOut(email) {
      await sql(OPT_OUT, [account.accountId, email])
    },
    async tick(at) {
      await platform.fireJob('reminders', new Date(at))
      await platform.fireJob('messages', new Date(at))
    },
    async pass(at) {
      await directly(base => queueDueWorkflows(base), new Date(at), platform)
      await platform.fireJob('messages', new Date(at))
    },
    sent: to =>
      platform.mailbox
        .list({ to })
        .filter(m => m.to === to && !NOTICES.test(m.subject ?? ''))
        .reverse(),
  }
}
