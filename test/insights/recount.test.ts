import { describe, expect, it } from 'vitest'
import { foldRollups } from '#lib/domain/insights/fold.ts'
import { type Body, directly } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { clock, NOW, openShop, type Shop, serve, wrongSums } from './shop.ts'

/** A row of numbers that looks random and is the same each time (Park and Miller's). */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const day = (n: number) =>
  new Date(Date.UTC(2031, 1, 1) + n * 86_400_000).toISOString().slice(0, 10)

/** Something that happens to a business: an appointment is made, changed, moved, ended or deleted. */
async function act(shop: Shop, random: (below: number) => number, ids: number[]): Promise<void> {
  const { client: by } = shop.account
  const hour = String(random(24)).padStart(2, '0')
  const start = `${day(random(60))}T${hour}:${['00', '15', '30', '45'][random(4)]}:00Z`
  const serviceId = [shop.cut, shop.color][random(2)]!
  if (ids.length < 5 || random(3) === 0) {
    const status = ['approved', 'pending', 'canceled'][random(3)]
    const price = random(20_000)
    ids.push(Number((await serve(shop, start, { serviceId, status, price })).id))
    return
  }
  const path = `/api/services/appointments?id=${ids[random(ids.length)]}`
  const changes = [
    { startTime: start, endTime: new Date(Date.parse(start) + 1_800_000).toISOString() },
    { status: 'completed' },
    { status: 'canceled' },
    { serviceId },
    { price: random(20_000) },
    { noShow: random(2) === 0 },
    { notes: 'Nothing that counts' },
  ]
  const change = changes[random(changes.length + 1)]
  // Many of them are refused, as moves that there are not; those count for nothing.
  await (change ? by.put(path, change, clock) : by.del(path, clock))
}

/** What GET /insights must say, from what the list of appointments says. */
function expected(all: readonly Body[], from: string, to: string) {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })
  const within = all.filter(a => {
    const on = local.format(new Date(String(a.startTime)))
    return on >= from && on <= to
  })
  const done = within.filter(a => String(a.status) === 'completed')
  const revenue = done.reduce((sum, a) => sum + Number(a.price), 0)
  return {
    totalBookings: within.filter(a => String(a.status) !== 'canceled').length,
    totalRevenue: revenue,
    averageBookingValue: done.length ? Math.round(revenue / done.length) : 0,
  }
}

async function allAppointments({ account }: Shop): Promise<Body[]> {
  const all: Body[] = []
  for (let cursor = ''; ; ) {
    const page = await account.client.get(`/api/services/appointments?limit=100${cursor}`)
    all.push(...page.items)
    const next = page.body.pagination.nextCursor
    if (next === null) return all
    cursor = `&cursor=${String(next)}`
  }
}

describe('whatever happened to appointments', () => {
  it.each([11, 12, 13])('sums are what a recount says, folded or not (history %i)', async seed => {
    const shop = await openShop()
    const { accountId, client: by } = shop.account
    const random = randomFrom(seed)
    const ids: number[] = []
    for (let n = 0; n < 12; n++) {
      await Promise.all(Array.from({ length: 8 }, () => act(shop, random, ids)))
      if (n % 4 === 3) {
        expect(await wrongSums(accountId)).toEqual([])
        await directly(foldRollups)
        expect(await wrongSums(accountId)).toEqual([])
      }
    }
    const all = await allAppointments(shop)
    expect(all.length).toBeGreaterThan(20)
    for (let n = 0; n < 12; n++) {
      const [from, to] = [day(random(60)), day(random(60))].toSorted() as [string, string]
      const { body } = await by.get(`/api/services/insights?from=${from}&to=${to}`, clock)
      expect(body.data, `${from} ${to}`).toMatchObject(expected(all, from, to))
    }
  })

  it('sums stay right while they are folded twice at once and written to', async () => {
    const shop = await openShop()
    const random = randomFrom(5)
    const ids: number[] = []
    let working = true
    const folding = [1, 2].map(async () => {
      while (working) await directly(foldRollups)
    })
    for (let n = 0; n < 10; n++)
      await Promise.all(Array.from({ length: 8 }, () => act(shop, random, ids)))
    working = false
    await Promise.all(folding)
    expect(await wrongSums(shop.account.accountId)).toEqual([])
  })

  it('folding leaves one row of a key, and none that says nothing', async () => {
    const shop = await openShop()
    const { accountId } = shop.account
    for (let n = 0; n < 3; n++) await serve(shop, '2031-03-11T15:00:00Z')
    const { id } = await serve(shop, '2031-03-05T15:00:00Z', { status: 'approved' })
    await shop.account.client.put(
      `/api/services/appointments?id=${id}`,
      { startTime: '2031-03-06T15:00:00Z', endTime: '2031-03-06T16:00:00Z' },
      clock,
    )
    await directly(foldRollups)
    const rows = await queryDatabase(
      `select kind, bucket::date::text as day, completed, approved from rollups
       where account_id = $1 and kind = 'service' order by bucket`,
      [accountId],
    )
    expect(rows).toEqual([
      { kind: 'service', day: '2031-03-06', completed: 0, approved: 1 },
      { kind: 'service', day: '2031-03-11', completed: 3, approved: 0 },
    ])
    expect(NOW).toContain('2031-03-12')
  })
})
