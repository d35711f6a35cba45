import { type SQL, sql } from 'drizzle-orm'
import { jobRuns } from '#drizzle/schema/events.ts'
import { workflows } from '#drizzle/schema/workflows.ts'
import type { Base } from '#lib/core/context.ts'
import { iso } from '#lib/db/json.ts'
import { entrance, type Slots } from '#lib/db/query.ts'
import { instantOf, isAfter, isBefore, makingAt, shift, TABLES } from './instants.ts'
import { insertMessages, type Subject } from './messages.ts'

const w = workflows

interface Params {
  /** One account's alone, or everybody's. */
  accountId: number | null
  /** Where the window begins; null for where the last run ended. */
  after: string | null
  now: string
}

/** What fell due longer ago than this is not made up for, whatever held up the clock. */
const LONGEST = sql.raw(`interval '1 day'`)
const DAY_MS = 86_400_000
/** So much of a longer standstill is dealt with by one statement; of one account's all of it. */
const sliceOf = (p: Slots<Params>): SQL =>
  sql`case when ${p.accountId}::int is null then interval '1 hour' else ${LONGEST} end`
/**
 * How far a run looks behind the end of the last one: what was booked a moment before its instant may
 * have been committed a moment after. What was sent then is not sent again.
 */
const OVERLAP = sql.raw(`interval '2 minutes'`)
/** No booking is longer: behind the start by so much, nothing can still be ending. */
const LONGEST_BOOKING = sql.raw(`interval '8 days'`)

/** The end of the last run before `now`, at most a day ago. */
const begin = (p: Slots<Params>): SQL => sql`coalesce(${p.after}::timestamptz,
  (select max(${jobRuns.until}) from ${jobRuns} where ${jobRuns.job} = 'workflows'
    and ${jobRuns.until} < ${p.now}::timestamptz
    and ${jobRuns.until} > ${p.now}::timestamptz - ${LONGEST}),
  ${p.now}::timestamptz - ${LONGEST})`
const end = (p: Slots<Params>): SQL =>
  sql`least(${p.now}::timestamptz, ${begin(p)} + ${sliceOf(p)})`

/**
 * The messages whose instant lies in the window. The conditions on the start alone are those that an
 * index finds it by.
 */
function dueOf(subject: Subject) {
  const { accountId, startTime } = TABLES[subject]
  const instant = instantOf(subject)
  return entrance<Params, unknown>(p =>
    insertMessages(
      subject,
      makingAt(
        subject,
        p.now,
        sql`${w.trigger} in ('beforeEvent', 'afterEvent', 'afterHostsCalVideoNoShow',
          'afterGuestsCalVideoNoShow')
        and (${p.accountId}::int is null or ${w.accountId} = ${p.accountId}::int)
        and ${accountId} = ${w.accountId}
        and ${startTime} > ${begin(p)} - ${OVERLAP} + ${shift}
          - case when ${isAfter} then ${LONGEST_BOOKING} else interval '0' end
        and ${startTime} <= ${end(p)} + ${shift}
        and ${instant} > ${begin(p)} - ${OVERLAP} and ${instant} <= ${end(p)}
        and (not ${isBefore} or ${startTime} > ${p.now}::timestamptz)`,
      ),
    ),
  )
}

const DUE = [dueOf('booking'), dueOf('appointment')]

/** Where the window ended. A run for everybody notes it, so that the next takes up there. */
const noteEnd = entrance<Params, string>(
  p => sql`with noted as (
    insert into ${jobRuns} (job, until) select 'workflows', ${end(p)}
    where ${p.accountId}::int is null on conflict do nothing
  ) select to_json(${iso(end(p))})`,
)

/**
 * Queues what workflows send before or after bookings and appointments, for every instant since the
 * last run: once for each step, reader and instant, however many runs there are at once. Before a
 * start it is sent as long as that is ahead; nothing is sent that fell due more than a day ago, or
 * before the workflow, or the booking itself, was made.
 * @param accountId one account alone
 * @param isWhole looks at all that a run may send still, whatever other runs have looked at
 */
export async function queueDueWorkflows(
  base: Base,
  { accountId = null, isWhole = false }: { accountId?: number | null; isWhole?: boolean } = {},
): Promise<void> {
  const now = base.now.toISOString()
  const dayAgo = new Date(base.now.getTime() - DAY_MS).toISOString()
  for (let after: string | null = isWhole ? dayAgo : null; after !== now; ) {
    const params: Params = { accountId, after, now }
    const results = await base.db.trip([...DUE, noteEnd].map(query => query.with(params)))
    const reached: string = JSON.parse(results.at(-1)?.[0]?.[0] ?? 'null') ?? now
    after = reached
  }
}
