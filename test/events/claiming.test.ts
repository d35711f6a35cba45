import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Cells, Statement } from '#lib/db/client.ts'
import { claimDeliveries, readClaimed } from '#lib/events/claim.ts'
import { type DeliveryOutcome, recordDeliveries } from '#lib/events/outcomes.ts'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { leaveEvents, openSubscriber, type Subscriber } from './subscriber.ts'

let platform: OwnPlatform
let shop: Subscriber
const clients: pg.Client[] = []

beforeAll(async () => {
  platform = await emptyOwnPlatform()
  shop = await openSubscriber(platform)
  for (let n = 0; n < 6; n++) {
    const client = new pg.Client({ connectionString: platform.databaseUrl })
    await client.connect()
    clients.push(client)
  }
})
afterAll(async () => {
  for (const client of clients) await client.end()
})

/** Claims as a run does, and sends nothing. */
async function claim(client: pg.Client, limit = 100, busy: number[] = []): Promise<number[]> {
  const now = new Date().toISOString()
  const { text, params } = claimDeliveries(shop.account.accountId, { limit, now, busy })
  const types = { getTypeParser: () => (value: string) => value }
  const result = await client.query({ text, values: [...params], rowMode: 'array', types })
  return readClaimed(result.rows as unknown as Cells).map(({ id }) => id)
}

const subjects = (count: number, first: number) =>
  Array.from({ length: count }, (_, n) => ({ subjectId: first + n, version: 1 }))

it('a claim passes over what another is taking, without waiting for it', async () => {
  const [a, b] = clients as [pg.Client, pg.Client]
  await shop.subscribe('http://127.0.0.1:9/one')
  await leaveEvents(shop, subjects(10, 100))
  await a.query('begin')
  const first = await claim(a, 4)
  const second = await claim(b)
  await a.query('commit')
  expect(first).toHaveLength(4)
  expect(second).toHaveLength(6)
  expect(new Set([...first, ...second]).size).toBe(10)
  expect(await claim(a)).toEqual([])
})

it('of six claims at once each takes others', async () => {
  for (let round = 1; round <= 8; round++) {
    await leaveEvents(shop, subjects(40, round * 1000))
    const taken = (await Promise.all(clients.map(client => claim(client)))).flat()
    expect(new Set(taken).size, `round ${round}`).toBe(taken.length)
    const left = await claim(clients[0]!)
    expect(taken.length + left.length).toBe(40)
  }
})

it('a claim goes round the webhooks, and leaves out those that are busy', async () => {
  const [client] = clients as [pg.Client]
  const other = await shop.subscribe('http://127.0.0.1:9/other')
  await leaveEvents(shop, subjects(20, 50_000))
  const mine = (ids: number[]) => ids.filter(id => others.has(id)).length
  const others = new Set((await shop.deliveries(other)).map(d => Number(d.id)))
  const six = await claim(client, 6)
  expect(mine(six)).toBe(3)
  const rest = await claim(client, 100, [other])
  expect(mine(rest)).toBe(0)
  expect(rest).toHaveLength(17)
})

it('a claim, and the note of what came of it, cost the same however much waits', async () => {
  const [client] = clients as [pg.Client]
  const accountId = shop.account.accountId
  // The planner believes that almost nothing waits, as it does where all is well.
  await client.query('delete from deliveries where account_id = $1', [accountId])
  await leaveMany(client, 10_000, 3000)
  await client.query("update deliveries set status = 'delivered', finished_at = now()")
  await client.query('vacuum analyze deliveries')
  const pages: number[] = []
  for (const [round, backlog] of [300, 15_000].entries()) {
    await leaveMany(client, 100_000 * (round + 1), backlog)
    await client.query('begin')
    const now = new Date().toISOString()
    const asked = claimDeliveries(accountId, { limit: 200, now, busy: [] })
    const claimed = await pagesOf(client, asked)
    const taken = await client.query<{ id: string; webhookId: number }>(
      'select id, webhook_id as "webhookId" from deliveries where account_id = $1 and leased_until > $2',
      [accountId, now],
    )
    expect(taken.rows).toHaveLength(200)
    const outcomes = taken.rows.map(({ id, webhookId }) => ({
      ...{ accountId, webhookId, id: Number(id), attempts: 1, status: 'delivered' as const },
      ...{ responseCode: 200, durationMs: 1, error: null, nextAt: null },
    }))
    const noted = await pagesOf(client, recordDeliveries(outcomes, now))
    const left = await client.query<{ n: number }>(
      'select count(*)::int as n from deliveries where account_id = $1 and finished_at = $2',
      [accountId, now],
    )
    expect(left.rows).toEqual([{ n: 200 }])
    await client.query('rollback')
    pages.push(claimed + noted)
  }
  expect(pages[1]!, `${pages}`).toBeLessThan(1.5 * pages[0]!)
})

it('a claim changes no index', async () => {
  const [client] = clients as [pg.Client]
  await client.query('vacuum deliveries')
  await leaveMany(client, 900_000, 200)
  const changes = async () => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<{ all: number; hot: number }>(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables
       where relname = 'deliveries'`,
    )
    return rows[0]!
  }
  const before = await changes()
  expect(await claim(client, 100)).toHaveLength(100)
  const after = await changes()
  expect(after.all - before.all).toBe(100)
  expect(after.hot - before.hot).toBeGreaterThan(90)
})

/** Leaves as many deliveries, each of a subject of its own, to one webhook. */
const leaveMany = (client: pg.Client, firstSubject: number, count: number) =>
  client.query(
    `with made as (
       insert into events (account_id, type, subject, subject_id, version, payload, created_at)
       select $1, 'SERVICE_BOOKING_UPDATED', 'appointment', $2::int + n, 1, '{}', now()
       from generate_series(1, $3::int) n returning *
     )
     insert into deliveries (account_id, webhook_id, event_id, subject, subject_id, created_at)
     select account_id, (select min(id) from webhooks where account_id = $1), id, subject,
       subject_id, created_at from made order by id`,
    [shop.account.accountId, firstSubject, count],
  )

/** How many pages Postgres looks at to carry out a statement. It never reads all deliveries for it. */
async function pagesOf(client: pg.Client, { text, params }: Statement): Promise<number> {
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
    text: `explain (analyze, buffers, format json) ${text}`,
    values: [...params],
  })
  const { Plan: plan } = explained.rows[0]!['QUERY PLAN'][0]
  const scanned = /"Node Type":"Seq Scan","(?:(?!"Node Type").)*"Relation Name":"(\w+)"/g
  const tables = [...JSON.stringify(plan).matchAll(scanned)].map(found => found[1])
  expect(tables).not.toContain('deliveries')
  return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
}

let lateSubject = 2_000_000
/** A delivery that somebody is trying for the second time, and what its first sender may say of it. */
async function overtaken(): Promise<DeliveryOutcome> {
  const webhookId = await shop.subscribe(`http://127.0.0.1:9/${randomUUID()}`)
  await leaveEvents(shop, [{ subjectId: ++lateSubject, version: 1 }])
  const { rows } = await clients[0]!.query<{ id: string }>(
    `update deliveries set attempts = 2, leased_until = now() + interval '1 minute'
     where webhook_id = $1 returning id`,
    [webhookId],
  )
  return {
    ...{ accountId: shop.account.accountId, webhookId, id: Number(rows[0]?.id), attempts: 1 },
    ...{ status: 'pending', responseCode: 500, durationMs: 3, error: 'Answered 500' },
    nextAt: new Date().toISOString(),
  }
}

async function note(outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const { text, params } = recordDeliveries(outcomes, new Date().toISOString())
  await clients[0]!.query({ text, values: [...params] })
}

async function stateOf({ webhookId, id }: DeliveryOutcome) {
  const { rows } = await clients[0]!.query(
    `select status, attempts, leased_until > now() as leased, response_code as code,
       (select count(*)::int from delivery_attempts where delivery_id = d.id) as log
     from deliveries d where webhook_id = $1 and id = $2`,
    [webhookId, id],
  )
  return rows[0]
}

describe('the note of a try', () => {
  it('changes nothing when another has begun meanwhile, and this one failed', async () => {
    const late = await overtaken()
    const before = await stateOf(late)
    await note([late])
    expect(await stateOf(late)).toEqual(before)
    await note([{ ...late, status: 'released', responseCode: null, durationMs: null, error: null }])
    expect(await stateOf(late)).toEqual(before)
    expect(before).toMatchObject({ status: 'pending', attempts: 2, leased: true, log: 0 })
  })

  it('counts when it arrived, however late', async () => {
    const late = await overtaken()
    await note([{ ...late, status: 'delivered', responseCode: 200, error: null, nextAt: null }])
    expect(await stateOf(late)).toMatchObject({ status: 'delivered', attempts: 1, code: 200 })
    await note([late])
    expect(await stateOf(late)).toMatchObject({ status: 'delivered', log: 0 })
  })

  it('is passed over when its webhook was deleted, and the others are noted', async () => {
    const [gone, stays] = [await overtaken(), await overtaken()]
    await shop.client.del(`/api/services/webhooks?id=${gone.webhookId}`)
    const error = `"quoted", {braced} \\ 'and' null`
    await note([
      { ...gone, attempts: 2 },
      { ...stays, attempts: 2, error },
    ])
    expect(await stateOf(stays)).toMatchObject({ status: 'pending', leased: false, log: 1 })
    const [kept] = await shop.deliveries(stays.webhookId)
    expect(kept).toMatchObject({ error })
  })

  it('ends what another has begun, too, when it switches its webhook off', async () => {
    const late = await overtaken()
    const { webhookId } = late
    const long = "update webhooks set failing_since = now() - interval '6 days' where id = $1"
    await clients[0]!.query(long, [webhookId])
    await note([late])
    expect(await shop.webhook(webhookId)).toMatchObject({ active: false })
    expect(await stateOf(late)).toMatchObject({ status: 'failed', log: 0 })
  })
})
