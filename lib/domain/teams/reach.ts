import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { members } from '#drizzle/schema/accounts.ts'
import { teamMembers, teams } from '#drizzle/schema/calendar.ts'
import { type Member, requirePermission, requireScope, tellFault } from '#lib/core/context.ts'
import { roleMay } from '#lib/core/permissions.ts'
import { json, jsonRow } from '#lib/db/json.ts'
import { isUserLetIn } from '#lib/db/let-in.ts'
import type { AnyId } from '#lib/db/list.ts'
import { from, named, query } from '#lib/db/query.ts'

const place = named(teamMembers, 'place')

/** The users of an account, whom filters of lists name. */
export const userIds: AnyId = { table: members, id: members.userId }

/**
 * The user to whom a member is limited when they read or change calendar records: themselves, or null
 * for those who may do so with everybody's.
 */
export function ownUser(m: Member, all: 'calendar.read' | 'calendar.write'): number | null {
  requireScope(m, all)
  const isLimited = !roleMay(m.role, all)
  if (isLimited && !roleMay(m.role, 'calendar.own')) requirePermission(m, all)
  tellFault(m)
  return isLimited ? m.userId : null
}

/** The same for a list, where undefined switches the condition off. */
export const ownFilter = (m: Member): number | undefined => ownUser(m, 'calendar.read') ?? undefined

/**
 * Whose a new record is to be: the member's own where nobody is asked for.
 * @throws FORBIDDEN for somebody else's, without `calendar.write`
 */
export function ownerOf(m: Member, asked: number | undefined): number {
  requirePermission(m, 'calendar.own')
  if (asked !== undefined && asked !== m.userId) requirePermission(m, 'calendar.write')
  return asked ?? m.userId
}

/** Fails (404) unless a user is of the account and has not left. */
export const requireUser = query<{ userId: number }, unknown>(
  p => sql`select must(${isUserLetIn(p.account, sql`${p.userId}::int`)}, 'members_gone')`,
)

/** Refuses what a member sees and may not change. */
export function requireManaged(m: Member, isManaged: boolean): void {
  if (!isManaged) requirePermission(m, 'calendar.write')
}

/** A table whose rows belong to a user or a team. */
interface OwnedByUser {
  accountId: AnyPgColumn
  userId: AnyPgColumn
  teamId: AnyPgColumn
}

/** Whether a row is a user's own; everything is where `own` is null. */
export const ownedBy = (table: Pick<OwnedByUser, 'userId'>, own: SQL): SQL =>
  sql`(${own}::int is null or ${table.userId} = ${own}::int)`

/** Whether a user is in a team; `leading`: as one of those who manage it. */
export const isInTeam = (
  account: SQL | AnyPgColumn,
  teamId: SQL | AnyPgColumn,
  userId: SQL,
  leading = false,
): SQL => sql`exists (select from ${from(place)} where ${place.accountId} = ${account}
  and ${place.teamId} = ${teamId} and ${place.userId} = ${userId}::int
  ${leading ? sql`and ${place.role} <> 'MEMBER'` : sql``})`

/** Whether a row is a user's own or of a team that they are in; everything is where `own` is null. */
export const seenBy = (table: OwnedByUser, own: SQL): SQL =>
  sql`(${own}::int is null or ${table.userId} = ${own}::int
    or ${isInTeam(table.accountId, table.teamId, own)})`

/** Whether a row is a user's own or of a team that they lead; everything is where `own` is null. */
export const managedBy = (table: OwnedByUser, own: SQL): SQL =>
  sql`(${own}::int is null
    or (${table.userId} = ${own}::int and ${table.teamId} is null)
    or ${isInTeam(table.accountId, table.teamId, own, true)})`

/** What making something for a team takes. */
export interface TeamReach {
  isManaged: boolean
}

/** Whether a user manages a team; null unless they are in it, or `own` is null. */
export const teamReach = (p: { account: SQL; teamId: SQL; own: SQL }): SQL =>
  jsonRow(
    json({
      isManaged: sql`(${p.own}::int is null or ${isInTeam(p.account, teams.id, p.own, true)})`,
    }),
    sql`from ${teams} where ${teams.accountId} = ${p.account} and ${teams.id} = ${p.teamId}::int
      and (${p.own}::int is null or ${isInTeam(p.account, teams.id, p.own)})`,
  )
