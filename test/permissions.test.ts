import { beforeAll, describe, expect, it } from 'vitest'
import { type Permission, ROLES, type Role } from '#lib/core/permissions.ts'
import { ask, needOf } from './ask.ts'
import { type Client, createAccount, createMember } from './client.ts'
import { type Route, readRoutes } from './routes.ts'
import { together } from './together.ts'

/** What each role may not do, as the product promises it. */
const LACKS: Record<Role, readonly Permission[]> = {
  owner: [],
  admin: [],
  manager: ['taxes.write', 'money.write', 'roles.write', 'billing.write', 'connections.write'],
  staff: [
    'catalog.write',
    'products.write',
    'stock.read',
    'invoices.read',
    'invoices.write',
    'insights.read',
    'appointments.write',
    'customers.read',
    'customers.write',
    'employees.read',
    'employees.write',
    'company.write',
    'resources.write',
    'taxes.read',
    'taxes.write',
    'money.write',
    'roles.write',
    'billing.write',
    'connections.read',
    'connections.write',
  ],
}

let routes: Route[] = []
let callers: Record<Role, Client>
let others: { employeeId: number; serviceId: number; appointmentId: number }

beforeAll(async () => {
  const account = await createAccount()
  const [admin, manager] = await Promise.all([
    createMember(account.accountId, 'admin'),
    createMember(account.accountId, 'manager'),
  ])
  callers = { owner: account.client, admin, manager, staff: account.staffClient }
  routes = (await readRoutes()).filter(r => r.isForMembers && r.path.startsWith('/api/'))
  const make = async (path: string, body: object) =>
    Number((await account.client.post(`/api/services/${path}`, body)).body.id)
  const employeeId = await make('employees', { name: 'Eva', email: 'eva@example.org' })
  const serviceId = await make('services', { name: 'Cut' })
  const times = { startTime: '2031-06-03T14:00:00Z', endTime: '2031-06-03T15:00:00Z' }
  const appointmentId = await make('appointments', { serviceId, employeeId, ...times })
  others = { employeeId, serviceId, appointmentId }
})

describe('every route', () => {
  it('has a permission that the test knows', () => {
    const unknown = routes.filter(r => needOf(r) === undefined).map(r => r.name)
    expect(unknown, 'to be entered in NEEDS of test/surface.ts').toEqual([])
  })

  it.each(ROLES.map(role => [role]))(
    '403 for %s where the role lacks it, and there alone',
    async role => {
      const wrong: string[] = []
      await together(routes, async route => {
        const need = needOf(route)
        if (!need || need === 'own') return
        const { status, body, text } = await ask(callers[role], route, {
          serviceId: others.serviceId,
        })
        const isRight = LACKS[role].includes(need)
          ? status === 403 &&
            text ===
              JSON.stringify({ status: 'error', error: 'FORBIDDEN', message: said(role, need) })
          : status !== 403 && status < 500
        if (!isRight) wrong.push(`${route.name}: ${status} ${body?.message ?? text}`)
      })
      expect(wrong).toEqual([])
    },
  )
})

const said = (role: Role, need: Permission) => `Your role "${role}" lacks the permission ${need}`

describe("another's appointments and schedule", () => {
  const times = { startTime: '2031-06-04T14:00:00Z', endTime: '2031-06-04T15:00:00Z' }

  it.each(['owner', 'admin', 'manager'] as const)('are open to %s', async role => {
    const { employeeId, appointmentId } = others
    const by = callers[role]
    const replies = [
      await by.get(`/api/services/appointments?id=${appointmentId}`),
      await by.put(`/api/services/appointments?id=${appointmentId}`, { notes: role }),
      await by.get(`/api/services/employees/schedule?employeeId=${employeeId}`),
      await by.patch(`/api/services/employees/schedule?employeeId=${employeeId}`, { timeOff: [] }),
    ]
    expect(replies.map(r => r.status)).toEqual([200, 200, 200, 200])
  })

  it('are closed to staff, whose own are open', async () => {
    const { employeeId, serviceId, appointmentId } = others
    const by = callers.staff
    const closed = [
      await by.post('/api/services/appointments', { serviceId, employeeId, ...times }),
      await by.get(`/api/services/employees/schedule?employeeId=${employeeId}`),
      await by.patch(`/api/services/employees/schedule?employeeId=${employeeId}`, { timeOff: [] }),
    ]
    expect(closed.map(r => r.status)).toEqual([403, 403, 403])
    for (const { text } of closed)
      expect(text).toMatch(/appointments\.write|schedules\.(read|write)/)
    const hidden = [
      await by.get(`/api/services/appointments?id=${appointmentId}`),
      await by.put(`/api/services/appointments?id=${appointmentId}`, { notes: 'mine' }),
      await by.del(`/api/services/appointments?id=${appointmentId}`),
    ]
    expect(hidden.map(r => r.status)).toEqual([404, 404, 404])
    const own = [
      await by.post('/api/services/appointments', { serviceId, ...times }),
      await by.get('/api/services/employees/schedule'),
      await by.patch('/api/services/employees/schedule', { timeOff: [] }),
    ]
    expect(own.map(r => r.status)).toEqual([201, 200, 200])
    const { items } = await by.get('/api/services/appointments')
    expect(items.map(a => a.id)).toEqual([own[0]!.body.id])
  })

  it('a role can be given by those who may alone, whatever else they may', async () => {
    const { employeeId } = others
    const give = (by: Client) =>
      by.put(`/api/services/employees?id=${employeeId}`, { role: 'admin' })
    const refused = await give(callers.manager)
    expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN'])
    expect(refused.text).toContain('roles.write')
    expect((await give(callers.admin)).status).toBe(200)
  })
})
