import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Visitor } from '#lib/core/context.ts'
import { invalid } from '#lib/core/errors.ts'
import { detailsOf } from '#lib/core/faults.ts'
import { askCode } from '#lib/domain/bookings/codes.ts'
import { createBooking } from '#lib/domain/bookings/create.ts'
import { createSeries } from '#lib/domain/bookings/recurring.ts'
import { NewBooking } from '#lib/domain/bookings/schema.ts'
import type { MeetingPlace } from '#lib/domain/event-types/parts.ts'
import { visitorIn } from '#lib/http/callers.ts'
import { withoutKey } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { submit } from '#lib/http/forms.ts'
import { created } from '#lib/http/reply.ts'
import { AT_FIRST, type Filled, type Shown } from '#lib/http/validate.ts'
import { BookButton, DetailsForm, EmailField, showBooking } from '#lib/pages/bookable.tsx'
import { Area, Choice, Field } from '#lib/pages/fields.tsx'
import { asAsked, Question } from '#lib/pages/questions.tsx'
import { linkTo } from '#lib/pages/words.ts'
import {
  type EventAddress,
  EventChoices,
  type EventSelection,
  readEventSelection,
  writeRule,
} from '../../event-choices.ts'
import {
  atFields,
  bodyOf,
  type EventForm,
  isAsked,
  needsEmail,
  numberField,
  placeLabel,
  questionsOf,
} from '../../event-form.ts'
import { Code, CodeAgain, isAsked as isCodeAsked, isProving } from './code.tsx'

interface PartProps {
  selection: EventSelection
  filled: Filled
}

/** The one place where it is; of several one is chosen. */
function factsOf({ type }: EventSelection): [string, Child][] {
  const [place, ...others] = type.locations
  return [['Where', place && others.length === 0 && placeLabel(place)]]
}

/** How often, for a meeting that repeats. */
const Repeats = ({ selection, filled }: PartProps) => {
  const { recurrence } = selection.type
  if (!recurrence) return null
  const counts = Array.from({ length: recurrence.occurrences }, (_, i) => i + 1)
  return (
    <Choice
      name="count"
      label="How often"
      options={counts.map(n => [
        String(n),
        n === 1 ? 'Once' : `${n} times, ${writeRule(recurrence)}`,
      ])}
      chosen={filled.values.count ?? String(recurrence.occurrences)}
      fault={filled.errors.count}
    />
  )
}

/** How the attendee is asked where: by what the places that are theirs to say are. */
function askedOf(locations: readonly MeetingPlace[]) {
  const types = new Set(locations.filter(isAsked).map(({ type }) => type))
  if (types.size > 1) return { label: 'Where', autocomplete: 'off' }
  if (types.has('attendeePhone'))
    return { label: 'Your phone number', type: 'tel', autocomplete: 'tel' } as const
  return types.has('attendeeAddress')
    ? { label: 'Your address', autocomplete: 'street-address' }
    : { label: 'Where', autocomplete: 'off' }
}

/** Where, if there is a choice or the attendee says so. */
const Where = ({ selection, filled }: PartProps) => {
  const { locations } = selection.type
  return (
    <>
      {locations.length > 1 ? (
        <Choice
          name="place"
          label="Where"
          options={locations.map((place, at) => [String(at), placeLabel(place)])}
          chosen={filled.values.place ?? '0'}
          fault={filled.errors.place}
        />
      ) : null}
      {locations.some(isAsked) ? (
        <Field
          name="where"
          {...askedOf(locations)}
          {...(locations.every(isAsked)
            ? {}
            : {
                optional: true,
                hint: `For “${locations.filter(isAsked).map(placeLabel).join('”, “')}”.`,
              })}
          filled={filled}
        />
      ) : null}
    </>
  )
}

/** How who books is told: by e-mail or, where the event type does not insist on that, by text message. */
const Reach = ({ selection: { type }, filled }: PartProps) => {
  const either = type.requiresNumber ? true : 'either'
  return (
    <>
      {needsEmail(type) ? (
        <EmailField filled={filled} />
      ) : (
        <EmailField
          filled={filled}
          optional={either}
          hint="Or leave it empty: then we send text messages to your phone number."
        />
      )}
      {numberField(type) === 'phone' ? (
        <Field
          name="phone"
          label="Phone"
          type="tel"
          autocomplete="tel"
          {...(type.requiresNumber ? {} : { optional: 'either' })}
          hint={`With its country code, such as +1 555 123 4567.${
            type.requiresNumber ? '' : ' Not needed where there is an e-mail address.'
          }`}
          filled={filled}
        />
      ) : null}
    </>
  )
}

/** What is asked beside who books. */
const Questions = ({ selection, filled }: PartProps) => {
  const { type } = selection
  return (
    <>
      <Repeats selection={selection} filled={filled} />
      <Where selection={selection} filled={filled} />
      {questionsOf(type).map(field => (
        <Question field={field} filled={filled} />
      ))}
      {type.disableGuests || type.seats !== null ? null : (
        <Area
          name="guests"
          label="Guests"
          hint="E-mail addresses of others who come, one a line."
          maxlength={4000}
          verbatim
          filled={filled}
        />
      )}
    </>
  )
}

/** The button that books, and the code that proves an address where it is asked for. */
const End = ({ selection, filled }: PartProps) => {
  const proves = isProving(selection, filled)
  return (
    <>
      {proves ? <Code filled={filled} /> : null}
      <BookButton text={selection.type.requiresConfirmation ? 'Ask for this time' : 'Book'} />
      {proves ? <CodeAgain /> : null}
    </>
  )
}

/** The form to book a start with. */
export async function showEventBook<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: EventAddress,
  choices: EventChoices,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const selection = await readEventSelection(c, v, address, choices)
  const { bookable } = selection
  const { type } = selection
  const told = asAsked(questionsOf(type), atFields(type, shown.filled))
  const parts = { selection, filled: told }
  // A code that was just sent is no fault of what was typed.
  const isFault = !isCodeAsked(selection, parts.filled)
  const filled = isFault ? parts.filled : { ...parts.filled, errors: {} }
  return showBooking(c, bookable, {
    start: choices.start,
    shown: { ...shown, filled, ...(isFault ? {} : { message: undefined }) },
    facts: factsOf(selection),
    form: (_slot, start) => (
      <DetailsForm
        of={bookable}
        start={start}
        filled={filled}
        reach={<Reach {...parts} />}
        end={<End {...parts} />}
      >
        <Questions {...parts} />
      </DetailsForm>
    ),
  })
}

/** The form again, with what was typed. */
export const showEventBookAgain = <E extends AppEnv>(
  c: Context<E>,
  address: EventAddress,
  shown: Shown,
): Promise<Response> =>
  showEventBook(c, visitorIn(c), address, EventChoices.parse(shown.filled.values), shown)

/** Books by the schema of `POST /api/book/event`, several dates by that of a series. */
async function make(v: Visitor, body: object, count: number, verifiesEmail: boolean) {
  const { success, data, error } = NewBooking.safeParse(body)
  if (!success) return invalid(...detailsOf(error.issues))
  const { email } = data.responses
  if (verifiesEmail && email && !data.verificationCode) {
    await askCode(withoutKey(v), { eventTypeId: data.eventTypeId, email })
    const message = 'please enter the code that we sent you: it works for 10 minutes'
    return invalid({ field: 'verificationCode', message })
  }
  if (count === 1) return createBooking(v, data)
  return createSeries(v, { ...data, recurrenceCount: count })
}

/** Books what the form asks for and goes on to the attendee's page of it. */
export async function bookEvent<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: EventAddress,
  typed: EventForm,
): Promise<Response> {
  const choices = EventChoices.parse(typed)
  const selection = await readEventSelection(c, v, address, choices)
  const { recurrence, verifiesEmail, successRedirectUrl } = selection.type
  const work = async () => {
    const { start } = choices
    if (!start) return invalid({ field: 'start', message: 'required' })
    const count = recurrence ? Number(typed.count ?? 1) : 1
    return make(v, bodyOf(selection, start, typed), count, verifiesEmail)
  }
  return submit(c, work, {
    next: booked => {
      const made: Made | Made[] = booked.read()
      const [first] = Array.isArray(made) ? made : [made]
      const seat = first?.seatReferenceUid ?? undefined
      return linkTo(`/e/${first?.uid}`, { seat, booked: successRedirectUrl ? 1 : undefined })
    },
    show: shown => showEventBookAgain(c, address, shown),
    reply: created,
  })
}

/** The page of a booking that was just made, or of the seat in it. */
interface Made {
  uid: string
  seatReferenceUid?: string | null
}
