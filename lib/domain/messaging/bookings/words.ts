import type { BookingDate, BookingStatus, ShownBooking } from './schema.ts'

const PLACES: Record<string, string> = {
  attendeePhone: 'By phone',
  phone: 'By phone',
  attendeeAddress: 'At your place',
  address: 'In person',
  link: 'Online',
  'integrations:jitsi': 'Video meeting',
  'integrations:daily': 'Video meeting',
}

/** Where a meeting is: its link, else the place in words. */
export const placeOf = ({
  location,
  meetingUrl,
}: Pick<ShownBooking, 'location' | 'meetingUrl'>): string | null =>
  meetingUrl ?? (location === null ? null : (PLACES[location] ?? location))

/** Who hosts it, in words. */
export const hostsOf = ({ hosts, organizer }: ShownBooking): string =>
  hosts.length > 0 ? hosts.map(h => h.name).join(', ') : organizer.name

const REASONS: Record<string, string> = { expired: 'Nobody could join in time.' }

/** Why it was cancelled or turned down, if anybody said. */
export function reasonOf({
  status,
  cancellationReason,
  rejectionReason,
}: Pick<ShownBooking, 'status' | 'cancellationReason' | 'rejectionReason'>): string | null {
  const reason = status === 'rejected' ? rejectionReason : cancellationReason
  return reason && (REASONS[reason] ?? reason)
}

/** Where a booking stands for the holder of a seat: one that was given back is theirs no more. */
export const statusFor = (
  { status, attendees }: ShownBooking,
  seat: string | undefined,
): BookingStatus =>
  seat === undefined || attendees.some(a => a.seatUid === seat) ? status : 'cancelled'

/** Whether a status is one in which nothing takes place. */
export const isOff = ({ status }: Pick<BookingDate, 'status'>): boolean =>
  status === 'cancelled' || status === 'rejected'

/** What is asked of everybody, and shown under names of its own. */
const KNOWN = new Set([
  'name',
  'email',
  'guests',
  'location',
  'rescheduleReason',
  'attendeePhoneNumber',
  'notes',
])

const textOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.map(String).join(', ') : String(value ?? '')
}

/** What was answered when it was booked, by the labels of the questions. */
export function answersOf(
  responses: Record<string, unknown>,
  { eventType }: Pick<ShownBooking, 'eventType'>,
): [label: string, answer: string][] {
  const labels = new Map(eventType?.bookingFields.map(f => [f.slug, f.label]))
  // In the order of the questions; what is asked no more comes last.
  const names = new Set([...labels.keys(), ...Object.keys(responses)])
  const others = [...names].filter(name => !KNOWN.has(name))
  const answers: [string, string][] = [
    ['Phone', textOf(responses.attendeePhoneNumber)],
    ['Notes', textOf(responses.notes)],
    ...others.map((name): [string, string] => [labels.get(name) ?? name, textOf(responses[name])]),
  ]
  return answers.filter(([, answer]) => answer !== '')
}
