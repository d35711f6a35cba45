import pg from 'pg'
import { operator, ownerOf } from '#dev/operator.ts'
import type { Member } from '#lib/core/context.ts'
import {
  dashboardSummary,
  getBusiestDays,
  getInsights,
  getRevenue,
  getStaffPerformance,
  getStats,
} from '#lib/domain/insights/operations.ts'
import { startBackend } from './backend.ts'
import { makeBusiness } from './business.ts'
import { digits, median, printTable, repeat } from './report.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const ROUNDS = 7
const SECONDS = 60
const ALL = { from: '2018-01-01', to: '2027-12-31' }

interface Side {
  m: Member
  client: pg.Client
  accountId: number
  close(): Promise<void>
}

/** What the sums spare: adding up the appointments themselves, from an index that has all of it. */
const addingUp = ({ client, accountId }: Side) =>
  client.query({
    name: 'adding up',
    text: `select service_id, count(*) filter (where status <> 'canceled'),
        sum(price) filter (where status = 'completed') from appointments
      where account_id = $1 and start_time >= $2 and start_time < $3 group by 1`,
    values: [accountId, ALL.from, ALL.to],
  })

const day = (m: Member, days: number) =>
  new Date(m.now.getTime() - days * 86_400_000).toISOString().slice(0, 10)

const CASES: [name: string, run: (side: Side) => Promise<unknown>][] = [
  ['insights, 30 days', ({ m }) => getInsights(m, {})],
  ['insights, 10 years', ({ m }) => getInsights(m, ALL)],
  ['adding up the appointments, 10 years', addingUp],
  ['stats', ({ m }) => getStats(m)],
  ['dashboard_summary', ({ m }) => dashboardSummary(m)],
  ['revenue_report, a year', ({ m }) => getRevenue(m, { from: day(m, 364) })],
  ['busiest_days, a year', ({ m }) => getBusiestDays(m, { from: day(m, 364) })],
  ['staff_performance, a year', ({ m }) => getStaffPerformance(m, { from: day(m, 364) })],
]

async function open(url: string, size: number): Promise<Side> {
  const { account } = await makeBusiness(url, size)
  const { base, close } = operator(url, new Date())
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `create index appointments_covering on appointments (account_id, start_time)
     include (service_id, status, price)`,
  )
  await client.query('vacuum analyze appointments')
  return {
    m: ownerOf(base, account),
    client,
    accountId: account.accountId,
    close: async () => {
      await client.end()
      await close()
    },
  }
}

/** How long figures take in businesses of a thousand to a million appointments. */
export async function run(): Promise<void> {
  const backend = await startBackend()
  const sides: Side[] = []
  try {
    for (const size of SIZES) {
      const { url } = await backend.createDatabase(`insights_${size}`)
      sides.push(await open(url, size))
    }
    const found = CASES.map(() => sides.map(() => [] as number[]))
    await repeat(ROUNDS, SECONDS, async (_, counts) => {
      for (const [i, [, ask]] of CASES.entries())
        for (const [j, side] of sides.entries()) {
          const began = performance.now()
          await ask(side)
          if (counts) found[i]![j]!.push(performance.now() - began)
        }
    })
    printTable(
      'insights: ms by the appointments of the account (medians of rounds in turn)',
      ['', ...SIZES.map(size => size.toLocaleString('en-US')), 'last / first'],
      found.map((row, i) => {
        const times = row.map(median)
        return [CASES[i]![0], ...times.map(digits), (times.at(-1)! / times[0]!).toFixed(1)]
      }),
    )
  } finally {
    for (const side of sides) await side.close()
    await backend.stop()
  }
}
