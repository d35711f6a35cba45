import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Visitor } from '#lib/core/context.ts'
import { invalid } from '#lib/core/errors.ts'
import { askCode } from '#lib/domain/bookings/codes.ts'
import { createBooking } from '#lib/domain/bookings/create.ts'
import { createSeries } from '#lib/domain/bookings/recurring.ts'
import { NewBooking } from '#lib/domain/bookings/schema.ts'
import type { MeetingPlace } from '#lib/domain/event-types/parts.ts'
import { writeTimes } from '#lib/domain/messaging/times.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { submit } from '#lib/http/forms.ts'
import { created } from '#lib/http/reply.ts'
import { detailsOf, type Filled } from '#lib/http/validate.ts'
import { type ShownMonth, todayIn } from '#lib/pages/choices.ts'
import { Alert, Area, Choice, EMPTY, Facts, Field, Hidden } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { Times } from '#lib/pages/month.tsx'
import { Question } from '#lib/pages/questions.tsx'
import { linkTo, writeDay } from '#lib/pages/words.ts'
import {
  type EventAddress,
  EventChoices,
  type EventSelection,
  keptChoices,
  readEventSelection,
  startsOf,
} from '../../event-choices.ts'
import {
  atFields,
  bodyOf,
  type EventForm,
  isAsked,
  placeLabel,
  questionsOf,
} from '../../event-form.ts'
import { EventHead, guessZone, writeRule } from './choose.tsx'
import { Code, CodeAgain, isProving } from './code.tsx'

interface PartProps {
  selection: EventSelection
  start: Date
  filled: Filled
}

/** What is about to be booked. */
const Summary = ({ selection, start }: Omit<PartProps, 'filled'>) => {
  const { type, length, timeZone, locale } = selection
  const end = new Date(start.getTime() + length * 60_000)
  const times = { startTime: start.toISOString(), endTime: end.toISOString() }
  const [place, ...others] = type.locations
  const facts: [string, Child][] = [
    ['When', writeTimes(times, { locale, timeZone })],
    ['Where', place && others.length === 0 && placeLabel(place)],
  ]
  return <Facts facts={facts} />
}

/** How often, for a meeting that repeats. */
const Repeats = ({ selection, filled }: Omit<PartProps, 'start'>) => {
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
      fault={filled.errors.recurrenceCount}
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
const Where = ({ selection, filled }: Omit<PartProps, 'start'>) => {
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

const BookForm = ({ selection, start, filled }: PartProps) => {
  const { type } = selection
  const questions = questionsOf(type)
  const first = questions.find(({ identifier }) => filled.errors[identifier])
  return (
    <form class="fields" method="post" action={`${type.path}/book`}>
      <Hidden values={{ ...keptChoices(selection), start: start.toISOString() }} />
      <Field name="name" label="Your name" autocomplete="name" filled={filled} />
      <Field name="email" label="E-mail" type="email" autocomplete="email" filled={filled} />
      <Repeats selection={selection} filled={filled} />
      <Where selection={selection} filled={filled} />
      {questions.map(field => (
        <Question field={field} filled={filled} focus={field === first} />
      ))}
      {type.disableGuests || type.seats !== null ? null : (
        <Area
          name="guests"
          label="Guests"
          hint="E-mail addresses of others who come, one a line."
          maxlength={4000}
          filled={filled}
        />
      )}
      <Area
        name="notes"
        label="Notes"
        hint="What they should know."
        maxlength={4096}
        filled={filled}
      />
      {isProving(selection, filled) ? <Code filled={filled} /> : null}
      <button class="button wide" type="submit">
        {type.requiresConfirmation ? 'Ask for this time' : 'Book'}
      </button>
      {isProving(selection, filled) ? <CodeAgain /> : null}
    </form>
  )
}

interface TakenProps {
  selection: EventSelection
  day: string
  slots: ShownMonth['slots'][string]
}

/** The start is not to be had: the others of its day. */
const Taken = ({ selection, day, slots }: TakenProps) => {
  const { type, locale, timeZone } = selection
  const kept = keptChoices(selection)
  return (
    <section aria-labelledby="others">
      <h2 id="others">
        {slots.length > 0 ? `Other times on ${writeDay(day, locale)}` : 'That day is full'}
      </h2>
      <Times
        slots={slots}
        locale={locale}
        timeZone={timeZone}
        slotHref={start => linkTo(`${type.path}/book`, { ...kept, start })}
      />
      <p>
        <a href={linkTo(type.path, { ...kept, month: day.slice(0, 7) })}>Choose another day</a>
      </p>
    </section>
  )
}

/**
 * The form to book a start with. A start that is not free (any more) shows the others of its day,
 * so that nothing has to be typed in vain.
 */
export async function showEventBook<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: EventAddress,
  choices: EventChoices,
  typed: Filled = EMPTY,
  status = typed === EMPTY ? 200 : 422,
  message?: string,
): Promise<Response> {
  const selection = await readEventSelection(v, address, choices, guessZone(c))
  const { type, timeZone } = selection
  const kept = keptChoices(selection)
  const { start } = choices
  if (!start) return c.redirect(linkTo(type.path, kept), 303)
  const day = todayIn(timeZone, start)
  const { slots } = await startsOf(v, selection, day, day)
  const free = slots[day] ?? []
  const isFree = free.some(s => s.startTime === start.toISOString())
  const filled = atFields(typed)
  const told = message ?? (isFree ? undefined : 'This time is not available')
  return showPage(
    c,
    <Layout title={`Book ${type.title}`} forCustomers noindex>
      <div class="card narrow stack">
        <EventHead
          selection={selection}
          back={<a href={linkTo(type.path, { ...kept, day })}>‹ Other times</a>}
        />
        <Summary selection={selection} start={start} />
        <Alert message={told} />
        {isFree ? (
          <BookForm selection={selection} start={start} filled={filled} />
        ) : (
          <Taken selection={selection} day={day} slots={free} />
        )}
      </div>
    </Layout>,
    isFree || status !== 200 ? status : 409,
  )
}

/** The page of a booking that was just made, or of the seat in it. */
interface Made {
  uid: string
  seatReferenceUid?: string | null
}

/** Books by the schema of `POST /api/book/event`, several dates by that of a series. */
async function make(v: Visitor, body: object, count: number, verifiesEmail: boolean) {
  const { success, data, error } = NewBooking.safeParse(body)
  if (!success) return invalid(...detailsOf(error.issues))
  if (verifiesEmail && !data.verificationCode) {
    await askCode(v, { eventTypeId: data.eventTypeId, email: data.responses.email })
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
  const selection = await readEventSelection(v, address, choices, guessZone(c))
  const { start } = choices
  let next = selection.type.path
  const work = async () => {
    if (!start) return invalid({ field: 'start', message: 'required' })
    const count = selection.type.recurrence ? Number(typed.count ?? 1) : 1
    const { verifiesEmail } = selection.type
    const booked = await make(v, bodyOf(selection, start, typed), count, verifiesEmail)
    const made: Made | Made[] = booked.read()
    const [first] = Array.isArray(made) ? made : [made]
    const leadsOn = selection.type.successRedirectUrl ? 1 : undefined
    const seat = first?.seatReferenceUid ?? undefined
    next = linkTo(`/e/${first?.uid}`, { seat, booked: leadsOn })
    return booked
  }
  return submit(c, work, {
    next: () => next,
    show: (again, filled, status, message) =>
      showEventBook(again, visitorIn(again), address, choices, filled, status, message),
    typed,
    reply: created,
  })
}
