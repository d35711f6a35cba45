import { describe, expect, test } from 'vitest'
import { createMember } from '../client.ts'
import { queryDatabase } from '../database.ts'
import {
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  setHosts,
  slotsOf,
  usersOf,
} from './world.ts'

const DAY = '2027-03-03'
const AT = `${DAY}T15:00:00.000Z`
const [NEXT, LAST] = [`${DAY}T15:30:00.000Z`, `${DAY}T16:00:00.000Z`]
const SERIES = '/api/book/recurring-event'

const emailOf = async (userId: number) =>
  (await queryDatabase<{ email: string }>('select email from users where id = $1', [userId]))[0]!
    .email

const fix = (userId: number) =>
  queryDatabase('update event_type_hosts set is_fixed = true where user_id = $1', [userId])

/** Who hosts what an account has, in the order of the starts. */
const hostsOf = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ ids: number[] }>(
      `select array_agg(h.user_id order by h.user_id) as ids from bookings b
         join booking_hosts h on h.account_id = b.account_id and h.booking_id = b.id
       where b.account_id = $1 group by b.id, b.start_time order by b.start_time, b.id`,
      [account.accountId],
    )
  ).map(row => row.ids)

/** An event type whose three hosts take turns, and their ids. */
async function createTeam(columns: Record<string, unknown> = {}) {
  const calendar = await createCalendar(columns)
  await createMember(calendar.account.accountId, 'manager')
  const [a, b, c] = (await usersOf(calendar)) as [number, number, number]
  await setHosts(calendar, 'roundRobin', [a, b, c])
  const ask = (start: string, more: object, name = 'Zoe') =>
    book(bodyOf(calendar.eventTypeId, start, name, more))
  return { calendar, ask, a, b, c }
}

const NOBODY = {
  status: 404,
  body: { error: 'NOT_FOUND', message: 'Host does not exist' },
}

describe('POST /api/book/event', () => {
  test('201 with the host whom teamMemberEmail names, in any case, as long as they are free', async () => {
    const { calendar, ask, b } = await createTeam()
    const teamMemberEmail = (await emailOf(b)).toUpperCase()
    for (const start of [AT, NEXT, LAST])
      expect((await ask(start, { teamMemberEmail })).body.userId).toBe(b)
    const taken = await ask(AT, { teamMemberEmail }, 'Yan')
    expect([taken.status, taken.body.details]).toMatchObject([409, [{ field: 'start' }]])
    const others = await ask(AT, {}, 'Yan')
    expect(others.body.userId).not.toBe(b)
    expect(await hostsOf(calendar)).toHaveLength(4)
  })

  test('201 with those whom routedTeamMemberIds names, in turn', async () => {
    const { ask, b, c } = await createTeam()
    const starts = [0, 1, 2, 3].map(n => `${DAY}T${15 + n}:00:00Z`)
    const hosts: unknown[] = []
    for (const start of starts)
      hosts.push((await ask(start, { routedTeamMemberIds: [c, b] })).body.userId)
    expect(hosts).toEqual([b, c, b, c])
  })

  test('201 with the hosts who are always there as well', async () => {
    const { calendar, ask, a, c } = await createTeam()
    await fix(a)
    expect((await ask(AT, { routedTeamMemberIds: [c] })).status).toBe(201)
    expect((await ask(NEXT, { routedTeamMemberIds: [a] })).status).toBe(201)
    expect(await hostsOf(calendar)).toEqual([[a, c], [a]])
  })

  test('201 with all of a collective event type, whoever is named', async () => {
    const { calendar, ask, a, b, c } = await createTeam()
    await queryDatabase(`update event_types set scheduling_type = 'collective' where id = $1`, [
      calendar.eventTypeId,
    ])
    expect((await ask(AT, { routedTeamMemberIds: [c] })).status).toBe(201)
    expect(await hostsOf(calendar)).toEqual([[a, b, c]])
  })

  test('201 by the address where both are given; by the ids with skipContactOwner', async () => {
    const { ask, b, c } = await createTeam()
    const both = { teamMemberEmail: await emailOf(b), routedTeamMemberIds: [c] }
    expect((await ask(AT, both)).body.userId).toBe(b)
    expect((await ask(AT, { ...both, skipContactOwner: true }, 'Yan')).body.userId).toBe(c)
  })

  test('404 naming who is no host, and nothing is booked', async () => {
    const { calendar, ask, b } = await createTeam()
    const stranger = await createCalendar()
    const email = await ask(AT, { teamMemberEmail: 'nobody@example.com' })
    expect(email).toMatchObject(NOBODY)
    expect(email.body.details).toMatchObject([{ field: 'teamMemberEmail' }])
    const ids = await ask(AT, { routedTeamMemberIds: [b, stranger.account.userId] })
    expect(ids).toMatchObject(NOBODY)
    expect(ids.body.details).toMatchObject([{ field: 'routedTeamMemberIds.1' }])
    expect(await hostsOf(calendar)).toEqual([])
  })

  test('201 for a seat with the one who is named, in no meeting of another', async () => {
    const { calendar, ask, a, b } = await createTeam({ seats_per_time_slot: 3 })
    expect((await ask(AT, { routedTeamMemberIds: [b] }, 'Ann')).body.userId).toBe(b)
    const joined = await ask(AT, { routedTeamMemberIds: [b] }, 'Bob')
    const other = await ask(AT, { routedTeamMemberIds: [a] }, 'Cleo')
    expect([joined.status, other.status, other.body.userId]).toEqual([201, 201, a])
    expect(joined.body.id).not.toBe(other.body.id)
    expect(await hostsOf(calendar)).toEqual([[b], [a]])
  })

  test('409 to move a booking while somebody else is named than its host', async () => {
    const { ask, a, b } = await createTeam()
    const { body } = await ask(AT, { routedTeamMemberIds: [b] })
    const move = { rescheduleUid: body.uid }
    const moved = await ask(NEXT, { ...move, routedTeamMemberIds: [a] })
    expect(moved.status).toBe(409)
    expect((await ask(NEXT, { ...move, routedTeamMemberIds: [b] })).body.userId).toBe(b)
  })
})

describe('GET /api/extension/slots', () => {
  test('200 with the starts of those who are named, which are those that can be booked', async () => {
    const { calendar, ask, a, b } = await createTeam()
    await ask(AT, { routedTeamMemberIds: [b] })
    const slots = (more: string) => slotsOf(calendar, DAY, DAY, more)
    const email = encodeURIComponent(await emailOf(b))
    expect(await slots('')).toContain(AT)
    for (const named of [`&teamMemberEmail=${email}`, `&routedTeamMemberIds=${b}`]) {
      const listed = await slots(named)
      expect([listed.includes(AT), listed.includes(NEXT)]).toEqual([false, true])
    }
    for (const named of [`=${a},${b}`, `=${a}&routedTeamMemberIds=${b}`])
      expect(await slots(`&routedTeamMemberIds${named}`)).toContain(AT)
  })

  test('404 for somebody who is no host, 400 for what is no number', async () => {
    const { calendar } = await createTeam()
    const { client } = calendar.account
    const path = `/api/extension/slots?eventTypeId=${calendar.eventTypeId}&start=${DAY}&end=${DAY}`
    const email = await client.get(`${path}&teamMemberEmail=nobody@example.com`, clock)
    expect(email).toMatchObject(NOBODY)
    expect(await client.get(`${path}&routedTeamMemberIds=2147483647`, clock)).toMatchObject(NOBODY)
    const wrong = await client.get(`${path}&routedTeamMemberIds=1,x`, clock)
    expect([wrong.status, wrong.body.details]).toMatchObject([
      400,
      [{ field: 'routedTeamMemberIds.1' }],
    ])
  })
})

describe('POST /api/book/recurring-event', () => {
  test('201 with the host who is named on all dates; 422 for one on some', async () => {
    const { calendar, b, c } = await createTeam()
    const bodies = (named: object[]) =>
      named.map((more, n) => bodyOf(calendar.eventTypeId, `2027-03-0${n + 3}T15:00:00Z`, 'Z', more))
    const teamMemberEmail = await emailOf(c)
    expect((await book(bodies([{ teamMemberEmail }, {}]), SERIES)).status).toBe(201)
    expect(await hostsOf(calendar)).toEqual([[c], [c]])
    const apart = await book(
      bodies([{ routedTeamMemberIds: [b] }, { routedTeamMemberIds: [c] }]),
      SERIES,
    )
    expect([apart.status, apart.body.details]).toMatchObject([
      422,
      [{ field: '1.routedTeamMemberIds' }],
    ])
  })
})
