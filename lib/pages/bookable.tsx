import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { randomText } from '#lib/core/text.ts'
import type { PublicSlot } from '#lib/domain/appointments/availability.ts'
import { type Style, writeTimes } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { ONCE } from '#lib/http/press.ts'
import type { Filled, Shown } from '#lib/http/validate.ts'
import { type Choices, type ListSlots, readMonth, todayIn } from './choices.ts'
import { Alert, Area, Choice, Facts, Field, Hidden } from './fields.tsx'
import { Fields, isSaidByFields } from './filling.tsx'
import { Layout, showPage } from './layout.tsx'
import { PickTime, Times } from './month.tsx'
import { linkTo, type Query, writeDay, writeZone, ZONES } from './words.ts'

/** Something that can be booked, with what was chosen of it so far; its times are written in its style. */
export interface Bookable extends Style {
  title: string
  description: string | null
  /** Whose it is, and the page of what else they offer. */
  owner: { name: string; path: string }
  /** What there is to know of it at once, such as its price; what is empty is left out. */
  facts: readonly (string | number | false | null)[]
  /** Minutes. */
  length: number
  /** Its page; the form to book a start is at `/book` below it. */
  path: string
  /** What stays chosen from page to page. */
  kept: Query
  /** First day of the week, 0 being Sunday. */
  weekStart: number
  /** How many days ahead there is anything to see. */
  horizonDays: number
  list: ListSlots
}

interface HeadProps {
  of: Pick<Bookable, 'title' | 'facts'>
  back: { name: string; path: string }
}

/** What is booked or moved, and the way back. */
export const Head = ({ of: { title, facts }, back }: HeadProps) => (
  <>
    <p>
      <a href={back.path}>‹ {back.name}</a>
    </p>
    <h1>{title}</h1>
    <p class="quiet">{facts.filter(Boolean).join(' · ')}</p>
  </>
)

interface TimesPage {
  now: Date
  choices: Choices
  /** Fields for what else can be chosen, beside the time zone. */
  filters: Child
  /** What to do where nothing is free. */
  advice?: string
}

/** The free times of something, by month and day. */
export async function showTimes<E extends AppEnv>(
  c: Context<E>,
  of: Bookable,
  { now, choices, filters, advice }: TimesPage,
): Promise<Response> {
  const { title, owner, description, path, kept, timeZone, horizonDays } = of
  const month = await readMonth(choices, todayIn(timeZone, now), horizonDays, of.list)
  const zones = ZONES.includes(timeZone) ? ZONES : [timeZone, ...ZONES]
  return showPage(
    c,
    <Layout title={`${title} · ${owner.name}`} forCustomers>
      <div class="shop stack">
        <Head of={of} back={owner} />
        {description ? <p class="lead">{description}</p> : null}
        <form class="filters" method="get" action={path}>
          {filters}
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
        <PickTime
          {...{ path, kept, month }}
          {...(advice ? { advice } : {})}
          style={of}
          weekStart={of.weekStart}
          slotPath={`${path}/book`}
        />
      </div>
    </Layout>,
  )
}

interface BookingPage {
  start: Date | undefined
  shown: Shown
  /** What else is to be known of what is about to be booked. */
  facts: [string, Child][]
  /** The form for a start, which is free. */
  form: (slot: PublicSlot, start: Date) => Child
}

/**
 * The form to book a start with. A start that is not free (any more) shows the others of its day,
 * so that nothing has to be typed in vain; without one there is nothing to book yet.
 */
export async function showBooking<E extends AppEnv>(
  c: Context<E>,
  of: Bookable,
  { start, shown, facts, form }: BookingPage,
): Promise<Response> {
  const { path, kept } = of
  if (!start) return c.redirect(linkTo(path, kept), 303)
  const day = todayIn(of.timeZone, start)
  const { [day]: free = [] } = await of.list(day, day)
  const startTime = start.toISOString()
  const slot = free.find(s => s.startTime === startTime)
  const endTime = new Date(start.getTime() + of.length * 60_000).toISOString()
  const status = slot || shown.status !== 200 ? shown.status : 409
  const message = shown.message ?? (slot ? undefined : 'This time is not available')
  const isSaid = slot !== undefined && isSaidByFields(shown)
  return showPage(
    c,
    <Layout
      title={`Book ${of.title}`}
      refused={isSaid || message !== undefined}
      forCustomers
      noindex
    >
      <div class="card narrow stack">
        <Head of={of} back={{ name: 'Other times', path: linkTo(path, { ...kept, day }) }} />
        <Facts facts={[['When', writeTimes({ startTime, endTime }, of)], ...facts]} />
        <Alert message={isSaid ? undefined : message} />
        {slot ? form(slot, start) : <OtherTimes of={of} day={day} slots={free} />}
      </div>
    </Layout>,
    status,
  )
}

/** The start is not to be had: the others of its day. */
const OtherTimes = ({ of, day, slots }: OtherTimesProps) => (
  <section aria-labelledby="others">
    <h2 id="others">
      {slots.length > 0 ? `Other times on ${writeDay(day, of.locale)}` : 'That day is full'}
    </h2>
    <Times
      slots={slots}
      locale={of.locale}
      timeZone={of.timeZone}
      slotHref={start => linkTo(`${of.path}/book`, { ...of.kept, start })}
    />
    <p>
      <a href={linkTo(of.path, { ...of.kept, month: day.slice(0, 7) })}>Choose another day</a>
    </p>
  </section>
)

interface OtherTimesProps {
  of: Bookable
  day: string
  slots: readonly PublicSlot[]
}

/** Who books a start, and what they should know; further questions stand between. */
export const DetailsForm = ({ of, start, filled, reach, children, end }: DetailsProps) => (
  <form class="fields" method="post" action={`${of.path}/book`}>
    <Hidden values={{ ...of.kept, start: start.toISOString(), [ONCE]: randomText(16) }} />
    <Fields filled={filled}>
      <Field name="name" label="Your name" autocomplete="name" filled={filled} />
      {reach}
      {children}
      <Area
        name="notes"
        label="Notes"
        hint="What they should know."
        maxlength={4096}
        filled={filled}
      />
      {end}
    </Fields>
  </form>
)

interface DetailsProps {
  of: Bookable
  start: Date
  filled: Filled
  /** How who books is reached. */
  reach: Child
  children?: Child
  /** What the form ends with: its button. */
  end: Child
}

interface EmailProps {
  filled: Filled
  /** Whether something else is enough, and what then. */
  optional?: boolean | 'either'
  hint?: string
}

/** The e-mail address of who books. */
export const EmailField = (props: EmailProps) => (
  <Field name="email" label="E-mail" type="email" autocomplete="email" {...props} />
)

/** The button that books. */
export const BookButton = ({ text = 'Book' }: { text?: string }) => (
  <button class="button wide" type="submit">
    {text}
  </button>
)
