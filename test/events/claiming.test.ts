import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClaimedDelivery, claimDeliveries } from '#lib/events/queries.ts'
import { type OwnPlatform, startOwnPlatform } from '../own-platform.ts'
import { leaveEvents, openSubscriber, type Subscriber } from './subscriber.ts'

let platform: OwnPlatform
let shop: Subscriber
const clients: pg.Client[] = []

beforeAll(async () => {
  platform = await startOwnPlatform()
  shop = await openSubscriber(platform)
  for (let n = 0; n < 6; n++) {
    const client = new pg.Client({ connectionString: platform.databaseUrl })
    await client.connect()
    clients.push(client)
  }
})
afterAll(async () => {
  for (const client of clients) await client.end()
  await platform.stop()
})

/** Claims as a run does, and sends nothing. */
async function claim(client: pg.Client, limit = 100, busy: number[] = []): Promise<number[]> {
  const now = new Date().toISOString()
  const { text, params } = claimDeliveries(shop.account.accountId, { limit, now, busy })
  const types = { getTypeParser: () => (value: string) => value }
  const result = await client.query({ text, values: [...params], rowMode: 'array', types })
  const claimed = JSON.parse(String((result.rows as string[][])[0]?.[0])) as ClaimedDelivery[]
  return claimed.map(({ id }) => id)
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
