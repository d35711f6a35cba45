import type { Context } from 'hono'
import type { Base } from '#lib/core/context.ts'
import type { Occurrence } from '#lib/domain/messaging/schema.ts'
import { type Style, writeTimes } from '#lib/domain/messaging/times.ts'
import type { Notice } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { AT_FIRST, type Filled, type Shown } from '#lib/http/validate.ts'
import { Head } from './bookable.tsx'
import { Choices, type ListSlots, readMonth, todayIn } from './choices.ts'
import { Alert, Area, Hidden } from './fields.tsx'
import { Fields } from './filling.tsx'
import { Layout, showPage } from './layout.tsx'
import { PickTime } from './month.tsx'
import { linkTo } from './words.ts'

/** Something booked that whoever has its link can move to another start. */
export interface Movable {
  title: string
  /** Its own page; that of moving it is at `/move` below. */
  path: string
  times: Pick<Occurrence, 'startTime' | 'endTime'>
  /** How its times are written. */
  style: Style
  weekStart: number
  /** How many days ahead there is anything to see. */
  horizonDays: number
  list: ListSlots
  /** Whether it is asked why. */
  asksReason?: boolean
}

/** Chooses another start for something booked: a day and a time, then whether that is meant. */
export async function showMoving<E extends AppEnv>(
  c: Context<E>,
  { now }: Base,
  of: Movable,
  choices: Choices,
  { filled, status, message }: Shown = AT_FIRST,
): Promise<Response> {
  const { title, style, weekStart, horizonDays, list } = of
  const path = `${of.path}/move`
  const { start } = choices
  const today = todayIn(style.timeZone, now)
  const month = start ? undefined : await readMonth(choices, today, horizonDays, list)
  const is = `Now: ${writeTimes(of.times, style, ', ')}`
  c.header('X-Robots-Tag', 'noindex')
  return showPage(
    c,
    <Layout title="Choose another time" refused={status >= 400} forCustomers noindex>
      <div class="shop stack">
        <Head
          of={{ title: 'Choose another time', facts: [is] }}
          back={{ name: title, path: of.path }}
        />
        <Alert message={message} />
        {month ? <PickTime {...{ path, style, month, weekStart }} /> : null}
        {start ? <Confirm of={of} start={start} filled={filled} /> : null}
      </div>
    </Layout>,
    status,
  )
}

/** What the page of something that was moved says first. */
export const MOVED: Notice = { text: 'It is moved: this is the new time.' }

/** Refuses to move something: its own page says so, beside what can still be done with it. */
export const unmovable = (message: string): Shown => ({ ...AT_FIRST, status: 409, message })

/** What was chosen when it was refused: the start where that is well, else its day with the other starts. */
export function chosenIn({ filled, status }: Shown): Choices {
  const { start } = filled.values
  const isStartWell = status === 422 && filled.errors.start === undefined
  return Choices.parse(isStartWell ? { start } : { day: start?.slice(0, 10) })
}

/** Asks whether it is to be moved to a start. */
const Confirm = ({ of, start, filled }: { of: Movable; start: Date; filled: Filled }) => {
  const { path, times, style } = of
  const length = Date.parse(times.endTime) - Date.parse(times.startTime)
  const startTime = start.toISOString()
  const endTime = new Date(start.getTime() + length).toISOString()
  const day = todayIn(style.timeZone, start)
  return (
    <form class="card narrow stack" method="post" action={`${path}/move`}>
      <h2>Move it to this time?</h2>
      <p class="when">{writeTimes({ startTime, endTime }, style)}</p>
      <Hidden values={{ start: startTime }} />
      {of.asksReason ? (
        <Fields filled={filled}>
          <Area name="reason" label="Reason" maxlength={1000} filled={filled} />
        </Fields>
      ) : null}
      <button class="button wide" type="submit">
        Move booking
      </button>
      <p>
        <a href={linkTo(`${path}/move`, { day })}>Choose another time</a>
      </p>
    </form>
  )
}
