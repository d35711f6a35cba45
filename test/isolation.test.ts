import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '#lib/domain/accounts/operations.ts'
import { client, directly, type Reply } from './client.ts'
import { fingerprint, messagesSettled, queryDatabase } from './database.ts'
import { asGiven, ORDER, requestOf, send } from './requests.ts'
import { type Route, readRoutes } from './routes.ts'
import { idFields } from './samples.ts'
import { PUBLIC, UNGUARDED } from './surface.ts'
import { together } from './together.ts'
import { kindOf, makeWorld, type World } from './world.ts'

/** No record has it: ids are given from 1 on. */
const NOBODYS = 2_147_483_647

let a: World
let b: World
let routes: Route[] = []

beforeAll(async () => {
  ;[a, b] = await Promise.all([makeWorld(), makeWorld()])
  routes = (await readRoutes())
    .filter(r => r.isForMembers && r.path.startsWith('/api/'))
    .toSorted((x, y) => ORDER.indexOf(x.method) - ORDER.indexOf(y.method))
  await Promise.all([messagesSettled(a.account.accountId), messagesSettled(b.account.accountId)])
})

/** Runs what must leave an account as it is, and sees that it did. */
async function leavesAlone(world: World, work: () => Promise<string[]>): Promise<void> {
  const before = await fingerprint(world.account.accountId)
  expect(await work()).toEqual([])
  expect(await fingerprint(world.account.accountId)).toEqual(before)
}

describe('every route for members', () => {
  it('is walked: what is not is public and known', async () => {
    const open = (await readRoutes()).filter(r => !r.isForMembers && r.path.startsWith('/api/'))
    expect(open.map(r => r.name).filter(name => !UNGUARDED.includes(name))).toEqual([])
    expect(routes.length).toBeGreaterThan(40)
  })

  const keyOf = (world: World, expiresAt?: Date) =>
    directly(async base => {
      const { userId, accountId } = world.account
      const given = expiresAt ? { userId, expiresAt } : { userId }
      return (await createApiKey(base, base.enter(accountId), given)).key
    })

  it.each([
    ['no credentials', async () => client()],
    ['a made-up key', async () => client(`cal_${'A'.repeat(43)}`)],
    ['an expired key', async () => client(await keyOf(a, new Date(Date.now() - 1000)))],
    ['a revoked key', async () => client(await revoked(await keyOf(a)))],
  ])('401 with %s', async (_, caller) => {
    const by = await caller()
    await leavesAlone(a, async () => {
      const letIn: string[] = []
      await together(routes, async route => {
        const { status } = await send(by, requestOf(route, a))
        if (status !== 401) letIn.push(`${route.name} ${status}`)
      })
      return letIn
    })
  })

  it("tells nothing of another account's records and changes none of them", async () => {
    await leavesAlone(a, async () => {
      const told: string[] = []
      for (const route of routes) {
        const reply = await send(b.account.client, requestOf(route, a))
        if (reply.text.includes(a.mark)) told.push(`${route.name} ${reply.text}`)
        if (idFields(route.query).includes('id') && route.method !== 'GET' && reply.status !== 404)
          told.push(`${route.name} ${reply.status}`)
        if (reply.status >= 500) told.push(`${route.name} ${reply.text}`)
      }
      return told
    })
  })
})

describe('an id of another account', () => {
  /** What only one request had is taken out before two answers are compared. */
  const comparable = ({ status, text }: Reply) => `${status} ${text.replace(/[0-9a-f-]{36}/g, '')}`

  it('in a query answers what an id of nobody does', async () => {
    await leavesAlone(a, async () => {
      const different: string[] = []
      const asked = routes.flatMap(route => idFields(route.query).map(field => ({ route, field })))
      await together(asked, async ({ route, field }) => {
        const kind = kindOf(route.path, field)!
        const theirs = await send(b.account.client, requestOf(route, b, { [field]: a.ids[kind] }))
        const nobodys = await send(b.account.client, requestOf(route, b, { [field]: NOBODYS }))
        if (comparable(theirs) !== comparable(nobodys))
          different.push(`${route.name} ${field}: ${theirs.text} / ${nobodys.text}`)
        if (field === 'id' && theirs.status !== 404)
          different.push(`${route.name} ${field}: ${theirs.status}`)
      })
      return different
    })
  })

  it('in a body is 404, as one of nobody is', async () => {
    await leavesAlone(a, async () => {
      const wrong: string[] = []
      const asked = routes.flatMap(route => idFields(route.body).map(field => ({ route, field })))
      await together(asked, async ({ route, field }) => {
        const kind = kindOf(route.path, field)
        if (!kind) return
        for (const id of [a.ids[kind], NOBODYS]) {
          const request = requestOf(route, b, { [field]: asGiven(field, id) })
          const { status, text } = await send(b.account.client, request)
          if (status !== 404) wrong.push(`${route.name} ${field} ${id}: ${status} ${text}`)
        }
      })
      return wrong
    })
  })
})

describe('an employee who is no manager', () => {
  it('403 or 404 for whatever would change what is not their own', async () => {
    await leavesAlone(a, async () => {
      const wrong: string[] = []
      for (const route of routes) {
        const { status, text } = await send(a.account.staffClient, requestOf(route, a))
        const allowed = route.method === 'GET' ? [200, 403, 404] : [403, 404]
        if (!allowed.includes(status)) wrong.push(`${route.name}: ${status} ${text}`)
      }
      return wrong
    })
  })
})

describe('every public route', () => {
  /** What a visitor begins with: it leads to the business. */
  const ENTRANCES = ['serviceId', 'eventTypeId']

  it('404 for every id of another business than the one it leads to', async () => {
    const open = (await readRoutes()).filter(r => PUBLIC.includes(r.name))
    const asked = open.flatMap(route =>
      idFields(route.body)
        .filter(field => !ENTRANCES.includes(field) && field !== 'id')
        .map(field => ({ route, field })),
    )
    expect(asked.length).toBeGreaterThan(2)
    await leavesAlone(a, async () => {
      const wrong: string[] = []
      for (const { route, field } of asked)
        for (const by of [client(), b.account.client]) {
          const id = asGiven(field, b.ids[kindOf(route.path, field)!])
          const { status, text } = await send(by, requestOf(route, a, { [field]: id }))
          if (status !== 404) wrong.push(`${route.name} ${field}: ${status} ${text}`)
        }
      return wrong
    })
  })

  it("a booking's number cancels nothing for those who are not of its business", async () => {
    await leavesAlone(a, async () => {
      const wrong: string[] = []
      for (const by of [client(), b.account.client]) {
        const { status, text } = await by.post('/api/cancel', { id: a.ids.booking })
        if (![401, 404, 422].includes(status)) wrong.push(`${status} ${text}`)
      }
      return wrong
    })
  })
})

describe('the walk itself', () => {
  it('asks for what the owner is given: nothing was refused for another reason', async () => {
    const refused: string[] = []
    for (const route of routes) {
      const { status, text } = await send(a.account.client, requestOf(route, a))
      // What was made of the records on the way may keep one from being deleted; the webhook is off.
      const mayConflict = route.method === 'DELETE' || route.path.endsWith('/webhooks/replay')
      const fine = status < 300 || (mayConflict && status === 409)
      if (!fine) refused.push(`${route.name}: ${status} ${text}`)
    }
    expect(refused).toEqual([])
  })
})

async function revoked(key: string): Promise<string> {
  await queryDatabase(
    `update api_keys set revoked_at = now() where account_id = $1 and hint = $2 returning id`,
    [a.account.accountId, key.slice(-4)],
  )
  return key
}

describe('the schema', () => {
  /** Columns that name a record of no table in particular, or a user, who may be in many accounts. */
  const LOOSE = new Set([
    'audit_log.subject_id',
    'audit_log.user_id',
    'events.event_type_id',
    'events.subject_id',
    'messages.subject_id',
    'occupancies.source_id',
    'resource_bookings.source_id',
    'deliveries.subject_id',
    'oauth_codes.client_id',
    'oauth_grants.client_id',
    'employees.user_id',
    'members.user_id',
    'stock_movements.user_id',
    'rollups.item_id',
    'recount.item_id',
    'webhooks.user_id',
    'workflows.user_id',
  ])

  it('lets an id of a row lead to rows of its own account alone', async () => {
    const columns = await queryDatabase<{ name: string; tied: boolean }>(
      `select c.table_name || '.' || c.column_name as name, exists (
         select from pg_constraint f
         join pg_attribute id on id.attrelid = f.conrelid and id.attname = c.column_name
           and id.attnum = any(f.conkey)
         join pg_attribute account on account.attrelid = f.conrelid
           and account.attname = 'account_id' and account.attnum = any(f.conkey)
         where f.contype = 'f' and f.conrelid = format('%I', c.table_name)::regclass) as tied
       from information_schema.columns c
       join information_schema.columns owner using (table_schema, table_name)
       where c.table_schema = 'public' and owner.column_name = 'account_id'
         and c.data_type in ('integer', 'bigint') and c.column_name like '%\\_id' and c.column_name <> 'account_id' order by 1`,
    )
    const loose = columns.filter(c => !c.tied).map(c => c.name)
    expect(loose.filter(name => !LOOSE.has(name))).toEqual([])
  })
})
