import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Visitor } from '#lib/core/context.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { ShownMonth } from '#lib/pages/choices.ts'
import { Choice, Hidden } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { Month, Times } from '#lib/pages/month.tsx'
import {
  count,
  linkTo,
  writeDay,
  writeLength,
  writePrice,
  writeZone,
  ZONES,
} from '#lib/pages/words.ts'
import {
  type EventAddress,
  type EventChoices,
  type EventSelection,
  keptChoices,
  monthOf,
  readEventSelection,
} from '../../event-choices.ts'

/** Where the runtime thinks that a visitor is. */
export const guessZone = <E extends AppEnv>(c: Context<E>): unknown => c.req.raw.cf?.timezone

const EVERY = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' }

/** `every week`, `every 2 weeks` */
export function writeRule({
  frequency,
  interval,
}: NonNullable<EventSelection['type']['recurrence']>) {
  const unit = EVERY[frequency]
  return interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
}

/** Head of the pages of an event type: whose and what it is, and the way back. */
export const EventHead = ({ selection, back }: { selection: EventSelection; back: Child }) => {
  const { type, length, locale } = selection
  const { price, currency, recurrence, seats, requiresConfirmation } = type
  const facts = [
    writeLength(length),
    price > 0 && writePrice(price, currency, locale),
    recurrence && `repeats ${writeRule(recurrence)}`,
    seats && `up to ${count(seats, 'seat')}`,
    requiresConfirmation && 'on request',
  ]
  return (
    <>
      <p>{back}</p>
      <h1>{type.title}</h1>
      <p class="quiet">{[type.owner, ...facts].filter(Boolean).join(' · ')}</p>
    </>
  )
}

/** How long, and by which clocks. */
const Filters = ({ selection, month }: { selection: EventSelection; month: ShownMonth }) => {
  const { type, length, lengths, timeZone, routed } = selection
  const zones = ZONES.includes(timeZone) ? ZONES : [timeZone, ...ZONES]
  return (
    <form class="filters" method="get" action={type.path}>
      {lengths.length > 1 ? (
        <Choice
          name="length"
          label="Length"
          options={lengths.map(minutes => [String(minutes), writeLength(minutes)])}
          chosen={String(length)}
        />
      ) : null}
      <Choice
        name="zone"
        label="Time zone"
        options={zones.map(zone => [zone, writeZone(zone)])}
        chosen={timeZone}
      />
      <Hidden values={{ month: month.month, day: month.day, routingFormResponse: routed }} />
      <button class="button plain" type="submit">
        Show times
      </button>
    </form>
  )
}

/** The times of the day that is looked at. */
const DayTimes = ({ selection, month }: { selection: EventSelection; month: ShownMonth }) => {
  const { type, locale, timeZone } = selection
  const { day } = month
  const slots = (day && month.slots[day]) || []
  return (
    <section id="times" aria-labelledby="day">
      <h2 id="day">{day ? writeDay(day, locale) : 'No free times this month'}</h2>
      <p class="quiet">
        {slots.length > 0
          ? `Times in ${writeZone(timeZone)}`
          : 'Please choose another day or month.'}
      </p>
      <Times
        slots={slots}
        locale={locale}
        timeZone={timeZone}
        slotHref={start => linkTo(`${type.path}/book`, { ...keptChoices(selection), start })}
      />
    </section>
  )
}

/** The free times of an event type, by month and day. */
export async function showEventType<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: EventAddress,
  choices: EventChoices,
): Promise<Response> {
  const selection = await readEventSelection(v, address, choices, guessZone(c))
  const { type, locale } = selection
  const month = await monthOf(v, selection, choices)
  const href = (more: object) => linkTo(type.path, { ...keptChoices(selection), ...more })
  return showPage(
    c,
    <Layout title={`${type.title} · ${type.owner}`} forCustomers>
      <div class="shop stack">
        <EventHead selection={selection} back={<a href={type.ownerPath}>‹ {type.owner}</a>} />
        {type.description ? <p class="lead">{type.description}</p> : null}
        <Filters selection={selection} month={month} />
        <div class="card pick">
          <Month
            {...month}
            selected={month.day}
            weekStart={type.business.weekStart}
            locale={locale}
            dayHref={day => href({ day })}
            monthHref={to => href({ month: to })}
          />
          <DayTimes selection={selection} month={month} />
        </div>
      </div>
    </Layout>,
  )
}
