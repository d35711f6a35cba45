import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ById } from '#lib/core/schemas.ts'
import {
  createEventType,
  findEventType,
  updateEventType,
} from '#lib/domain/event-types/operations.ts'
import { EventTypeChange, NewEventType } from '#lib/domain/event-types/schema.ts'
import { createOutOfOffice, updateOutOfOffice } from '#lib/domain/out-of-office/operations.ts'
import { NewOutOfOffice, OutOfOfficeChange } from '#lib/domain/out-of-office/schema.ts'
import {
  addTeamMember,
  changeTeamMember,
  createTeam,
  findTeam,
  listTeamMembers,
  removeTeamMember,
} from '#lib/domain/teams/operations.ts'
import {
  NewTeam,
  NewTeamMember,
  TeamMemberChange,
  TeamMemberFilter,
  TeamPlace,
} from '#lib/domain/teams/schema.ts'
import { findColleague } from '#lib/domain/users/operations.ts'
import { queryDatabase } from '../database.ts'
import { type Actor, as, join } from './actors.ts'
import { answer, makeForm, message } from './forms.ts'
import {
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  newAddress,
  setEventType,
  setHosts,
  slotsOf,
  usersOf,
  visitor,
} from './world.ts'

const DAY = '2027-03-03'
const AT = `${DAY}T15:00:00.000Z`
const LATER = '2027-03-04T15:00:00.000Z'

const actorOf = ({ account }: Calendar): Actor => ({ ...account, role: 'owner' })

/** An account whose event type has a host who may be taken away, with their user and the owner's. */
async function stage(columns: Record<string, unknown> = {}) {
  const calendar = await createCalendar(columns)
  const [owner, staff] = (await usersOf(calendar)) as [number, number]
  return { calendar, owner, staff, actor: actorOf(calendar) }
}

/** Deletes the employee that the account's one of the staff is: they are let in no more. */
async function dismiss({ account }: Calendar) {
  const { status } = await account.client.del(
    `/api/services/employees?id=${account.staff.employeeId}`,
  )
  expect(status).toBe(200)
}

/** Takes all of somebody's day. */
const occupy = ({ account }: Calendar, userId: number, day: string) =>
  queryDatabase(
    `insert into occupancies (account_id, person_id, source, source_id, blocked)
     select account_id, person_id, 'offer', 1, tstzrange($3::timestamptz, $3::timestamptz + interval '1 day') from members
     where account_id = $1 and user_id = $2`,
    [account.accountId, userId, `${day}T00:00:00Z`],
  )

const bookedAt = async (calendar: Calendar, start: string, name?: string) =>
  (await book(bodyOf(calendar.eventTypeId, start, name))).body

describe('an event type whose only host was deleted', () => {
  test('offers nothing; 409 for whoever books it, also as an instant meeting or a series', async () => {
    const { calendar, staff } = await stage({
      recurrence: { frequency: 'weekly', interval: 1, occurrences: 4 },
    })
    await setEventType(calendar.eventTypeId, { slug: 'theirs', user_id: staff })
    expect(await slotsOf(calendar, DAY, DAY)).toContain(AT)
    await dismiss(calendar)
    expect(await slotsOf(calendar, DAY, DAY)).toEqual([])
    const body = bodyOf(calendar.eventTypeId, AT)
    expect((await book(body)).status).toBe(409)
    expect((await book({ ...body, _isDryRun: true })).status).toBe(409)
    expect((await book({ ...body, recurringCount: 2 }, '/api/book/recurring-event')).status).toBe(
      409,
    )
    expect((await book(body, '/api/book/instant-event')).status).toBe(409)
  })

  test('keeps what is booked: it can be cancelled, and not be moved', async () => {
    const { calendar, staff } = await stage()
    await setEventType(calendar.eventTypeId, { slug: 'theirs', user_id: staff })
    const { uid } = await bookedAt(calendar, AT)
    await dismiss(calendar)
    const found = await queryDatabase(
      'select h.user_id, b.status from bookings b join booking_hosts h on h.booking_id = b.id where b.uid = $1',
      [uid],
    )
    expect(found).toEqual([{ user_id: staff, status: 'accepted' }])
    const move = { ...bodyOf(calendar.eventTypeId, LATER), rescheduleUid: uid }
    expect((await book(move)).status).toBe(409)
    const headers = { ...clock, 'x-test-client': newAddress() }
    expect((await visitor.post('/api/cancel', { uid }, headers)).status).toBe(200)
  })

  test('is passed over by routing', async () => {
    const { calendar, staff, actor } = await stage()
    await setEventType(calendar.eventTypeId, { slug: 'theirs', user_id: staff })
    const { eventTypeId } = calendar
    const form = await makeForm(actor, {
      routes: [
        { isFallback: true, action: message('Thanks') },
        {
          rule: { and: [{ field: 'size', operator: 'greater', value: 1 }] },
          action: { type: 'eventTypeRedirectUrl', eventTypeId },
        },
      ],
    })
    const typed = { email: 'zoe@example.com', size: 7 }
    const led = async () => (await answer(form.body.id, typed)).body.action?.type
    expect(await led()).toBe('eventTypeRedirectUrl')
    await dismiss(calendar)
    expect(await led()).toBe('customPageMessage')
  })
})

describe('of several hosts one who was deleted', () => {
  test('takes no turns: the others’ time is offered, and they host', async () => {
    const { calendar, owner, staff } = await stage()
    await setHosts(calendar, 'roundRobin', [owner, staff])
    await dismiss(calendar)
    const hosts: unknown[] = []
    for (const hour of [14, 15, 16])
      hosts.push((await bookedAt(calendar, `${DAY}T${hour}:00:00Z`, `T${hour}`)).userId)
    expect(hosts).toEqual([owner, owner, owner])
    expect((await book(bodyOf(calendar.eventTypeId, AT, 'Two'))).status).toBe(409)
    await occupy(calendar, owner, '2027-03-04')
    expect(await slotsOf(calendar, '2027-03-04', '2027-03-04')).toEqual([])
  })

  test('is not asked for by name: 404, as for anybody who is no host', async () => {
    const { calendar, owner, staff } = await stage()
    await setHosts(calendar, 'roundRobin', [owner, staff])
    await dismiss(calendar)
    const body = { ...bodyOf(calendar.eventTypeId, AT), routedTeamMemberIds: [staff] }
    expect((await book(body)).status).toBe(404)
  })

  test('is missing from a collective one, which the others host', async () => {
    const { calendar, owner, staff } = await stage()
    await setHosts(calendar, 'collective', [owner, staff])
    await occupy(calendar, staff, DAY)
    expect(await slotsOf(calendar, DAY, DAY)).toEqual([])
    await dismiss(calendar)
    expect(await slotsOf(calendar, DAY, DAY)).toContain(AT)
    const { id } = await bookedAt(calendar, AT)
    const hosts = await queryDatabase('select user_id from booking_hosts where booking_id = $1', [
      id,
    ])
    expect(hosts).toEqual([{ user_id: owner }])
  })

  test('gives what is booked to the others once it is moved', async () => {
    const { calendar, owner, staff } = await stage()
    await setHosts(calendar, 'roundRobin', [staff])
    const { uid } = await bookedAt(calendar, AT)
    await queryDatabase(
      'insert into event_type_hosts (account_id, event_type_id, user_id) values ($1, $2, $3)',
      [calendar.account.accountId, calendar.eventTypeId, owner],
    )
    await dismiss(calendar)
    const moved = await book({ ...bodyOf(calendar.eventTypeId, LATER), rescheduleUid: uid })
    expect([moved.status, moved.body.userId]).toEqual([201, owner])
  })

  test('is not joined in a meeting with seats; another one begins', async () => {
    const { calendar, owner, staff } = await stage({ seats_per_time_slot: 5 })
    await setHosts(calendar, 'roundRobin', [staff])
    const first = await bookedAt(calendar, AT)
    await queryDatabase(
      'insert into event_type_hosts (account_id, event_type_id, user_id) values ($1, $2, $3)',
      [calendar.account.accountId, calendar.eventTypeId, owner],
    )
    await dismiss(calendar)
    const next = await bookedAt(calendar, AT, 'Next')
    expect(next.userId).toBe(owner)
    expect(next.uid).not.toBe(first.uid)
  })

  test('stands in for nobody, and cannot be asked to', async () => {
    const { calendar, staff, actor } = await stage()
    const away = (start: string, end: string) =>
      as(actor, createOutOfOffice, NewOutOfOffice, { start, end, toUserId: staff })
    const { status, body: made } = await away('2027-03-03T00:00:00Z', '2027-03-04T00:00:00Z')
    expect(status).toBe(200)
    expect((await slotsOf(calendar, DAY, DAY)).length).toBeGreaterThan(0)
    await dismiss(calendar)
    expect(await slotsOf(calendar, DAY, DAY)).toEqual([])
    expect((await away('2027-04-03T00:00:00Z', '2027-04-04T00:00:00Z')).status).toBe(404)
    const absence = ById.extend(OutOfOfficeChange.shape)
    const change = (input: object) =>
      as(actor, updateOutOfOffice, absence, { id: made.id, ...input })
    expect((await change({ notes: 'As it was', toUserId: staff })).status).toBe(200)
    expect((await change({ toUserId: null })).status).toBe(200)
    expect((await change({ toUserId: staff })).status).toBe(404)
  })

  test('is given no event types and absences, and is found by no colleague', async () => {
    const { calendar, staff, actor } = await stage()
    const { email } = calendar.account.staff
    const find = () =>
      as(actor, (m, { who }) => findColleague(m, who), z.object({ who: z.string() }), {
        who: email,
      })
    expect((await find()).body).toBe(staff)
    await dismiss(calendar)
    expect((await find()).body).toBeUndefined()
    const type = { title: 'Call', length: 30, userId: staff }
    expect((await as(actor, createEventType, NewEventType, type)).status).toBe(404)
    const away = { start: '2027-03-03T00:00:00Z', end: '2027-03-04T00:00:00Z', userId: staff }
    expect((await as(actor, createOutOfOffice, NewOutOfOffice, away)).status).toBe(404)
  })
})

describe('in a team, a member who was deleted', () => {
  /** A team of the owner, the one of the staff who is dismissed, and another. */
  async function teamOf(role = 'MEMBER') {
    const made = await stage()
    const { actor, staff, calendar } = made
    const other = await join(actor.accountId, 'staff')
    const { body } = await as(actor, createTeam, NewTeam, { name: 'Support' })
    const teamId = Number(body.id)
    const add = (userId: number, as_?: string) =>
      as(actor, addTeamMember, NewTeamMember, { teamId, userId, role: as_ })
    await add(staff, role)
    await add(other.userId)
    await dismiss(calendar)
    return { ...made, teamId, other, add }
  }

  const usersIn = (items: unknown) => (items as { userId: number }[]).map(u => u.userId)

  test('is not listed or counted, and cannot be added', async () => {
    const { actor, teamId, owner, other, staff, add } = await teamOf()
    const listed = await as(actor, listTeamMembers, TeamMemberFilter, { teamId: String(teamId) })
    expect(usersIn(listed.items)).toEqual([owner, other.userId])
    expect((await as(actor, findTeam, ById, { id: teamId })).body.memberCount).toBe(2)
    const { body } = await as(actor, createTeam, NewTeam, { name: 'Sales' })
    const added = await as(actor, addTeamMember, NewTeamMember, { teamId: body.id, userId: staff })
    expect(added.status).toBe(404)
    expect((await add(staff)).status).toBe(404)
  })

  test('hosts none of its event types: neither those there are nor new ones', async () => {
    const { actor, teamId, owner, other, staff } = await teamOf()
    const input = { title: 'Call', length: 30, teamId }
    const { body } = await as(actor, createEventType, NewEventType, input)
    expect(usersIn(body.hosts)).toEqual([owner, other.userId])
    const change = EventTypeChange.extend({ id: ById.shape.id })
    const named = { id: body.id, hosts: [{ userId: staff }] }
    expect((await as(actor, updateEventType, change, named)).status).toBe(404)
    await queryDatabase(
      'insert into event_type_hosts (account_id, event_type_id, user_id) values ($1, $2, $3)',
      [actor.accountId, body.id, staff],
    )
    const found = await as(actor, findEventType, ById, { id: body.id })
    expect(usersIn(found.body.hosts)).toEqual([owner, other.userId])
    const { hosts } = found.body
    expect((await as(actor, updateEventType, change, { id: body.id, hosts })).status).toBe(200)
  })

  test('is no OWNER of it any more: the last other one stays', async () => {
    const { actor, teamId, owner, other, staff } = await teamOf('OWNER')
    const set = (userId: number, role: string) =>
      as(actor, changeTeamMember, TeamMemberChange, { teamId, userId, role })
    const drop = (userId: number) => as(actor, removeTeamMember, TeamPlace, { teamId, userId })
    expect((await set(owner, 'MEMBER')).status).toBe(409)
    expect((await drop(owner)).status).toBe(409)
    expect((await drop(staff)).status).toBe(404)
    expect((await set(other.userId, 'OWNER')).status).toBe(200)
    expect((await drop(owner)).status).toBe(200)
  })
})
