import type { BookingShape } from '#lib/events/catalog.ts'
import type { Delivered } from '#lib/events/template.ts'

const HOUR_MS = 3_600_000

/** A made-up event of a type, as `testWebhook` sends it: an hour of tomorrow. */
export function sampleOf(triggerEvent: string, now: Date): Delivered {
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString()
  const payload: BookingShape = {
    id: 0,
    uid: 'test',
    title: 'Test of your webhook',
    type: 'test',
    startTime: at(24),
    endTime: at(25),
    organizer: { name: 'Olive Organizer', email: 'organizer@example.com' },
    attendees: [{ name: 'Ann Attendee', email: 'attendee@example.com', timeZone: 'UTC' }],
  }
  return { triggerEvent, createdAt: now.toISOString(), payload }
}
