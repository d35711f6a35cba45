import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { eventTypeHosts, eventTypes, teamMembers, teams } from '#drizzle/schema/calendar.ts'
import { nameOfWeekday } from '#lib/db/days.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { isUserLetIn } from '#lib/db/let-in.ts'
import type { ListSpec } from '#lib/db/list.ts'
import { from, named, query } from '#lib/db/query.ts'
import { isInTeam, userIds } from './reach.ts'
import type { Team, TeamMember } from './schema.ts'

const t = teams
const m = teamMembers

/** Who left the business is in its teams no more, though their place is kept. */
const isThere = isUserLetIn(m.accountId, m.userId)

const record = json<Team>({
  id: t.id,
  name: t.name,
  slug: t.slug,
  bio: t.bio,
  logoUrl: t.logoUrl,
  timeZone: t.timeZone,
  weekStart: nameOfWeekday(t.weekStart),
  isPrivate: t.isPrivate,
  hideBranding: t.hideBranding,
  memberCount: sql`(select count(*) from ${m} where ${m.accountId} = ${t.accountId}
    and ${m.teamId} = ${t.id} and ${isThere})`,
  createdAt: t.createdAt,
  updatedAt: t.updatedAt,
})

/** Whether a user is in the team; everybody is where `own` is null. */
const seen = (own: SQL): SQL => sql`(${own}::int is null or ${isInTeam(t.accountId, t.id, own)})`

/** How teams are listed; `own` leaves those out that the user is not in. */
export const teamList: ListSpec = {
  table: t,
  record,
  orders: { name: { by: sql`lower(${t.name})`, type: 'text' } },
  filters: {
    own: given => seen(sql`${given.own}`),
    userId: given => isInTeam(t.accountId, t.id, sql`${given.userId}`),
  },
  names: { userId: userIds },
  search: sql`${t.name}`,
}

interface Which {
  id: number
  own: number | null
}

/** One team; null unless the user is in it or `own` is null. */
export const teamRecord = query<Which, Team>(
  p => sql`select ${record} from ${t} where ${t.accountId} = ${p.account} and ${t.id} = ${p.id}::int
    and ${seen(p.own)}`,
)

/** The id of the team that this batch just inserted. */
export const newestTeam = sql.raw(`currval('teams_id_seq')::int`)

/** The team that this batch just inserted. */
export const newTeamRecord = query<object, Team>(
  p => sql`select ${record} from ${t} where ${t.accountId} = ${p.account}
    and ${t.id} = ${newestTeam}`,
)

/** The slugs of teams that begin like one. */
export const teamSlugs = query<{ base: string }, string[]>(
  p =>
    sql`select ${jsonArray(
      t.slug,
      sql`from ${t} where ${t.accountId} = ${p.account}
      and (${t.slug} = ${p.base} or ${t.slug} like ${p.base} || '-%')`,
    )}`,
)

/** What changing a team takes. Roles are null for those who are not in it. */
export interface TeamFacts {
  isPrivate: boolean
  /** The user's own role. */
  role: TeamMember['role'] | null
  /** That of the member who is to be changed. */
  theirs: TeamMember['role'] | null
}

const roleOf = (account: SQL, userId: SQL): SQL =>
  sql`(select ${m.role} from ${m} where ${m.accountId} = ${account}
    and ${m.teamId} = ${t.id} and ${m.userId} = ${userId}::int)`

/** Null unless the user is in the team or `own` is null. */
export const teamFacts = query<
  Which & { userId: number; theirId: number | null },
  TeamFacts | null
>(
  p =>
    sql`select ${json({
      isPrivate: t.isPrivate,
      role: roleOf(p.account, p.userId),
      theirs: roleOf(p.account, p.theirId),
    })} from ${t} where ${t.accountId} = ${p.account} and ${t.id} = ${p.id}::int and ${seen(p.own)}`,
)

const memberRecord = json<TeamMember>({
  id: m.id,
  teamId: m.teamId,
  userId: m.userId,
  role: m.role,
  accepted: m.accepted,
  user: json({
    name: users.name,
    email: users.email,
    username: users.username,
    avatarUrl: users.avatarUrl,
  }),
})
const withUser = sql`join ${users} on ${users.id} = ${m.userId}`

/** How the members of a team are listed: in the order they joined. `self` leaves the others out. */
export const teamMemberList: ListSpec = {
  table: m,
  record: memberRecord,
  joins: withUser,
  where: isThere,
  defaultOrder: 'id',
  orders: { name: { by: sql`lower(${users.name})`, type: 'text' } },
  filters: {
    teamId: given => sql`${m.teamId} = ${given.teamId}::int`,
    userId: given => sql`${m.userId} = ${given.userId}::int`,
    self: given => sql`${m.userId} = ${given.self}::int`,
  },
  names: { userId: userIds },
  search: sql`${users.name} || ' ' || ${users.email}`,
}

interface Place {
  teamId: number
  userId: number
}

const inPlace = (p: { account: SQL; teamId: SQL; userId: SQL }): SQL =>
  sql`${m.accountId} = ${p.account} and ${m.teamId} = ${p.teamId}::int
    and ${m.userId} = ${p.userId}::int and ${isThere}`

/** Somebody's membership of a team with their name and address; null when they are not of it. */
export const teamMemberRecord = query<Place, TeamMember>(
  p => sql`select ${memberRecord} from ${m} ${withUser} where ${inPlace(p)}`,
)

/** Makes other changes of who is in a team wait. */
export const lockTeam = query<{ teamId: number }, unknown>(
  p => sql`with held as (
    select 1 from ${t} where ${t.accountId} = ${p.account} and ${t.id} = ${p.teamId}::int
    for no key update
  ) select must(exists (select from held), 'teams_gone')`,
)

/** Gives a member a role; guarded. */
export const changeRole = query<Place & { role: string }, unknown>(
  p => sql`with changed as (
    update ${m} set role = ${p.role} where ${inPlace(p)} returning 1
  ) select must(exists (select from changed), 'team_members_gone')`,
)

/** Takes a member out of a team; guarded. */
export const dropMember = query<Place, unknown>(
  p => sql`with dropped as (
    delete from ${m} where ${inPlace(p)} returning 1
  ) select must(exists (select from dropped), 'team_members_gone')`,
)

/** Who leaves a team hosts its event types no more. */
export const dropHosting = query<Place, unknown>(
  p => sql`delete from ${eventTypeHosts} where ${eventTypeHosts.accountId} = ${p.account}
    and ${eventTypeHosts.userId} = ${p.userId}::int and ${eventTypeHosts.eventTypeId} in (
      select ${eventTypes.id} from ${eventTypes} where ${eventTypes.accountId} = ${p.account}
        and ${eventTypes.teamId} = ${p.teamId}::int)`,
)

const other = named(teamMembers, 'other')

/** Fails where a member is the last OWNER of a team; for whoever is not to be one any more. */
export const requireOtherOwner = query<Place, unknown>(
  p => sql`select must(not exists (select from ${m} where ${inPlace(p)} and ${m.role} = 'OWNER')
    or exists (select from ${from(other)} where ${other.accountId} = ${p.account}
      and ${other.teamId} = ${p.teamId}::int and ${other.userId} <> ${p.userId}::int
      and ${other.role} = 'OWNER' and ${isUserLetIn(other.accountId, other.userId)}),
    'team_members_owner')`,
)
