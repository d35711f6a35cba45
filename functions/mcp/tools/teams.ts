import { ById } from '#lib/core/schemas.ts'
import { findTeam, listTeamMembers, listTeams } from '#lib/domain/teams/operations.ts'
import { TeamFilter, TeamMemberFilter } from '#lib/domain/teams/schema.ts'
import { reads, type Tools } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** Users who share event types. */
export const tools: Tools = {
  list_teams: reads('List the teams.', TeamFilter, listTeams, ANSWER.teams),
  get_team: reads('Read one team.', ById, findTeam, ANSWER.team),
  list_team_members: reads(
    'List the members of a team with their roles.',
    TeamMemberFilter,
    listTeamMembers,
    ANSWER.teamMembers,
  ),
}
