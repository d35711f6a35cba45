import { beforeAll, describe, expect, it } from 'vitest'
import { ById } from '#lib/core/schemas.ts'
import {
  createEventType,
  duplicateEventType,
  findEventType,
  listEventTypes,
  updateEventType,
} from '#lib/domain/event-types/operations.ts'
import {
  Duplicate,
  EventTypeChange,
  EventTypeFilter,
  NewEventType,
} from '#lib/domain/event-types/schema.ts'
import {
  addTeamMember,
  changeTeamMember,
  createTeam,
  deleteTeam,
  findTeam,
  listTeamMembers,
  listTeams,
  removeTeamMember,
  updateTeam,
} from '#lib/domain/teams/operations.ts'
import {
  NewTeam,
  NewTeamMember,
  TeamChange,
  TeamFilter,
  TeamMemberChange,
  TeamMemberFilter,
  TeamPlace,
} from '#lib/domain/teams/schema.ts'
import { queryDatabase } from '../database.ts'
import { type Actor, type Actors, as, join, makeActors } from './actors.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const make = (who: Actor, input: object = {}) =>
  as(who, createTeam, NewTeam, { name: 'Support', ...input })
const find = (who: Actor, id: unknown) => as(who, findTeam, ById, { id })
const change = (who: Actor, id: unknown, input: object) =>
  as(who, updateTeam, TeamChange.extend({ id: ById.shape.id }), { id, ...input })
const remove = (who: Actor, id: unknown) => as(who, deleteTeam, ById, { id })
const list = async (who: Actor) => (await as(who, listTeams, TeamFilter)).items
const add = (who: Actor, teamId: unknown, user: Actor, role?: string) =>
  as(who, addTeamMember, NewTeamMember, { teamId, userId: user.userId, role })
const promote = (who: Actor, teamId: unknown, user: Actor, role: string) =>
  as(who, changeTeamMember, TeamMemberChange, { teamId, userId: user.userId, role })
const drop = (who: Actor, teamId: unknown, user: Actor) =>
  as(who, removeTeamMember, TeamPlace, { teamId, userId: user.userId })
const membersOf = (who: Actor, teamId: unknown) =>
  as(who, listTeamMembers, TeamMemberFilter, { teamId: String(teamId) })
const offer = (who: Actor, input: object) =>
  as(who, createEventType, NewEventType, { title: 'Call', length: 30, ...input })
const userIds = (list: unknown) => (list as { userId: number }[]).map(m => m.userId)

/** A team with its owner, an admin and a plain member, both of whom are staff. */
async function makeTeam(input: object = {}) {
  const { owner } = actors
  const { body } = await make(owner, input)
  const [admin, plain] = [
    await join(owner.accountId, 'staff'),
    await join(owner.accountId, 'staff'),
  ]
  await add(owner, body.id, admin, 'ADMIN')
  await add(owner, body.id, plain)
  return { id: Number(body.id), admin, plain }
}

describe('create, change and delete a team', () => {
  it('200 with the maker as its OWNER, in the company’s zone', async () => {
    const { status, body } = await make(actors.manager, { name: 'Sales & Co' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Sales & Co',
      slug: 'sales-co',
      timeZone: 'America/New_York',
      weekStart: 'Sunday',
      isPrivate: false,
      memberCount: 1,
    })
    expect((await membersOf(actors.manager, body.id)).items).toMatchObject([
      {
        teamId: body.id,
        userId: actors.manager.userId,
        role: 'OWNER',
        user: { name: 'A manager' },
      },
    ])
    expect((await make(actors.manager, { name: 'Sales & Co' })).body.slug).toBe('sales-co-2')
    expect((await make(actors.manager, { slug: 'Sales Co' })).status).toBe(409)
  })

  it('200 and what is left out stays; weekdays by name or number', async () => {
    const { body } = await make(actors.owner, { slug: 'to-change', weekStart: 1, bio: 'Us' })
    expect(body.weekStart).toBe('Monday')
    const changed = await change(actors.owner, body.id, { name: 'New', weekStart: 'saturday' })
    expect(changed.body).toMatchObject({
      name: 'New',
      slug: 'to-change',
      weekStart: 'Saturday',
      bio: 'Us',
    })
    expect((await change(actors.owner, body.id, { weekStart: 7 })).status).toBe(422)
    expect((await remove(actors.owner, body.id)).body).toEqual({ id: body.id, deleted: true })
    expect((await find(actors.owner, body.id)).status).toBe(404)
  })

  it('403 for staff who make one, 404 for those who are not in it', async () => {
    const { staff } = actors
    const made = await make(staff)
    expect([made.status, made.body.message]).toEqual([
      403,
      'Your role "staff" lacks the permission calendar.write',
    ])
    const { id, admin, plain } = await makeTeam()
    expect((await find(staff, id)).status).toBe(404)
    expect((await membersOf(staff, id)).status).toBe(404)
    expect((await find(plain, id)).status).toBe(200)
    expect((await list(plain)).map(t => t.id)).toEqual([id])
    expect((await change(plain, id, { name: 'X' })).status).toBe(403)
    expect((await change(admin, id, { name: 'Ours' })).body.name).toBe('Ours')
    expect((await remove(admin, id)).status).toBe(403)
  })
})

describe('members of a team', () => {
  it('409 for who is in it already, 404 for a user of another account', async () => {
    const { id, plain } = await makeTeam()
    const { owner, stranger } = actors
    expect((await add(owner, id, plain)).body.details).toEqual([
      { field: 'userId', message: 'This user is a member of the team already' },
    ])
    expect((await add(owner, id, stranger)).body.message).toBe('User does not exist')
    expect((await promote(owner, id, stranger, 'ADMIN')).body.message).toBe(
      'Team member does not exist',
    )
    expect((await drop(owner, id, stranger)).status).toBe(404)
  })

  it('403 for an ADMIN who makes, unmakes or removes an OWNER', async () => {
    const { id, admin, plain } = await makeTeam()
    const { owner, staff } = actors
    expect((await add(admin, id, staff, 'OWNER')).status).toBe(403)
    expect((await promote(admin, id, admin, 'OWNER')).status).toBe(403)
    expect((await promote(admin, id, owner, 'MEMBER')).status).toBe(403)
    expect((await drop(admin, id, owner)).status).toBe(403)
    expect((await add(plain, id, staff)).status).toBe(403)
    expect((await promote(admin, id, plain, 'ADMIN')).body.role).toBe('ADMIN')
  })

  it('409 when the last OWNER leaves or steps down, also two at once', async () => {
    const { id, admin, plain } = await makeTeam()
    const { owner } = actors
    expect((await drop(owner, id, owner)).body.message).toContain('needs an owner')
    expect((await promote(owner, id, owner, 'ADMIN')).status).toBe(409)
    expect((await drop(plain, id, plain)).status).toBe(200)
    expect((await promote(owner, id, admin, 'OWNER')).body.role).toBe('OWNER')
    for (let round = 0; round < 8; round++) {
      const both = await Promise.all([
        promote(owner, id, owner, 'MEMBER'),
        promote(owner, id, admin, 'MEMBER'),
      ])
      expect(both.map(r => r.status).sort()).toEqual([200, 409])
      for (const user of [owner, admin]) await promote(owner, id, user, 'OWNER')
    }
  })

  it('200 and a private team shows its plain members themselves alone', async () => {
    const { id, admin, plain } = await makeTeam({ isPrivate: true })
    expect(userIds((await membersOf(plain, id)).items)).toEqual([plain.userId])
    expect((await membersOf(admin, id)).items).toHaveLength(3)
    expect((await membersOf(actors.manager, id)).items).toHaveLength(3)
  })
})

describe('event types of a team', () => {
  it('200 and all members host it where nobody is named', async () => {
    const { id, admin, plain } = await makeTeam()
    const { status, body } = await offer(actors.manager, { teamId: id })
    expect(status).toBe(200)
    expect(body).toMatchObject({ userId: null, teamId: id, schedulingType: 'roundRobin' })
    expect(userIds(body.hosts)).toEqual([actors.owner.userId, admin.userId, plain.userId])
    const [first] = body.hosts as never as object[]
    expect(first).toMatchObject({ isFixed: false, weight: 100, priority: 2, scheduleId: null })
  })

  it('200 with the hosts that are named; who leaves the team hosts no more', async () => {
    const { id, admin, plain } = await makeTeam()
    const hosts = [
      { userId: admin.userId, isFixed: true, weight: 100, priority: 2, scheduleId: null },
      { userId: plain.userId, isFixed: false, weight: 50, priority: 4, scheduleId: null },
    ]
    const { body } = await offer(actors.owner, { teamId: id, schedulingType: 'collective', hosts })
    expect(body).toMatchObject({ schedulingType: 'collective', hosts })
    await drop(actors.owner, id, plain)
    const left = (await as(actors.owner, findEventType, ById, { id: body.id })).body.hosts
    expect(userIds(left)).toEqual([admin.userId])
  })

  it('404 for a host who is not in the team, and for hours that are not theirs', async () => {
    const { id, admin } = await makeTeam()
    const { owner, staff } = actors
    const outside = await offer(owner, { teamId: id, hosts: [{ userId: staff.userId }] })
    expect([outside.status, outside.body.message]).toEqual([404, 'Team member does not exist'])
    const [{ id: scheduleId } = { id: '0' }] = await queryDatabase(
      `select id from schedules where user_id = ${owner.userId}`,
    )
    const hosts = [{ userId: admin.userId, scheduleId: Number(scheduleId) }]
    expect((await offer(owner, { teamId: id, hosts })).body.message).toBe('Schedule does not exist')
    const twice = [{ userId: admin.userId }, { userId: admin.userId }]
    expect((await offer(owner, { teamId: id, hosts: twice })).body.details).toEqual([
      { field: 'hosts.1.userId', message: 'stands here twice' },
    ])
  })

  it('200 and a newcomer is credited with what their weight is due; others keep their turns', async () => {
    const { id, admin, plain } = await makeTeam()
    const { owner } = actors
    const two = [{ userId: owner.userId }, { userId: admin.userId, weight: 300 }]
    const { body } = await offer(owner, { teamId: id, hosts: two })
    const Change = EventTypeChange.safeExtend({ id: ById.shape.id })
    const set = `update event_type_hosts set assigned = `
    const where = ` where event_type_id = ${body.id} and user_id = `
    await queryDatabase(`${set}10${where}${owner.userId}`)
    await queryDatabase(`${set}30${where}${admin.userId}`)
    const three = [...two, { userId: plain.userId, weight: 200 }]
    await as(owner, updateEventType, Change, { id: body.id, hosts: three })
    const counts = await queryDatabase(
      `select assigned, calibration from event_type_hosts where event_type_id = ${body.id}
        order by user_id`,
    )
    expect(counts).toEqual([
      { assigned: 10, calibration: 0 },
      { assigned: 30, calibration: 0 },
      { assigned: 0, calibration: 20 },
    ])
  })

  it('are its ADMINs’ to make and change, and its members’ to see', async () => {
    const { id, admin, plain } = await makeTeam()
    const { staff } = actors
    const made = await offer(admin, { teamId: id })
    expect(made.status).toBe(200)
    expect((await offer(plain, { teamId: id })).status).toBe(403)
    expect((await offer(staff, { teamId: id })).body.message).toBe('Team does not exist')
    const Change = EventTypeChange.safeExtend({ id: ById.shape.id })
    const input = { id: made.body.id, title: 'Ours' }
    expect((await as(plain, updateEventType, Change, input)).status).toBe(403)
    expect((await as(staff, updateEventType, Change, input)).status).toBe(404)
    expect((await as(admin, updateEventType, Change, input)).body.title).toBe('Ours')
    const seen = await as(plain, listEventTypes, EventTypeFilter, { teamId: String(id) })
    expect(seen.items.map(t => t.id)).toEqual([made.body.id])
  })

  it('200 and a copy may go to a team, hosted by all its members', async () => {
    const { id, admin, plain } = await makeTeam()
    const { owner, staff } = actors
    const mine = await offer(admin, { title: 'Mine', slug: 'mine' })
    const input = { id: mine.body.id, slug: 'ours', title: 'Ours', teamId: id }
    const made = await as(admin, duplicateEventType, Duplicate, input)
    expect(made.body).toMatchObject({ userId: null, teamId: id, schedulingType: 'roundRobin' })
    expect(userIds(made.body.hosts)).toEqual([owner.userId, admin.userId, plain.userId])
    const own = await offer(staff, { title: 'Mine', slug: 'mine' })
    const foreign = { ...input, id: own.body.id }
    expect((await as(staff, duplicateEventType, Duplicate, foreign)).body.message).toBe(
      'Team does not exist',
    )
  })

  it('404 for a team of another account', async () => {
    const { id } = await makeTeam()
    const { owner, stranger } = actors
    for (const { status } of [
      await find(stranger, id),
      await change(stranger, id, { name: 'X' }),
      await add(stranger, id, stranger),
      await drop(stranger, id, stranger),
      await membersOf(stranger, id),
      await offer(stranger, { teamId: id }),
      await remove(stranger, id),
    ])
      expect(status).toBe(404)
    expect((await find(owner, id)).body.memberCount).toBe(3)
  })
})
