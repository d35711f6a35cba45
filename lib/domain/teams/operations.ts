import { teamMembers, teams } from '#drizzle/schema/calendar.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { removal } from '#lib/core/crud.ts'
import { notFound } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { WEEKDAYS } from '#lib/core/schemas.ts'
import { freeSlug, slugify } from '#lib/core/text.ts'
import { lister } from '#lib/db/list.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { companyZone } from '#lib/domain/company/operations.ts'
import {
  changeRole,
  dropHosting,
  dropMember,
  lockTeam,
  newestTeam,
  newTeamRecord,
  requireOtherOwner,
  type TeamFacts,
  teamFacts,
  teamList,
  teamMemberList,
  teamMemberRecord,
  teamRecord,
  teamSlugs,
} from './queries.ts'
import { ownFilter, ownUser, requireManaged, requireUser } from './reach.ts'
import type {
  NewTeam,
  NewTeamMember,
  Team,
  TeamChange,
  TeamFilter,
  TeamMember,
  TeamMemberChange,
  TeamMemberFilter,
  TeamPlace,
} from './schema.ts'

const page = lister<Team>(teamList)
const memberPage = lister<TeamMember>(teamMemberList)
const SLUG_TAKEN = new Set(['teams_slug'])
const NONE = new Set<string>()

/** The teams that a member sees: all of them, or those they are in. */
export const listTeams = async (m: Member, filter: TeamFilter): Promise<Page<Team>> =>
  page(m.tenant, { ...filter, own: ownFilter(m) })

/**
 * One team.
 * @throws NOT_FOUND when it does not exist, or the member does not see it
 */
export async function findTeam(m: Member, { id }: { id: number }): Promise<Json<Team>> {
  return existing(await m.tenant.text(teamRecord, { id, own: ownUser(m, 'calendar.read') }), 'Team')
}

const weekday = (name: Team['weekStart'] | undefined): number | undefined =>
  name && WEEKDAYS.indexOf(name)

/**
 * Makes a team, with the member as its OWNER.
 * @throws CONFLICT when `slug` is given and taken
 */
export async function createTeam(m: Member, input: NewTeam): Promise<Json<Team>> {
  requirePermission(m, 'calendar.write')
  const { slug: chosen, weekStart, ...columns } = input
  const base = slugify(chosen ?? input.name)
  return lookingAgain(chosen === undefined ? SLUG_TAKEN : NONE, async () => {
    const taken = chosen === undefined ? await m.tenant.read(teamSlugs, { base }) : []
    const at = m.now.toISOString()
    const write = m.tenant.write('team.create')
    write.insert(teams, {
      ...columns,
      slug: freeSlug(base, taken),
      weekStart: weekday(weekStart),
      timeZone: input.timeZone ?? companyZone(m.accountId),
      createdAt: at,
      updatedAt: at,
    })
    const { userId } = m
    write.insert(teamMembers, { teamId: newestTeam, userId, role: 'OWNER', createdAt: at })
    return write.commit(write.answer(newTeamRecord, {}))
  })
}

/**
 * A team that the member may change: else 404, or 403 when they see it. `theirId` is the member of
 * the team who is to be changed.
 */
async function changeable(
  m: Member,
  id: number,
  theirId: number | null = null,
): Promise<TeamFacts> {
  const own = ownUser(m, 'calendar.write')
  const found = await m.tenant.read(teamFacts, { id, own, userId: m.userId, theirId })
  const facts = found ?? notFound('Team')
  requireManaged(m, own === null || (facts.role !== null && facts.role !== 'MEMBER'))
  return facts
}

/**
 * Changes a team; what is left out stays. Its ADMINs and OWNERs may, and who has `calendar.write`.
 * @throws CONFLICT when the slug is taken
 */
export async function updateTeam(
  m: Member,
  { id, slug, weekStart, ...columns }: TeamChange & { id: number },
): Promise<Json<Team>> {
  await changeable(m, id)
  const write = m.tenant.write('team.update', id)
  const named = slug === undefined ? {} : { slug: slugify(slug) }
  const change = { ...columns, ...named, weekStart: weekday(weekStart) }
  write.change(teams, id, { ...change, updatedAt: m.now.toISOString() }, 'teams_gone')
  return write.commit(write.answer(teamRecord, { id, own: null }))
}

/** Deletes a team with its event types, whose bookings stay, and its forms. */
export async function deleteTeam(m: Member, { id }: { id: number }): Promise<Deleted> {
  requireOwnership(m, await changeable(m, id))
  const write = m.tenant.write('team.delete', id)
  write.run(removal(teams), { id })
  return write.commit({ id, deleted: true })
}

/** Requires what only a team's OWNERs may do, and who has `calendar.write`. */
function requireOwnership(m: Member, { role }: TeamFacts): void {
  if (role !== 'OWNER') requirePermission(m, 'calendar.write')
}

/** The members of a team. In a private one its plain members see themselves alone. */
export async function listTeamMembers(
  m: Member,
  filter: TeamMemberFilter,
): Promise<Page<TeamMember>> {
  const own = ownUser(m, 'calendar.read')
  const asked = { id: filter.teamId, own, userId: m.userId, theirId: null }
  const { role, isPrivate } = (await m.tenant.read(teamFacts, asked)) ?? notFound('Team')
  const isShown = own === null || !isPrivate || role !== 'MEMBER'
  return memberPage(m.tenant, { ...filter, self: isShown ? undefined : m.userId })
}

/**
 * Takes a user of the account into a team.
 * @throws CONFLICT when they are in it; NOT_FOUND when they left; FORBIDDEN for an ADMIN who makes an OWNER
 */
export async function addTeamMember(m: Member, input: NewTeamMember): Promise<Json<TeamMember>> {
  const { teamId, userId, role = 'MEMBER' } = input
  const facts = await changeable(m, teamId)
  if (role === 'OWNER') requireOwnership(m, facts)
  const write = m.tenant.write('team_member.create', teamId)
  write.run(requireUser, { userId })
  write.insert(teamMembers, { teamId, userId, role, createdAt: m.now.toISOString() })
  return write.commit(write.answer(teamMemberRecord, { teamId, userId }))
}

/**
 * Gives a member of a team another role. Only OWNERs make and unmake OWNERs.
 * @throws CONFLICT when the team would be left without an OWNER
 */
export async function changeTeamMember(
  m: Member,
  { teamId, userId, role }: TeamMemberChange,
): Promise<Json<TeamMember>> {
  const facts = await changeable(m, teamId, userId)
  if (role === 'OWNER' || facts.theirs === 'OWNER') requireOwnership(m, facts)
  const write = m.tenant.write('team_member.update', teamId)
  write.run(lockTeam, { teamId })
  if (role !== 'OWNER') write.run(requireOtherOwner, { teamId, userId })
  write.run(changeRole, { teamId, userId, role })
  return write.commit(write.answer(teamMemberRecord, { teamId, userId }))
}

/**
 * Takes a member out of a team; they host its event types no more. Everybody may leave.
 * @throws CONFLICT when the team would be left without an OWNER
 */
export async function removeTeamMember(
  m: Member,
  { teamId, userId }: TeamPlace,
): Promise<{ teamId: number; userId: number; deleted: true }> {
  requirePermission(m, 'calendar.own')
  if (userId !== m.userId) {
    const facts = await changeable(m, teamId, userId)
    if (facts.theirs === 'OWNER') requireOwnership(m, facts)
  }
  const write = m.tenant.write('team_member.delete', teamId)
  write.run(lockTeam, { teamId }).run(requireOtherOwner, { teamId, userId })
  write.run(dropMember, { teamId, userId }).run(dropHosting, { teamId, userId })
  return write.commit({ teamId, userId, deleted: true })
}
