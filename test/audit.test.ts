import { beforeAll, describe, expect, it } from 'vitest'
import { client } from './client.ts'
import { queryDatabase } from './database.ts'
import { ORDER, requestOf, send } from './requests.ts'
import { type Route, readRoutes } from './routes.ts'
import { makeWorld, type World } from './world.ts'

let world: World
let routes: Route[] = []
beforeAll(async () => {
  world = await makeWorld()
  routes = (await readRoutes()).toSorted(
    (x, y) => ORDER.indexOf(x.method) - ORDER.indexOf(y.method),
  )
})

interface Entry {
  action: string
  user_id: number | null
  via: string
}

/** What the audit log says of a request. */
const entriesOf = (requestId: string | null) =>
  queryDatabase<Entry>(
    'select action, user_id, via from audit_log where account_id = $1 and request_id = $2',
    [world.account.accountId, requestId],
  )

/** Those that change nothing of the account, or only fire the job that sends what is due. */
const CHANGES_NOTHING = [
  'POST /api/services/webhooks/test',
  'POST /api/services/notifications/reminders',
]

describe('the audit log', () => {
  it('has one for a visitor’s booking, without a user', async () => {
    const book = '/api/services/book'
    const startTime = '2031-06-10T14:00:00Z'
    const serviceId = world.ids.groupService
    const body = { serviceId, startTime, customer: { name: 'Vera', email: 'vera@example.org' } }
    const clock = { 'x-test-now': '2031-06-01T00:00:00Z', 'x-test-client': '203.0.113.77' }
    const { status, headers, text } = await client().post(book, body, clock)
    expect(status, text).toBe(201)
    expect(await entriesOf(headers.get('x-request-id'))).toEqual([
      { action: 'appointment.create', user_id: null, via: 'public' },
    ])
  })

  it('has one entry for every write of a member, by its request, with who did what', async () => {
    const writes = routes.filter(
      r => r.isForMembers && r.path.startsWith('/api/') && r.method !== 'GET',
    )
    const wrong: string[] = []
    let done = 0
    for (const route of writes) {
      const { status, headers } = await send(world.account.client, requestOf(route, world))
      const entries = await entriesOf(headers.get('x-request-id'))
      if (status >= 300) {
        if (entries.length > 0) wrong.push(`${route.name} ${status}: ${JSON.stringify(entries)}`)
        continue
      }
      done++
      const expected = CHANGES_NOTHING.includes(route.name) ? 0 : 1
      const [entry] = entries
      const isRight =
        entries.length === expected &&
        (!entry ||
          (entry.user_id === world.account.userId && /^[\w-]+\.[\w-]+$/.test(entry.action)))
      if (!isRight) wrong.push(`${route.name} ${status}: ${JSON.stringify(entries)}`)
    }
    expect(wrong).toEqual([])
    expect(done).toBeGreaterThan(30)
  })
})
