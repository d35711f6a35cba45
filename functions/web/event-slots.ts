import type { PublicSlots } from '#lib/domain/appointments/availability.ts'
import type { SlotsByDay } from '#lib/domain/bookings/slots.ts'

/** Slots of event types as the months of pages show them; `seats` where each has its count. */
export const shownSlots = (days: SlotsByDay, seats: number | null = null): PublicSlots['slots'] =>
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
