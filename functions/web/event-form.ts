import * as z from 'zod'
import type { MeetingPlace } from '#lib/domain/event-types/parts.ts'
import type { OpenEventType } from '#lib/domain/event-types/public.ts'
import type { FormField } from '#lib/domain/routing-forms/schema.ts'
import type { Filled } from '#lib/http/validate.ts'
import type { EventSelection } from './event-choices.ts'

/** What the form of a booking sends: answers to the event type's own questions under `q-<slug>`. */
export const EventForm = z
  .record(z.string().max(100), z.string().max(5000))
  .refine(typed => Object.keys(typed).length <= 1000, 'must have at most 1000 entries')
export type EventForm = z.output<typeof EventForm>

/** Asked of everybody, by fields of their own. */
const KNOWN = new Set(['name', 'email', 'notes', 'guests', 'location', 'rescheduleReason'])

type BookingField = OpenEventType['bookingFields'][number]

/** How a kind of question is asked. */
const KINDS: Record<BookingField['type'], FormField['type']> = {
  name: 'text',
  text: 'text',
  address: 'text',
  textarea: 'textarea',
  multiemail: 'textarea',
  email: 'email',
  phone: 'phone',
  number: 'number',
  url: 'url',
  date: 'date',
  select: 'select',
  radio: 'radio',
  multiselect: 'multiselect',
  checkbox: 'checkbox',
  boolean: 'boolean',
}

/** The event type's own questions as pages ask them. */
export const questionsOf = ({ bookingFields }: OpenEventType): FormField[] =>
  bookingFields
    .filter(({ slug, hidden }) => !hidden && !KNOWN.has(slug))
    .map(({ slug, type, label, required, placeholder, options }: BookingField) => ({
      id: slug,
      identifier: `q-${slug}`,
      label,
      type: KINDS[type],
      placeholder: placeholder ?? null,
      required: required ?? false,
      deleted: false,
      options: (options ?? []).map(option => ({ id: option, label: option })),
    }))

/** What an attendee is told of a place before they book; what is not public stays with the host. */
export function placeLabel(place: MeetingPlace): string {
  const shown = 'public' in place && place.public
  switch (place.type) {
    case 'address':
      return shown ? place.address : 'In person'
    case 'link':
      return shown ? `Online: ${place.link}` : 'Online'
    case 'phone':
      return shown ? `By phone: ${place.phone}` : 'By phone'
    case 'integrations:jitsi':
    case 'integrations:daily':
      return 'Video meeting'
    case 'attendeePhone':
      return 'By phone: you are called'
    case 'attendeeAddress':
      return 'At your place'
    case 'attendeeDefined':
      return 'Somewhere you say'
  }
}

/** Whether who books has to say where. */
export const isAsked = ({ type }: MeetingPlace): boolean => type.startsWith('attendee')

/** Questions whose answer is the telephone number of who books, where it is one. */
const NUMBERS = new Set(['attendeePhoneNumber', 'phone'])

/** Whether nothing but an e-mail address will do. */
export const needsEmail = ({ verifiesEmail, bookingFields }: OpenEventType): boolean =>
  verifiesEmail ||
  bookingFields.some(({ slug, hidden, required }) => slug === 'email' && required && !hidden)

/**
 * The field of the form that asks for a telephone number: a question of the event type, the place where
 * the attendee is called, else one of its own. Undefined where none is needed.
 */
export function numberField(type: OpenEventType): string | undefined {
  if (needsEmail(type) && !type.requiresNumber) return undefined
  const own = type.bookingFields.find(
    field => field.type === 'phone' && !field.hidden && NUMBERS.has(field.slug),
  )
  if (own) return `q-${own.slug}`
  const { locations } = type
  const isCalled = locations.length > 0 && locations.every(place => place.type === 'attendeePhone')
  return isCalled ? 'where' : 'phone'
}

/**
 * The number that was typed as one's own or, of who has to give one, or gave no address, as an answer to
 * another question for it.
 */
function numberOf(type: OpenEventType, typed: EventForm) {
  const isCalled = type.locations[Number(typed.place ?? 0)]?.type === 'attendeePhone'
  const isAsked = type.requiresNumber || typed.email === undefined
  const said = typed[numberField(type) ?? ''] ?? (isCalled ? typed.where : undefined)
  const number = typed.phone ?? (isAsked ? said : undefined)
  return number === undefined ? {} : { attendeePhoneNumber: number }
}

const wordsOf = (place: MeetingPlace): string | undefined => {
  if (place.type === 'address') return place.address
  if (place.type === 'link') return place.link
  return place.type === 'phone' ? place.phone : undefined
}

/** The place that was chosen, by its number; what the attendee says of it is `where`. */
function locationOf({ locations }: OpenEventType, typed: EventForm) {
  const place = locations[Number(typed.place ?? 0)]
  if (!place) return {}
  const optionValue = isAsked(place) ? typed.where : wordsOf(place)
  return { location: { value: place.type, ...(optionValue ? { optionValue } : {}) } }
}

const listOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,;]+/).filter(Boolean)

/** What was answered to a question: of several choices those that were ticked. */
function answerTo({ type, slug }: BookingField, typed: EventForm): unknown {
  const name = `q-${slug}`
  if (type === 'multiemail') return listOf(typed[name])
  if (type !== 'multiselect' && type !== 'checkbox') return typed[name]
  return Object.keys(typed)
    .filter(key => key.startsWith(`${name}.`))
    .map(key => typed[key])
}

/** What the form asks for, as the body of a booking; it is checked by that body's schema. */
export function bodyOf(
  { type, routed, language, bookable: { length, timeZone } }: EventSelection,
  start: Date,
  typed: EventForm,
): object {
  const answers = type.bookingFields
    .filter(({ slug, hidden }) => !hidden && !KNOWN.has(slug))
    .map(field => [field.slug, answerTo(field, typed)] as const)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
  const guests = listOf(typed.guests)
  const responses = {
    ...Object.fromEntries(answers),
    name: typed.name,
    ...(typed.email === undefined ? {} : { email: typed.email }),
    ...numberOf(type, typed),
    ...(typed.notes === undefined ? {} : { notes: typed.notes }),
    ...(guests.length > 0 ? { guests } : {}),
    ...locationOf(type, typed),
  }
  const end = new Date(start.getTime() + length * 60_000).toISOString()
  return {
    eventTypeId: type.id,
    start: start.toISOString(),
    ...(length === type.length ? {} : { end }),
    responses,
    timeZone,
    language,
    ...(typed.verificationCode && !typed.again ? { verificationCode: typed.verificationCode } : {}),
    ...routed,
  }
}

/** Where on the form a fault of a booking's body is told. */
function nameOf(type: OpenEventType, field: string): string {
  const [first, slug = ''] = field.split('.')
  if (field === 'recurrenceCount') return 'count'
  if (first !== 'responses') return field
  if (slug === 'location') return 'where'
  if (slug === 'attendeePhoneNumber') return numberField(type) ?? 'email'
  return KNOWN.has(slug) ? slug : `q-${slug}`
}

/** The faults of a booking's body at the fields of the form. */
export const atFields = (type: OpenEventType, { values, errors }: Filled): Filled => ({
  values,
  errors: Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      nameOf(type, field),
      message.replace('attendeePhoneNumber is', 'your phone number is'),
    ]),
  ),
})
