import { employees } from '#drizzle/schema/people.ts'
import type { Base, Plan } from '#lib/core/context.ts'
import { randomText } from '#lib/core/text.ts'
import { addMember, createApiKey, signUp } from '#lib/domain/accounts/operations.ts'

/** A signed-up account with its keys, as `demo.json` and `account:create` show it. */
export interface ShownAccount {
  plan: Plan
  email: string
  password: string
  apiKey: string
  userId: number
  accountId: number
  username: string
  subdomain: string
  /** A member with role staff, who is an employee as well. */
  staff: { email: string; password: string; apiKey: string; employeeId: number }
}

/** What to make an account of; a password is made up where none is given. */
export interface AccountOrder {
  email: string
  plan: Plan
  password?: string
  name?: string
  businessName?: string
  timeZone?: string
  staff?: { name: string; email: string }
}

/** Makes an account with an owner and a staff member, and an API key for each. */
export async function makeAccount(base: Base, order: AccountOrder): Promise<ShownAccount> {
  const { email, plan, timeZone = 'America/New_York' } = order
  const password = order.password ?? randomText(12)
  const name = order.name ?? email.split('@')[0] ?? email
  const account = await signUp(
    base,
    { email, password, name, timeZone, businessName: order.businessName },
    plan,
  )
  const tenant = base.enter(account.accountId)
  const staff = order.staff ?? { name: 'Sam Staff', email: `staff.${email}` }
  const staffPassword = order.password ?? randomText(12)
  const [owner, member] = await Promise.all([
    createApiKey(base, tenant, { userId: account.userId, note: 'First key' }),
    addMember(base, tenant, { ...staff, password: staffPassword, timeZone, role: 'staff' }),
  ])
  const employeeId = await addEmployee(base, account.accountId, member, { ...staff, timeZone })
  const key = await createApiKey(base, tenant, { userId: member.userId, note: 'First key' })
  return {
    plan,
    email,
    password,
    apiKey: owner.key,
    ...account,
    staff: { email: staff.email, password: staffPassword, apiKey: key.key, employeeId },
  }
}

/** The employee that a member is. */
async function addEmployee(
  base: Base,
  accountId: number,
  { userId, personId }: { userId: number; personId: number },
  person: { name: string; email: string; timeZone: string },
): Promise<number> {
  const [rows] = await base.db.trip([
    { text: `select nextval('employees_id_seq')::int`, params: [] },
  ])
  const id = Number(rows?.[0]?.[0])
  const at = base.now.toISOString()
  const write = base.enter(accountId).write('employee.create', id)
  write.insert(employees, {
    id,
    personId,
    userId,
    ...person,
    createdAt: at,
    updatedAt: at,
  })
  return write.commit(id)
}
