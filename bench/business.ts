import type pg from 'pg'
import { makeAccount, type ShownAccount } from '#dev/accounts.ts'
import { withDatabase } from '#dev/database.ts'
import { operator } from '#dev/operator.ts'

export const EMPLOYEES = 50
export const CUSTOMERS = 1000
/** Ids that no other number of a statement equals, so that they can be found in it. */
export const FIRST_EMPLOYEE = 700_001
export const FIRST_PERSON = 800_001
export const FIRST_CUSTOMER = 500_001
const FIRST_APPOINTMENT = 1_000_000_001
/** Given by everybody, and by the first five employees alone. */
export const SERVICE = { everybody: 600_001, five: 600_002 }
const DAY_MS = 86_400_000

/** A business of fifty employees with a number of appointments. */
export interface Business {
  account: ShownAccount
  /** The first and last day of a month ahead, with a booking of each employee on each workday. */
  month: { from: string; to: string }
}

/**
 * Fills a database with one business. Of its appointments each employee's first sixteen lie in the
 * month ahead, so that this month is the same whatever their number; the others lie in the years
 * before, eight a workday.
 */
export async function makeBusiness(databaseUrl: string, count: number): Promise<Business> {
  const now = new Date()
  const { base, close } = operator(databaseUrl, now)
  try {
    const account = await makeAccount(base, { plan: 'enterprise', email: 'bench@almanac.test' })
    const monday = firstMonday(now)
    await withDatabase(databaseUrl, client => fill(client, account.accountId, monday, count))
    const day = (n: number) => new Date(monday + n * DAY_MS).toISOString().slice(0, 10)
    return { account, month: { from: day(0), to: day(30) } }
  } finally {
    await close()
  }
}

/** The first Monday at least three days ahead, as milliseconds of its midnight in UTC. */
function firstMonday(now: Date): number {
  const first = Math.ceil(now.getTime() / DAY_MS) + 3
  return (first + ((11 - (first % 7)) % 7)) * DAY_MS
}

async function fill(client: pg.Client, account: number, monday: number, count: number) {
  const run = (text: string, ...params: unknown[]) => client.query(text, params)
  // Keys were checked when the rows were thought up: that spares half of the time.
  await run("set session_replication_role = 'replica'")
  await run('begin')
  await fillStaff(run, account)
  await fillCustomers(run, account)
  await fillAppointments(run, account, monday, count)
  // The triggers that count each row were off as well.
  await run(
    `insert into rollups (account_id, kind, item_id, currency, bucket, ${MEASURES}, folded)
     select *, true from recount`,
  )
  await run("select setval('appointments_id_seq', $1)", FIRST_APPOINTMENT + count)
  await run('commit')
  await run('vacuum analyze')
}

const MEASURES =
  'pending, approved, completed, canceled, rejected, no_shows, host_no_shows, minutes, revenue'

type Run = (text: string, ...params: unknown[]) => Promise<unknown>

async function fillStaff(run: Run, account: number) {
  await run(
    `insert into services (account_id, id, name, slug, duration, price, created_at, updated_at)
     values ($1, $2, 'Cut', 'cut', 30, 4500, now(), now()),
            ($1, $3, 'Colour', 'colour', 30, 9500, now(), now())`,
    account,
    SERVICE.everybody,
    SERVICE.five,
  )
  await run(
    'insert into people (account_id, id) select $1, $2::int + i from generate_series(0, $3::int - 1) i',
    account,
    FIRST_PERSON,
    EMPLOYEES,
  )
  await run(
    `insert into employees
       (account_id, id, person_id, name, email, time_zone, all_services, created_at, updated_at)
     select $1, $2::int + i, $3::int + i, 'Employee ' || i, 'e' || i || '@almanac.test',
       'America/New_York', false, now(), now() from generate_series(0, $4::int - 1) i`,
    account,
    FIRST_EMPLOYEE,
    FIRST_PERSON,
    EMPLOYEES,
  )
  await run(
    `insert into employee_services (account_id, employee_id, service_id)
     select account_id, id, $2::int from employees where account_id = $1 and id >= $4
     union all select account_id, id, $3::int from employees
       where account_id = $1 and id >= $4 and id < $4 + 5`,
    account,
    SERVICE.everybody,
    SERVICE.five,
    FIRST_EMPLOYEE,
  )
  await run(
    `insert into employee_schedules (account_id, employee_id, weekly, created_at, updated_at)
     select account_id, id, $2::jsonb, now(), now() from employees where account_id = $1`,
    account,
    JSON.stringify(
      [1, 2, 3, 4, 5].map(day => ({ day, intervals: [{ start: '09:00', end: '17:00' }] })),
    ),
  )
}

async function fillCustomers(run: Run, account: number) {
  await run(
    `insert into customers (account_id, id, name, phone, created_at, updated_at)
     select $1, $2::int + i, 'Customer ' || i, '+1212' || (5550000 + i), now(), now()
     from generate_series(0, $3::int - 1) i`,
    account,
    FIRST_CUSTOMER,
    CUSTOMERS,
  )
}

/** Row i is the n-th of employee i mod 50: its slot follows from n, its customer from both. */
async function fillAppointments(run: Run, account: number, monday: number, count: number) {
  await run(
    `create temporary table made on commit drop as
     select i, i % $3::int as e, case
       when i / $3::int < 16 then $4::timestamptz + (i / $3::int / 4 * 7 + i / $3::int % 4) * interval '1 day'
       else $4::timestamptz - ((i / $3::int - 16) / 40 * 7 + 7 - (i / $3::int - 16) / 8 % 5) * interval '1 day'
     end + (14 * 60 + case when i / $3::int < 16 then (i % 7) * 60 else (i / $3::int - 16) % 8 * 60 end)
       * interval '1 minute' as at, $1::int as account_id, $2::int + i as id
     from generate_series(0, $5::int - 1) i`,
    account,
    FIRST_APPOINTMENT,
    EMPLOYEES,
    new Date(monday).toISOString(),
    count,
  )
  await run(
    `insert into appointments (account_id, id, uid, service_id, customer_id, employee_id, status,
       start_time, end_time, price, currency, total_amount, source, notes, created_at, updated_at)
     select account_id, id, md5(account_id || ':' || i), case when e < 5 then $2::int else $3::int end,
       $4::int + (hashint4(i) & 2147483647) % $5::int, $6::int + e,
       case when i % 20 = 19 then 'canceled' when at < now() then 'completed' else 'approved' end,
       at, at + interval '30 minutes', 4500, 'usd', 4500, 'api',
       case when i % 3 = 0 then 'Likes the window seat' end, at - interval '9 days', at - interval '9 days'
     from made where account_id = $1 order by at`,
    account,
    SERVICE.five,
    SERVICE.everybody,
    FIRST_CUSTOMER,
    CUSTOMERS,
    FIRST_EMPLOYEE,
  )
  await run(
    `insert into occupancies (account_id, person_id, source, source_id, blocked)
     select account_id, $2::int + e, 'appointment', id, tstzrange(at, at + interval '30 minutes')
     from made where account_id = $1 and i % 20 <> 19 order by e, at`,
    account,
    FIRST_PERSON,
  )
}
