import type { Base } from '#lib/core/context.ts'
import { invalid } from '#lib/core/errors.ts'
import { phone } from '#lib/core/schemas.ts'
import type { MeetingPlace } from '#lib/domain/event-types/parts.ts'
import type { EventTypeFacts } from './facts.ts'
import type { NewBooking } from './schema.ts'

/** Where a meeting is, as a booking keeps it. */
export interface Place {
  location: string | null
  /** Where it is met online. */
  meetingUrl: string | null
}

const JITSI = 'integrations:jitsi'
/** A room of its own that is made for the meeting (lib/domain/bookings/rooms.ts). */
export const DAILY = 'integrations:daily'

/** The name of the room that a booking is met in. */
export const roomName = (uid: string): string => `almanac-${uid}`

/** A place by its words: a meeting room of its own, an address on the web, or anything else. */
export function placeAt(location: string, uid: string, { ports }: Pick<Base, 'ports'>): Place {
  if (location === DAILY) return { location, meetingUrl: ports.video().roomUrl(roomName(uid)) }
  if (location === JITSI) return { location, meetingUrl: `https://meet.jit.si/${roomName(uid)}` }
  return { location, meetingUrl: /^https?:\/\//.test(location) ? location : null }
}

/** What a place is called that the host has fixed; undefined for one that the attendee says. */
function fixed(place: MeetingPlace): string | undefined {
  if (place.type === 'address') return place.address
  if (place.type === 'link') return place.link
  if (place.type === 'phone') return place.phone
  return place.type === JITSI || place.type === DAILY ? place.type : undefined
}

const refuse = (message: string): never => invalid({ field: 'responses.location', message })

/** What the attendee says where it is for them to say. */
function said(place: MeetingPlace, text: string | undefined, input: NewBooking): string {
  const given = text?.trim() || undefined
  if (place.type !== 'attendeePhone')
    return given ?? refuse(`required: say where ("${place.type}")`)
  const { success, data } = phone.safeParse(given ?? input.responses.attendeePhoneNumber)
  return success ? data : refuse('expected a telephone number such as +15551234567')
}

/**
 * Where the meeting is: the place of the event type that was chosen, by its type or its own words,
 * else the first. Where the attendee may say where, what they say; one without places takes any.
 * @throws VALIDATION_ERROR for a place that the event type does not have, or that was left out
 */
export function placeOf(
  type: EventTypeFacts,
  input: NewBooking,
  uid: string,
  base: Pick<Base, 'ports'>,
): Place {
  const answered = input.responses.location
  const { value, optionValue } =
    typeof answered === 'object' ? answered : { value: answered, optionValue: undefined }
  const places = type.locations
  const [first] = places
  if (!first) {
    const words = optionValue || value
    return words ? placeAt(words, uid, base) : { location: null, meetingUrl: null }
  }
  if (!value && !optionValue)
    return placeAt(fixed(first) ?? said(first, undefined, input), uid, base)
  const words = optionValue || value
  const chosen = places.find(p => fixed(p) === words) ?? places.find(p => p.type === value)
  if (chosen) return placeAt(fixed(chosen) ?? said(chosen, optionValue, input), uid, base)
  const open = places.find(p => fixed(p) === undefined)
  if (open) return placeAt(said(open, words, input), uid, base)
  return refuse(`expected one of ${places.map(p => `"${p.type}"`).join(', ')}`)
}
