import { ownerOf } from '#dev/operator.ts'
import type { Member } from '#lib/core/context.ts'
import { client, createAccount, directly, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'

/** The moment of these tests: a Monday morning in New York. */
export const NOW = '2027-03-01T12:00:00.000Z'
export const clock = { 'x-test-now': NOW }
export const visitor = client()

/** An account with one event type, 30 minutes, of its owner. */
export interface Calendar {
  account: TestAccount
  eventTypeId: number
}

/** An account and its event type, with columns of the event type set as given. */
export async function createCalendar(columns: Record<string, unknown> = {}): Promise<Calendar> {
  const account = await createAccount('enterprise')
  const [row] = await queryDatabase<{ id: number }>(
    'select id from event_types where account_id = $1 and user_id = $2',
    [account.accountId, account.userId],
  )
  const eventTypeId = row!.id
  await setEventType(eventTypeId, columns)
  return { account, eventTypeId }
}

/** Sets columns of an event type. */
export async function setEventType(id: number, columns: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(columns))
    await queryDatabase(`update event_types set ${name} = $2 where id = $1`, [id, value])
}

/** The users of an account, the owner first, all of them in New York. */
export async function usersOf({ account }: Calendar): Promise<number[]> {
  const { accountId } = account
  await queryDatabase(`update schedules set time_zone = 'America/New_York' where account_id = $1`, [
    accountId,
  ])
  const rows = await queryDatabase<{ id: number }>(
    `select user_id as id from members where account_id = $1 order by role <> 'owner', user_id`,
    [accountId],
  )
  return rows.map(r => r.id)
}

/** Makes an event type's users its hosts, who take turns or are all there. */
export async function setHosts(
  { account, eventTypeId }: Calendar,
  schedulingType: 'roundRobin' | 'collective',
  userIds: readonly number[],
): Promise<void> {
  const [team] = await queryDatabase<{ id: number }>(
    `insert into teams (account_id, name, slug, time_zone, created_at, updated_at)
     values ($1, 'Team', 'team', 'UTC', now(), now()) returning id`,
    [account.accountId],
  )
  await setEventType(eventTypeId, { scheduling_type: schedulingType })
  await queryDatabase('update event_types set user_id = null, team_id = $2 where id = $1', [
    eventTypeId,
    team!.id,
  ])
  for (const userId of userIds)
    await queryDatabase(
      'insert into event_type_hosts (account_id, event_type_id, user_id) values ($1, $2, $3)',
      [account.accountId, eventTypeId, userId],
    )
}

/** The body of a booking at an instant. */
export const bodyOf = (eventTypeId: number, start: string, name = 'Zoe', extra: object = {}) => ({
  eventTypeId,
  start,
  responses: { name, email: `${name.toLowerCase()}@example.com` },
  timeZone: 'Europe/Berlin',
  language: 'en',
  ...extra,
})

/** Books as a visitor from an address of its own, so that limits do not bite. */
export const book = (body: object, path = '/api/book/event') =>
  visitor.post(path, body, { ...clock, 'x-test-client': newAddress() })

let addresses = 0
/** An address that no other request comes from. */
export const newAddress = (): string => {
  addresses++
  return `10.9.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
}

/** Does something as the owner of an account, at a moment. */
export const asOwner = <R>(
  { account }: Calendar,
  work: (m: Member) => Promise<R>,
  now = NOW,
): Promise<R> =>
  directly(base => work(ownerOf(base, { ...account, plan: 'enterprise' })), new Date(now))

/** The types of the events about an account's bookings, oldest first. */
export const eventsOf = async ({ account }: Calendar): Promise<string[]> =>
  (
    await queryDatabase<{ type: string }>(
      `select type from events where account_id = $1 and subject = 'booking' order by id`,
      [account.accountId],
    )
  ).map(e => e.type)

/** The starts that are offered between two days, both included, as UTC instants in order. */
export async function slotsOf(
  { account, eventTypeId }: Calendar,
  start: string,
  end: string,
  more = '',
): Promise<string[]> {
  const path = `/api/extension/slots?eventTypeId=${eventTypeId}&start=${start}&end=${end}${more}`
  const { status, body, text } = await account.client.get(path, clock)
  if (status !== 200) throw new Error(text)
  const days = body.data as unknown as Record<string, { start: string }[]>
  return Object.values(days)
    .flat()
    .map(slot => new Date(slot.start).toISOString())
}
