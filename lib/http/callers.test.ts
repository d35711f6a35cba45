import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Member, ownEmployee, requirePermission } from '#lib/core/context.ts'
import { ApiError } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/permissions.ts'
import { query } from '#lib/db/query.ts'
import { ownUser } from '#lib/domain/teams/reach.ts'
import { withFault } from './callers.ts'

const fault = new ApiError('VALIDATION_ERROR', 'The request failed validation')
const one = query<object, number>(() => sql`select 1`)

const memberWith = (role: Role): Member => {
  const db = { trip: async () => [[['1']]] }
  const account = { tenant: { db, actor: {} }, accountId: 1, userId: 1, employeeId: 1 }
  return { ...account, db, role, kind: 'member', scopes: null } as unknown as Member
}

describe('a member with a fault', () => {
  it.each<[string, (m: Member) => unknown]>([
    ['requirePermission', m => requirePermission(m, 'customers.write')],
    ['ownEmployee', m => ownEmployee(m, 'customers.write', 'customers.read')],
    ['ownUser', m => ownUser({ ...m, scopes: m.role === 'staff' ? [] : null }, 'calendar.write')],
  ])('hears of it from %s, where they may', (_, check) => {
    expect(() => check(withFault(memberWith('manager'), fault))).toThrow(fault)
    expect(() => check(withFault(memberWith('staff'), fault))).toThrow(/lacks/)
  })

  it('reaches no database, whatever is tried in their name', async () => {
    const m = withFault(memberWith('owner'), fault)
    await expect(m.tenant.read(one, {})).rejects.toBe(fault)
    await expect(m.enter(2).read(one, {})).rejects.toBe(fault)
    await expect(m.db.trip([])).rejects.toBe(fault)
  })
})
