import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Cells, Statement } from '#lib/db/client.ts'
import { claimDeliveries, readClaimed, recordDeliveries } from '#lib/events/queries.ts'
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
  for (const [round, backlog] of [100, 15_000].entries()) {
    await leaveMany(client, 100_000 * (round + 1), backlog)
    await client.query('begin')
    const now = new Date().toISOString()
    const asked = claimDeliveries(accountId, { limit: 50, now, busy: [] })
    const claimed = await pagesOf(client, asked)
    const taken = await client.query<{ id: string }>(
      'select id from deliveries where account_id = $1 and leased_until > $2',
      [accountId, now],
    )
    expect(taken.rows).toHaveLength(50)
    const outcomes = taken.rows.map(({ id }) => ({
      ...{ accountId, id: Number(id), attempts: 1, status: 'delivered' as const },
      ...{ responseCode: 200, durationMs: 1, error: null, nextAt: null },
    }))
    const noted = await pagesOf(
      client,
      recordDeliveries.with({ outcomes: JSON.stringify(outcomes), now }),
    )
    const left = await client.query<{ n: number }>(
      'select count(*)::int as n from deliveries where account_id = $1 and finished_at = $2',
      [accountId, now],
    )
    expect(left.rows).toEqual([{ n: 50 }])
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

/** How many pages Postgres looks at to carry out a statement. */
async function pagesOf(client: pg.Client, { text, params }: Statement): Promise<number> {
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
    text: `explain (analyze, buffers, format json) ${text}`,
    values: [...params],
  })
  const { Plan: plan } = explained.rows[0]!['QUERY PLAN'][0]
  return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
}
