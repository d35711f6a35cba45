import { ById } from '#lib/core/schemas.ts'
import { SlotsQuery } from '#lib/domain/bookings/schema.ts'
import { listSlots } from '#lib/domain/bookings/slots.ts'
import {
  createSchedule,
  deleteSchedule,
  findSchedule,
  listSchedules,
} from '#lib/domain/schedules/operations.ts'
import { NewSchedule, ScheduleFilter } from '#lib/domain/schedules/schema.ts'
import { DELETED } from '#lib/mcp/output.ts'
import { creates, deletes, reads, type Tools } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** When meetings can be booked. */
export const tools: Tools = {
  list_schedules: reads(
    'List schedules: the weekly hours in which users can be booked, in their time zones.',
    ScheduleFilter,
    listSchedules,
    ANSWER.schedules,
  ),
  get_schedule: reads('Read one schedule whole.', ById, findSchedule, ANSWER.schedule),
  create_schedule: creates(
    'Make a schedule of weekly hours, in wall-clock time of its time zone, with other hours for single dates.',
    NewSchedule,
    createSchedule,
    ANSWER.schedule,
  ),
  delete_schedule: deletes(
    'Delete a schedule. The default schedule cannot be deleted.',
    ById,
    deleteSchedule,
    DELETED,
  ),
  get_available_slots: reads(
    'The free starts of an event type by day, over at most 93 days. Name the time zone in which the user speaks of times. For services ask check_availability.',
    SlotsQuery,
    listSlots,
  ),
}
