import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import {
  id,
  optionalText,
  Paging,
  queryId,
  slug,
  text,
  timeZone,
  url,
  type WEEKDAYS,
  weekdayName,
} from '#lib/core/schemas.ts'

/** The body of a team. */
export const NewTeam = z.object({
  name: text(200),
  slug: slug.optional().describe('Made from the name where nothing is said'),
  bio: optionalText(5000).optional(),
  logoUrl: url.nullable().optional(),
  timeZone: timeZone.optional().describe('The company’s where nothing is said'),
  weekStart: weekdayName.optional(),
  isPrivate: z.boolean().optional().describe('Whether its members do not see each other'),
  hideBranding: z.boolean().optional(),
})
export type NewTeam = z.output<typeof NewTeam>

/** What of a team can be changed; what is left out stays. */
export const TeamChange = NewTeam.partial()
export type TeamChange = z.output<typeof TeamChange>

const role = z.enum(['MEMBER', 'ADMIN', 'OWNER'])

/** Who joins a team, as a MEMBER where nothing is said. */
export const NewTeamMember = z.object({ teamId: id, userId: id, role: role.optional() })
export type NewTeamMember = z.output<typeof NewTeamMember>

/** The role that a member of a team is given. */
export const TeamMemberChange = NewTeamMember.extend({ role })
export type TeamMemberChange = z.output<typeof TeamMemberChange>

/** Who of which team: what taking somebody out of it needs. */
export const TeamPlace = NewTeamMember.pick({ teamId: true, userId: true })
export type TeamPlace = z.output<typeof TeamPlace>

/** Which teams are listed. */
export const TeamFilter = Paging.extend({ userId: queryId.optional() })
export type TeamFilter = z.output<typeof TeamFilter>

/** Whose members are listed. */
export const TeamMemberFilter = Paging.extend({ teamId: queryId, userId: queryId.optional() })
export type TeamMemberFilter = z.output<typeof TeamMemberFilter>

/** A member of a team as it is answered. */
export interface TeamMember {
  id: number
  teamId: number
  userId: number
  role: z.output<typeof role>
  accepted: boolean
  user: { name: string; email: string; username: string; avatarUrl: string | null }
}

/** A team as it is answered. */
export interface Team {
  id: number
  name: string
  slug: string
  bio: string | null
  logoUrl: string | null
  timeZone: string
  weekStart: (typeof WEEKDAYS)[number]
  isPrivate: boolean
  hideBranding: boolean
  memberCount: number
  createdAt: Instant
  updatedAt: Instant
}
