import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Visitor } from '#lib/core/context.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import {
  type Choices,
  keptOf,
  readMonth,
  readSelection,
  type Selection,
  type ShownMonth,
  servicePath,
  slotsOf,
  todayIn,
} from '#lib/pages/choices.ts'
import { Choice, Hidden } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { Month, Times } from '#lib/pages/month.tsx'
import { linkTo, writeDay, writeLength, writePrice, writeZone, ZONES } from '#lib/pages/words.ts'

/** Where, with whom, and by which clocks. */
const Filters = ({ selection, month }: { selection: Selection; month: ShownMonth }) => {
  const { locations, location, employees, employee, timeZone } = selection
  const zones = ZONES.includes(timeZone) ? ZONES : [timeZone, ...ZONES]
  return (
    <form class="filters" method="get" action={servicePath(selection)}>
      {locations.length > 1 ? (
        <Choice
          name="location"
          label="Where"
          options={locations.map(({ id, name }) => [String(id), name])}
          chosen={String(location?.id)}
        />
      ) : null}
      <Choice
        name="employee"
        label="With"
        options={[['', 'Anyone'], ...employees.map(e => [String(e.id), e.name] as const)]}
        chosen={String(employee?.id ?? '')}
      />
      <Choice
        name="zone"
        label="Time zone"
        options={zones.map(zone => [zone, writeZone(zone)])}
        chosen={timeZone}
      />
      <Hidden values={{ month: month.month, day: month.day }} />
      <button class="button plain" type="submit">
        Show times
      </button>
    </form>
  )
}

/** The times of the day that is looked at. */
const DayTimes = ({ selection, month }: { selection: Selection; month: ShownMonth }) => {
  const { locale, timeZone } = selection
  const { day } = month
  const slots = (day && month.slots[day]) || []
  const path = `${servicePath(selection)}/book`
  return (
    <section id="times" aria-labelledby="day">
      <h2 id="day">{day ? writeDay(day, locale) : 'No free times this month'}</h2>
      <p class="quiet">
        {slots.length > 0
          ? `Times in ${writeZone(timeZone)}`
          : 'Please choose another day or month, or somebody else.'}
      </p>
      <Times
        slots={slots}
        locale={locale}
        timeZone={timeZone}
        slotHref={start => linkTo(path, { ...keptOf(selection), start })}
      />
    </section>
  )
}

/** Head of the pages of one service: what it is, and the way back. */
export const ServiceHead = ({ selection, back }: { selection: Selection; back: Child }) => {
  const { service, locale } = selection
  return (
    <>
      <p>{back}</p>
      <h1>{service.name}</h1>
      <p class="quiet">
        {writeLength(service.duration)} · {writePrice(service.price, service.currency, locale)}
        {service.seats === null || service.price === 0 ? '' : ' per person'}
      </p>
    </>
  )
}

/** The free times of a service, by month and day. */
export async function showService<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  path: { subdomain: string; service: string },
  choices: Choices,
): Promise<Response> {
  const selection = await readSelection(v, path, choices)
  const { shop, service, timeZone, locale } = selection
  const today = todayIn(timeZone, v.now)
  const month = await readMonth(choices, today, shop.policy.horizonDays, (from, to) =>
    slotsOf(v, selection, from, to),
  )
  const href = (more: object) => linkTo(servicePath(selection), { ...keptOf(selection), ...more })
  return showPage(
    c,
    <Layout title={`${service.name} · ${shop.name}`} forCustomers>
      <div class="shop stack">
        <ServiceHead
          selection={selection}
          back={<a href={`/b/${shop.subdomain}`}>‹ {shop.name}</a>}
        />
        {service.description ? <p>{service.description}</p> : null}
        <Filters selection={selection} month={month} />
        <div class="card pick">
          <Month
            {...month}
            selected={month.day}
            weekStart={shop.weekStart}
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
