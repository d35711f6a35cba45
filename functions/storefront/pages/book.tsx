import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import {
  email,
  optionalText,
  phone,
  queryId,
  queryInstant,
  queryInt,
  text,
  timeZone,
} from '#lib/core/schemas.ts'
import { depositOn } from '#lib/domain/appointments/price.ts'
import { bookPublicly } from '#lib/domain/appointments/public.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { created } from '#lib/http/reply.ts'
import { AT_FIRST, type Filled, type Shown } from '#lib/http/validate.ts'
import { BookButton, DetailsForm, EmailField, showBooking } from '#lib/pages/bookable.tsx'
import { Choice, Field } from '#lib/pages/fields.tsx'
import { writePrice } from '#lib/pages/words.ts'
import {
  readServiceSelection,
  type ServiceAddress,
  ServiceChoices,
  type ServiceSelection,
} from '../service-choices.ts'

/** What the form of a booking sends. */
const BookingForm = z.object({
  start: queryInstant,
  employee: queryId.optional(),
  location: queryId.optional(),
  zone: timeZone.optional(),
  persons: queryInt(1, 1000).optional(),
  name: text(200),
  email,
  phone: phone.optional(),
  notes: optionalText(4096).optional(),
})
type BookingForm = z.output<typeof BookingForm>

/** What is about to be booked. */
function factsOf({ service, employee, location, bookable }: ServiceSelection): [string, Child][] {
  const deposit = depositOn(service, service.price)
  return [
    ['With', employee?.name ?? 'Whoever is free'],
    ['Where', location && [location.name, location.address].filter(Boolean).join(', ')],
    ['Deposit', deposit > 0 && writePrice(deposit, service.currency, bookable.locale)],
  ]
}

/** How to call who books, and how many come as far as seats are left. */
const Questions = ({ open, filled }: { open: number; filled: Filled }) => (
  <>
    <Field name="phone" label="Phone" type="tel" autocomplete="tel" optional filled={filled} />
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
  </>
)

/** The form to book a start with. */
export async function showBook<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: ServiceAddress,
  choices: ServiceChoices,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const selection = await readServiceSelection(v, address, choices)
  const { bookable } = selection
  const { filled } = shown
  return showBooking(c, bookable, {
    start: choices.start,
    shown,
    facts: factsOf(selection),
    form: ({ spotsOpen }, start) => (
      <DetailsForm
        of={bookable}
        start={start}
        filled={filled}
        reach={<EmailField filled={filled} />}
        end={<BookButton />}
      >
        <Questions open={spotsOpen} filled={filled} />
      </DetailsForm>
    ),
  })
}

const addressOf = (c: Context<AppEnv>): ServiceAddress => ({
  subdomain: c.req.param('subdomain') ?? '',
  service: c.req.param('service') ?? '',
})

/** Books what the form asks for and goes on to the customer's page of it. */
export const bookForm = visitorForm({
  schema: BookingForm,
  show: (c, shown) => {
    const choices = ServiceChoices.parse(shown.filled.values)
    return showBook(c, visitorIn(c), addressOf(c), choices, shown)
  },
  work: book,
  next: (_c, _typed, booked) => `/a/${booked.read().uid}`,
  reply: created,
})

async function book(c: Context<AppEnv>, v: Visitor, typed: BookingForm) {
  const { start, persons, name, email, phone, notes } = typed
  const { service, location, employee } = await readServiceSelection(v, addressOf(c), typed)
  return bookPublicly(v, {
    serviceId: service.id,
    startTime: start,
    employeeId: employee?.id,
    locationId: location?.id,
    ...(service.seats === null ? {} : { persons }),
    customer: { name, email, phone, notes, timeZone: typed.zone },
  })
}
