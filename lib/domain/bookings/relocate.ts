import type { Base } from '#lib/core/context.ts'
import type { Write } from '#lib/db/write.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import { emitBookings } from './events.ts'
import { changeBooking, type Known } from './known.ts'
import type { Place } from './places.ts'

/** Where people go, or click. */
const urlOf = ({ meetingUrl, location }: Place): string | null => meetingUrl ?? location

const isElsewhere = (was: Known, place: Place): boolean => urlOf(place) !== urlOf(was)

/** Emits MEETING_URL_CHANGED where a place is another than the booking had; goes after the change. */
export function emitPlace(write: Write, base: Base, was: Known, place: Place): void {
  if (isElsewhere(was, place))
    emitBookings(write, base, 'MEETING_URL_CHANGED', [was.id], { previous: { url: urlOf(was) } })
}

/** Everything that gives a booking another place at the time that it has. */
export function addRelocation(write: Write, base: Base, was: Known, place: Place): void {
  if (!isElsewhere(was, place)) return
  changeBooking(write, base, was, { ...place, roomAt: null })
  emitPlace(write, base, was, place)
  tellBookings(write, base, 'changed', [was.id])
}
