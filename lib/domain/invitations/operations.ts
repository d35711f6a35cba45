import { people } from '#drizzle/schema/accounts.ts'
import { employees, invitations } from '#drizzle/schema/people.ts'
import { type Member, may, requirePermission } from '#lib/core/context.ts'
import { conflict, forbidden, invalid, notFound, WaitError } from '#lib/core/errors.ts'
import type { Deleted, Json } from '#lib/core/json.ts'
import { type Role, rolesUpTo } from '#lib/core/permissions.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Write } from '#lib/db/write.ts'
import { lockAccount } from '#lib/domain/accounts/queries.ts'
import { companyZone } from '#lib/domain/company/operations.ts'
import { queueMessage } from '#lib/domain/messaging/queue.ts'
import { endOpen, lockEmployee, newestPerson } from '#lib/domain/staff/queries.ts'
import {
  type InviteFacts,
  invitationRecord,
  invitedRole,
  inviteFacts,
  requireFew,
  requireRole,
  requireWhom,
} from './queries.ts'
import type { Invitation, NewInvitation } from './schema.ts'

const DAY_MS = 86_400_000
/** How long a link works. */
const LIFETIME_DAYS = 7
/** How many an account may send within a day: they go to whoever is named. */
const MOST_A_DAY = 50

/** What others at the same time may have done, so that all of it is looked at again. */
const RACES = new Set([
  'employees_email',
  'invitations_whom',
  'invitations_rank',
  'invitations_day',
])

/**
 * Invites somebody into the account by e-mail: an employee, or an address, of which an employee is made.
 * An invitation that is open ends with it, and so does its link.
 * @throws NOT_FOUND for an employee who is not there; CONFLICT for a member; FORBIDDEN for a role above
 * staff without roles.write, or above one's own; RATE_LIMITED after as many as a day may have
 */
export async function invite(m: Member, input: NewInvitation): Promise<Json<Invitation>> {
  requirePermission(m, 'employees.write')
  const since = new Date(m.now.getTime() - DAY_MS).toISOString()
  const { employeeId = null, email = null } = input
  return lookingAgain(RACES, async () => {
    const asked = { employeeId, email, since, max: MOST_A_DAY }
    const facts = await m.tenant.read(inviteFacts, asked)
    if (employeeId !== null && !facts.employee) notFound('Employee')
    requireTheirs(email, facts)
    const role = input.role ?? facts.employee?.role ?? 'staff'
    requireRank(m, role)
    if (facts.employee && facts.employee.role !== role) requireRank(m, facts.employee.role)
    if (facts.isMember) conflict('This person is a member already', detailsOf(input))
    if (facts.lastOf) requireWait(m, facts.lastOf)
    const write = m.tenant.write('employee.invite', facts.inviteId)
    const who = { ...input, role, email: facts.employee?.email ?? email ?? '' }
    writeInvitation(write, m, facts, { who, since })
    return write.commit(write.answer(invitationRecord, { id: facts.inviteId }))
  })
}

/** Refuses another address than the employee has who is named beside it. */
function requireTheirs(email: string | null, { employee }: InviteFacts): void {
  if (email && employee && employee.email.toLowerCase() !== email.toLowerCase())
    invalid({ field: 'email', message: 'is another address than the employee has' })
}

/** The field that named whoever is a member already. */
const detailsOf = ({ email }: NewInvitation) => [
  { field: email === undefined ? 'employeeId' : 'email', message: 'is a member already' },
]

/** Requires that the member may give a role, which is never one above their own. */
function requireRank(m: Member, role: Role): void {
  if (role !== 'staff') requirePermission(m, 'roles.write')
  if (!rolesUpTo(m.role).includes(role))
    forbidden(`Your role "${m.role}" is below "${role}": nobody is invited above their own role`)
}

/** The roles that a member may invite to. */
const rolesOf = (m: Member): readonly Role[] =>
  may(m, 'roles.write') ? rolesUpTo(m.role) : ['staff']

/** Refuses one too many within a day, and says when there is room again. */
function requireWait(m: Member, oldest: string): never {
  const wait = Math.ceil((Date.parse(oldest) + DAY_MS - m.now.getTime()) / 1000)
  throw new WaitError(`At most ${MOST_A_DAY} invitations can be sent within a day`, wait)
}

interface Inviting {
  who: { email: string; name?: string | undefined; role: Role }
  since: string
}

function writeInvitation(write: Write, m: Member, facts: InviteFacts, { who, since }: Inviting) {
  const { email, role } = who
  const now = m.now.toISOString()
  const employeeId = facts.employee?.id ?? facts.employeeId
  if (facts.employee) {
    write.run(lockEmployee, { id: employeeId })
    write.run(requireRole, { employeeId, roles: rolesOf(m) })
    if (facts.employee.role !== role)
      write.change(employees, employeeId, { role, updatedAt: now }, 'employees_gone')
  } else addEmployee(write, m, employeeId, who)
  write.run(requireWhom, { employeeId, email })
  write.run(endOpen, { employeeId, outcome: 'replaced', address: null, now })
  write.run(lockAccount, {}).run(requireFew, { since, max: MOST_A_DAY })
  write.insert(invitations, {
    id: facts.inviteId,
    employeeId,
    email,
    userId: m.userId,
    createdAt: now,
    expiresAt: new Date(m.now.getTime() + LIFETIME_DAYS * DAY_MS).toISOString(),
  })
  queueMessage(write, m.now, {
    kind: 'invitation',
    subject: 'invitation',
    subjectId: facts.inviteId,
    recipient: email,
    dedupe: `invitation:${facts.inviteId}`,
  })
}

function addEmployee(write: Write, m: Member, id: number, { email, name, role }: Inviting['who']) {
  const now = m.now.toISOString()
  write.insert(people, {})
  write.insert(employees, {
    id,
    personId: newestPerson,
    name: name ?? email.split('@')[0] ?? email,
    email,
    role,
    timeZone: companyZone(m.accountId),
    createdAt: now,
    updatedAt: now,
  })
}

/**
 * Takes an invitation back: its link leads nowhere any more.
 * @throws NOT_FOUND; CONFLICT when it has ended; FORBIDDEN for one to a role above staff without
 * roles.write
 */
export async function revokeInvitation(m: Member, { id }: { id: number }): Promise<Deleted> {
  requirePermission(m, 'employees.write')
  const role = (await m.tenant.read(invitedRole, { id })) ?? notFound('Invitation')
  if (role !== 'staff') requirePermission(m, 'roles.write')
  const write = m.tenant.write('invitation.revoke', id)
  const end = { endedAt: m.now.toISOString(), outcome: 'revoked' } as const
  write.change(invitations, id, end, 'invitations_over', { endedAt: null })
  return write.commit({ id, deleted: true })
}
