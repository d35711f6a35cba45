import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import type { PublicSlot } from '#lib/domain/appointments/availability.ts'
import { depositOn } from '#lib/domain/appointments/price.ts'
import { bookPublicly } from '#lib/domain/appointments/public.ts'
import { writeTimes } from '#lib/domain/messaging/times.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { submit } from '#lib/http/forms.ts'
import { created } from '#lib/http/reply.ts'
import type { Filled } from '#lib/http/validate.ts'
import {
  type BookingForm,
  Choices,
  keptOf,
  readSelection,
  type Selection,
  servicePath,
  slotsOf,
  todayIn,
} from '#lib/pages/choices.ts'
import { Alert, Area, Choice, EMPTY, Facts, Field, Hidden } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { Times } from '#lib/pages/month.tsx'
import { linkTo, writeDay, writePrice } from '#lib/pages/words.ts'
import { ServiceHead } from './service.tsx'

/** Which booking a page is about. */
export interface BookingPath {
  subdomain: string
  service: string
}

/** What is about to be booked. */
const Summary = ({ selection, start }: { selection: Selection; start: Date }) => {
  const { service, location, employee, timeZone, locale } = selection
  const end = new Date(start.getTime() + service.duration * 60_000)
  const times = { startTime: start.toISOString(), endTime: end.toISOString() }
  const deposit = depositOn(service, service.price)
  return (
    <Facts
      facts={[
        ['When', writeTimes(times, { locale, timeZone })],
        ['With', employee?.name ?? 'Whoever is free'],
        ['Where', location && [location.name, location.address].filter(Boolean).join(', ')],
        ['Deposit', deposit > 0 && writePrice(deposit, service.currency, locale)],
      ]}
    />
  )
}

const BookForm = ({ selection, start, open, filled }: BookFormProps) => (
  <form class="fields" method="post" action={`${servicePath(selection)}/book`}>
    <Hidden values={{ ...keptOf(selection), start: start.toISOString() }} />
    {open > 1 ? (
      <Choice
        name="persons"
        label="Persons"
        options={Array.from({ length: Math.min(open, 50) }, (_, i) => String(i + 1)).map(n => [
          n,
          n,
        ])}
        chosen={filled.values.persons ?? '1'}
        fault={filled.errors.persons}
      />
    ) : null}
    <Field name="name" label="Your name" autocomplete="name" filled={filled} />
    <Field name="email" label="E-mail" type="email" autocomplete="email" filled={filled} />
    <Field name="phone" label="Phone" type="tel" autocomplete="tel" optional filled={filled} />
    <Area
      name="notes"
      label="Notes"
      hint="What they should know."
      maxlength={4096}
      filled={filled}
    />
    <button class="button wide" type="submit">
      Book
    </button>
  </form>
)

interface BookFormProps {
  selection: Selection
  start: Date
  /** Seats that are left, for a group session. */
  open: number
  filled: Filled
}

interface TakenProps {
  selection: Selection
  day: string
  slots: readonly PublicSlot[]
}

/** The start is not to be had: the others of its day. */
const Taken = ({ selection, day, slots }: TakenProps) => {
  const { locale, timeZone } = selection
  const kept = keptOf(selection)
  const path = servicePath(selection)
  return (
    <section aria-labelledby="others">
      <h2 id="others">
        {slots.length > 0 ? `Other times on ${writeDay(day, locale)}` : 'That day is full'}
      </h2>
      <Times
        slots={slots}
        locale={locale}
        timeZone={timeZone}
        slotHref={start => linkTo(`${path}/book`, { ...kept, start })}
      />
      <p>
        <a href={linkTo(path, { ...kept, month: day.slice(0, 7) })}>Choose another day</a>
      </p>
    </section>
  )
}

/**
 * The form to book a start with. A start that is not free (any more) shows the others of its day,
 * so that nothing has to be typed in vain.
 */
export async function showBook<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  path: BookingPath,
  choices: Choices,
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
): Promise<Response> {
  const selection = await readSelection(v, path, choices)
  const { start } = choices
  if (!start) return c.redirect(linkTo(servicePath(selection), keptOf(selection)), 303)
  const day = todayIn(selection.timeZone, start)
  const { slots } = await slotsOf(v, selection, day, day)
  const free = slots[day] ?? []
  const slot = free.find(s => s.startTime === start.toISOString())
  const others = linkTo(servicePath(selection), { ...keptOf(selection), day })
  const told = message ?? (slot ? undefined : 'This time is not available')
  return showPage(
    c,
    <Layout title={`Book ${selection.service.name}`} forCustomers noindex>
      <div class="card narrow stack">
        <ServiceHead selection={selection} back={<a href={others}>‹ Other times</a>} />
        <Summary selection={selection} start={start} />
        <Alert message={told} />
        {slot ? (
          <BookForm selection={selection} start={start} open={slot.spotsOpen} filled={filled} />
        ) : (
          <Taken selection={selection} day={day} slots={free} />
        )}
      </div>
    </Layout>,
    slot || status !== 200 ? status : 409,
  )
}

/** The form again, with what was typed. */
export const showBookAgain = (
  c: Context<AppEnv>,
  path: BookingPath,
  filled: Filled,
  status = 422,
  message?: string,
): Promise<Response> =>
  showBook(c, visitorIn(c), path, Choices.parse(filled.values), filled, status, message)

/** Books what the form asks for and goes on to the customer's page of it. */
export async function book<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  path: BookingPath,
  typed: BookingForm,
): Promise<Response> {
  const { start, persons, name, email, phone, notes } = typed
  const { service, location, employee } = await readSelection(v, path, typed)
  let uid = ''
  const work = async () => {
    const booked = await bookPublicly(v, {
      serviceId: service.id,
      startTime: start,
      employeeId: employee?.id,
      locationId: location?.id,
      ...(service.seats === null ? {} : { persons }),
      customer: { name, email, phone, notes, timeZone: typed.zone },
    })
    uid = booked.read().uid
    return booked
  }
  const values = Object.entries({ ...typed, start: start.toISOString() })
  return submit(c, work, {
    next: () => `/a/${uid}`,
    show: (again, filled, status, message) => showBookAgain(again, path, filled, status, message),
    typed: Object.fromEntries(values.map(([key, value]) => [key, value && String(value)])),
    reply: created,
  })
}
