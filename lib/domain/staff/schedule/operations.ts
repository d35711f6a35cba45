import { employees } from '#drizzle/schema/people.ts'
import { type Member, ownEmployee, requirePermission } from '#lib/core/context.ts'
import { badQuery, invalid, notFound } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import type { Permission } from '#lib/core/permissions.ts'
import type { Write } from '#lib/db/write.ts'
import {
  changeSchedule,
  changeTimeOff,
  lockSchedules,
  makeSchedule,
  scheduleFacts,
  scheduleRecord,
} from './queries.ts'
import type { EmployeeSchedule, ScheduleChange, ScheduleOf } from './schema.ts'

/** The employee that is meant: staff may only mean themselves. Undefined when nobody is. */
function employeeMeant(m: Member, asked: number | undefined, all: Permission): number | undefined {
  const own = ownEmployee(m, all, 'schedules.own')
  if (own !== undefined && asked !== undefined && asked !== own) requirePermission(m, all)
  return asked ?? m.employeeId ?? undefined
}

/**
 * The hours of an employee, in general or at one location. Without hours of their own there they
 * work the general ones, by the location's clocks.
 * @throws NOT_FOUND when the employee or the location does not exist
 */
export async function getSchedule(m: Member, asked: ScheduleOf): Promise<Json<EmployeeSchedule>> {
  const employeeId =
    employeeMeant(m, asked.employeeId, 'schedules.read') ??
    badQuery({ field: 'employeeId', message: 'required' })
  const locationId = asked.locationId ?? null
  const record = await m.tenant.text(scheduleRecord, { employeeId, locationId })
  if (record.text !== 'null') return record
  return notFound(locationId === null ? 'Employee' : 'Employee or location')
}

/**
 * Changes the hours of an employee, in general or at one location. The first change at a location
 * gives it hours of its own, which begin as a copy of the general ones.
 * @throws NOT_FOUND when the employee or the location does not exist
 */
export async function updateSchedule(
  m: Member,
  { in: asked, ...change }: ScheduleChange & { in: ScheduleOf },
): Promise<Json<EmployeeSchedule>> {
  const employeeId =
    employeeMeant(m, one('employeeId', asked, change), 'schedules.write') ??
    invalid({ field: 'employeeId', message: 'required' })
  const locationId = one('locationId', asked, change) ?? null
  const facts = await m.tenant.read(scheduleFacts, { employeeId, locationId })
  if (!facts.employee) notFound('Employee')
  if (locationId !== null && !facts.location) notFound('Location')
  if (facts.location && change.timeZone && change.timeZone !== facts.location.timeZone)
    invalid({ field: 'timeZone', message: 'at a location its own zone counts; change it there' })

  const write = m.tenant.write('schedule.update', employeeId)
  write.run(lockSchedules, { employeeId })
  const now = m.now.toISOString()
  const { timeZone } = change
  if (timeZone && locationId === null)
    write.change(employees, employeeId, { timeZone, updatedAt: now }, 'employees_gone')
  writeParts(write, { employeeId, locationId }, change, facts.timeOffIds, now)
  return write.commit(write.answer(scheduleRecord, { employeeId, locationId }))
}

/** An id that may stand in the query or in the body. */
function one(
  field: 'employeeId' | 'locationId',
  query: ScheduleOf,
  body: ScheduleChange,
): number | undefined {
  const inQuery = query[field]
  const inBody = body[field] ?? undefined
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody)
    invalid({ field, message: 'differs from the one in the query' })
  return inQuery ?? inBody
}

function writeParts(
  write: Write,
  which: { employeeId: number; locationId: number | null },
  { weekly, overrides, timeOff }: ScheduleChange,
  timeOffIds: readonly number[],
  now: string,
): void {
  if (weekly || overrides) {
    write.run(makeSchedule, { ...which, now })
    write.run(changeSchedule, { ...which, weekly: text(weekly), overrides: text(overrides), now })
  }
  if (timeOff) {
    const { employeeId } = which
    const entries = JSON.stringify(numbered(timeOff, timeOffIds))
    write.run(makeSchedule, { employeeId, locationId: null, now })
    write.run(changeTimeOff, { employeeId, timeOff: entries, now })
  }
}

const text = (part: unknown): string | null => (part === undefined ? null : JSON.stringify(part))

/** Gives every entry an id: its own if it is one of `known`, else the next. */
function numbered<T extends { id?: number | undefined }>(
  entries: readonly T[],
  known: readonly number[],
) {
  const free = new Set(known)
  let last = Math.max(0, ...known)
  return entries.map(entry => {
    const id = entry.id !== undefined && free.delete(entry.id) ? entry.id : ++last
    return { ...entry, id }
  })
}
