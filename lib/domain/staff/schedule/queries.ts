import { type SQL, sql } from 'drizzle-orm'
import { locations } from '#drizzle/schema/company.ts'
import { employeeSchedules, employees } from '#drizzle/schema/people.ts'
import { json, jsonArray, jsonRow } from '#lib/db/json.ts'
import { from, into, named, query } from '#lib/db/query.ts'
import { DEFAULT_WEEKLY } from '../hours.ts'
import type { EmployeeSchedule } from './schema.ts'

const own = named(employeeSchedules, 'own')
const general = named(employeeSchedules, 'general')

const defaultWeekly = sql`${sql.param(JSON.stringify(DEFAULT_WEEKLY))}::jsonb`
const none = sql`'[]'::jsonb`

/** Whose schedule, and where; without a location the one in general. */
interface Which {
  employeeId: number
  locationId: number | null
}

/** A schedule as it is in force; null when the employee or the location does not exist. */
export const scheduleRecord = query<Which, EmployeeSchedule>(
  p => sql`select ${json<EmployeeSchedule>({
    employeeId: employees.id,
    locationId: locations.id,
    timeZone: sql`coalesce(${locations.timeZone}, ${employees.timeZone})`,
    weekly: sql`coalesce(${own.weekly}, ${general.weekly}, ${defaultWeekly})`,
    overrides: sql`coalesce(${own.overrides}, ${general.overrides}, ${none})`,
    timeOff: sql`coalesce(${own.timeOff}, ${general.timeOff}, ${none})`,
  })} from ${employees}
    left join ${locations} on ${locations.accountId} = ${p.account}
      and ${locations.id} = ${p.locationId}::int and ${locations.deletedAt} is null
    left join ${from(own)} on ${own.accountId} = ${p.account}
      and ${own.employeeId} = ${employees.id} and ${own.locationId} = ${locations.id}
    left join ${from(general)} on ${general.accountId} = ${p.account}
      and ${general.employeeId} = ${employees.id} and ${general.locationId} is null
    where ${employees.accountId} = ${p.account} and ${employees.id} = ${p.employeeId}::int
      and ${employees.deletedAt} is null
      and (${p.locationId}::int is null or ${locations.id} is not null)`,
)

/** What changing a schedule takes. */
export interface ScheduleFacts {
  employee: boolean
  /** Null when no location is meant or it does not exist. */
  location: { timeZone: string } | null
  timeOffIds: number[]
}

/** What changing a schedule needs to know beforehand. */
export const scheduleFacts = query<Which, ScheduleFacts>(
  p =>
    sql`select ${json({
      employee: sql`exists (select from ${employees} where ${employees.accountId} = ${p.account}
      and ${employees.id} = ${p.employeeId}::int and ${employees.deletedAt} is null)`,
      location: jsonRow(
        json({ timeZone: locations.timeZone }),
        sql`from ${locations} where ${locations.accountId} = ${p.account}
        and ${locations.id} = ${p.locationId}::int and ${locations.deletedAt} is null`,
      ),
      timeOffIds: jsonArray(
        sql`distinct (entry->>'id')::int`,
        sql`from ${employeeSchedules}, jsonb_array_elements(${employeeSchedules.timeOff}) as entry
        where ${employeeSchedules.accountId} = ${p.account}
          and ${employeeSchedules.employeeId} = ${p.employeeId}::int`,
      ),
    })}`,
)

/** Makes other changes of the employee's schedules wait, so that each sees what the last one left. */
export const lockSchedules = query<{ employeeId: number }, unknown>(
  p => sql`with held as (
    select 1 from ${employees} where ${employees.accountId} = ${p.account}
      and ${employees.id} = ${p.employeeId}::int and ${employees.deletedAt} is null
    for no key update
  ) select must(exists (select from held), 'employees_gone')`,
)

/** Makes the row of a schedule, if there is none: at a location it begins as the one in general. */
export const makeSchedule = query<Which & { now: string }, unknown>(
  p => sql`insert into ${into(
    employeeSchedules,
    employeeSchedules.employeeId,
    employeeSchedules.locationId,
    employeeSchedules.weekly,
    employeeSchedules.overrides,
    employeeSchedules.timeOff,
    employeeSchedules.createdAt,
    employeeSchedules.updatedAt,
  )}
    select ${p.account}::int, ${p.employeeId}::int, ${p.locationId}::int,
      coalesce(${general.weekly}, ${defaultWeekly}), coalesce(${general.overrides}, ${none}),
      coalesce(${general.timeOff}, ${none}), ${p.now}::timestamptz, ${p.now}::timestamptz
    from (values (1)) as one
    left join ${from(general)} on ${general.accountId} = ${p.account}
      and ${general.employeeId} = ${p.employeeId}::int and ${general.locationId} is null
    on conflict do nothing`,
)

const ofEmployee = (account: SQL, employeeId: SQL): SQL =>
  sql`${employeeSchedules.accountId} = ${account}
    and ${employeeSchedules.employeeId} = ${employeeId}::int`

interface Parts {
  weekly: string | null
  overrides: string | null
  now: string
}

/** Replaces the parts of one schedule that are given, as JSON. */
export const changeSchedule = query<Which & Parts, unknown>(
  p => sql`update ${employeeSchedules} set
      weekly = coalesce(${p.weekly}::jsonb, ${employeeSchedules.weekly}),
      overrides = coalesce(${p.overrides}::jsonb, ${employeeSchedules.overrides}),
      updated_at = ${p.now}::timestamptz
    where ${ofEmployee(p.account, p.employeeId)}
      and ${employeeSchedules.locationId} is not distinct from ${p.locationId}::int`,
)

/** Replaces the time off in every schedule of an employee: who is away is away everywhere. */
export const changeTimeOff = query<{ employeeId: number; timeOff: string; now: string }, unknown>(
  p => sql`update ${employeeSchedules} set time_off = ${p.timeOff}::jsonb,
      updated_at = ${p.now}::timestamptz
    where ${ofEmployee(p.account, p.employeeId)}`,
)
