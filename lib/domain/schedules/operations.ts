import { schedules } from '#drizzle/schema/calendar.ts'
import type { Member } from '#lib/core/context.ts'
import { removal } from '#lib/core/crud.ts'
import { notFound } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { lister } from '#lib/db/list.ts'
import { ownerOf, ownFilter, ownUser } from '#lib/domain/teams/reach.ts'
import { DEFAULT_AVAILABILITY } from './hours.ts'
import {
  clearDefault,
  hasNoDefault,
  lockSchedules,
  newScheduleRecord,
  requireOther,
  scheduleList,
  scheduleOwner,
  scheduleRecord,
  zoneOf,
} from './queries.ts'
import type { NewSchedule, ScheduleChange, ScheduleFilter, UserSchedule } from './schema.ts'

const page = lister<UserSchedule>(scheduleList)

/** The schedules that a member sees: everybody's, or their own. */
export const listSchedules = async (
  m: Member,
  filter: ScheduleFilter,
): Promise<Page<UserSchedule>> => page(m.tenant, { ...filter, own: ownFilter(m) })

/**
 * One schedule.
 * @throws NOT_FOUND when it does not exist, or the member does not see it
 */
export async function findSchedule(m: Member, { id }: { id: number }): Promise<Json<UserSchedule>> {
  const record = await m.tenant.text(scheduleRecord, { id, own: ownUser(m, 'calendar.read') })
  return existing(record, 'Schedule')
}

/**
 * Makes a schedule of a user. Their first is their default; another that is to be takes its place.
 * @throws NOT_FOUND when the user is not of this account
 */
export async function createSchedule(m: Member, input: NewSchedule): Promise<Json<UserSchedule>> {
  const { ownerId: asked, isDefault, ...rest } = input
  const userId = ownerOf(m, asked)
  const now = m.now.toISOString()
  const write = m.tenant.write('user_schedule.create')
  write.run(lockSchedules, { userId })
  if (isDefault) write.run(clearDefault, { userId, now })
  write.insert(schedules, {
    userId,
    ...rest,
    timeZone: rest.timeZone ?? zoneOf(userId),
    isDefault: isDefault || hasNoDefault(m.accountId, userId),
    availability: rest.availability ?? DEFAULT_AVAILABILITY,
    overrides: rest.overrides ?? [],
    createdAt: now,
    updatedAt: now,
  })
  return write.commit(write.answer(newScheduleRecord, {}))
}

/** Whose schedule it is, if the member may change it. */
async function ownerOfSchedule(m: Member, id: number): Promise<number> {
  const own = ownUser(m, 'calendar.write')
  const found = await m.tenant.read(scheduleOwner, { id, own })
  return (found ?? notFound('Schedule')).userId
}

/**
 * Changes a schedule; what is left out stays, a list that is given replaces the one there is.
 * @throws CONFLICT when the default is to be it no more: another has to become it
 */
export async function updateSchedule(
  m: Member,
  { id, isDefault, ...change }: ScheduleChange & { id: number },
): Promise<Json<UserSchedule>> {
  const userId = await ownerOfSchedule(m, id)
  const now = m.now.toISOString()
  const write = m.tenant.write('user_schedule.update', id)
  write.run(lockSchedules, { userId })
  if (isDefault === false) write.run(requireOther, { id })
  if (isDefault) write.run(clearDefault, { userId, now })
  const flag = isDefault ? { isDefault } : {}
  write.change(schedules, id, { ...change, ...flag, updatedAt: now }, 'schedules_gone')
  return write.commit(write.answer(scheduleRecord, { id, own: null }))
}

/**
 * Deletes a schedule. What was booked by its hours goes by the default of its user from then on.
 * @throws CONFLICT for the default, which the last one always is
 */
export async function deleteSchedule(m: Member, { id }: { id: number }): Promise<Deleted> {
  const userId = await ownerOfSchedule(m, id)
  const write = m.tenant.write('user_schedule.delete', id)
  write.run(lockSchedules, { userId }).run(requireOther, { id })
  write.run(removal(schedules), { id })
  return write.commit({ id, deleted: true })
}
