import type { SlotsByDay } from '#lib/domain/bookings/slots.ts'
import type { DaySlots } from '#lib/pages/choices.ts'

/** How many days ahead there is anything to look for where the event type does not say. */
export const HORIZON_DAYS = 365

/** Slots of event types as the months of pages show them; `seats` where each has its count. */
export const shownSlots = (days: SlotsByDay, seats: number | null = null): DaySlots =>
  Object.fromEntries(
    Object.entries(days).map(([day, slots]) => [
      day,
      slots.map(({ start, attendeesCount = 0 }) => ({
        start,
        startTime: new Date(start).toISOString(),
        spotsTotal: seats ?? 1,
        spotsOpen: (seats ?? 1) - attendeesCount,
      })),
    ]),
  )
