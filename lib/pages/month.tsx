import type { PublicSlot } from '#lib/domain/appointments/availability.ts'
import type { Style } from '#lib/domain/messaging/times.ts'
import type { ShownMonth } from './choices.ts'
import {
  count,
  daysOf,
  linkTo,
  type Query,
  shiftMonth,
  weekdayOf,
  weekdays,
  writeClock,
  writeDay,
  writeMonth,
  writeZone,
} from './words.ts'

interface PickTimeProps {
  /** The page itself, which other days and months lead to. */
  path: string
  /** What its links carry along. */
  kept?: Query
  month: ShownMonth
  style: Style
  weekStart: number
  /** Where a start leads; the page itself where nothing is said. */
  slotPath?: string
  /** What to do where nothing is free. */
  advice?: string
}

/** A month to choose a day of, and the day's times, each a link. */
export const PickTime = (props: PickTimeProps) => {
  const { path, kept, month, style, weekStart, slotPath = path } = props
  const { advice = 'Please choose another day or month.' } = props
  const { locale, timeZone } = style
  const { day } = month
  const slots = (day && month.slots[day]) || []
  return (
    <div class="card pick">
      <Month
        {...month}
        weekStart={weekStart}
        locale={locale}
        dayHref={to => linkTo(path, { ...kept, day: to })}
        monthHref={to => linkTo(path, { ...kept, month: to })}
      />
      <section id="times" aria-labelledby="day">
        <h2 id="day">{day ? writeDay(day, locale) : 'No free times this month'}</h2>
        <p class="quiet">{slots.length > 0 ? `Times in ${writeZone(timeZone)}` : advice}</p>
        <Times
          slots={slots}
          locale={locale}
          timeZone={timeZone}
          slotHref={start => linkTo(slotPath, { ...kept, start })}
        />
      </section>
    </div>
  )
}

/** A month of days to choose from. */
interface MonthProps extends ShownMonth {
  weekStart: number
  locale: string
  dayHref: (day: string) => string
  monthHref: (month: string) => string
}

type DayProps = Pick<MonthProps, 'slots' | 'locale' | 'dayHref'> & {
  day: string
  selected: string | undefined
}

const Day = ({ day, slots, selected, locale, dayHref }: DayProps) => {
  const number = String(Number(day.slice(8)))
  const free = slots[day]?.length ?? 0
  if (free === 0) return <span class="none">{number}</span>
  return (
    <a
      href={`${dayHref(day)}#times`}
      aria-label={`${writeDay(day, locale)}, ${count(free, 'time')}`}
      aria-current={day === selected ? 'date' : undefined}
    >
      {number}
    </a>
  )
}

/** The weeks of a month; the days of other months are empty. */
function weeksOf(month: string, weekStart: number): (string | undefined)[][] {
  const days = daysOf(month)
  const before = (weekdayOf(days[0] ?? '') - weekStart + 7) % 7
  const cells = [...Array.from({ length: before }, () => undefined), ...days]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, i) => cells[week * 7 + i]),
  )
}

/** The days of a month, those with free times as links. */
const Month = (props: MonthProps) => {
  const { month, weekStart, locale } = props
  return (
    <section class="month" aria-labelledby="month">
      <MonthBar {...props} />
      <table>
        <thead>
          <tr>
            {weekdays(locale, weekStart).map(({ long, short }) => (
              <th scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, weekStart).map(week => (
            <tr>
              {week.map(day => (
                <td>{day ? <Day {...props} day={day} selected={props.day} /> : null}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const MonthBar = ({ month, locale, first, last, monthHref }: MonthProps) => (
  <div class="month-bar">
    <h2 id="month">{writeMonth(month, locale)}</h2>
    <Step to={shiftMonth(month, -1)} on={month > first} {...{ locale, monthHref }} sign="‹" />
    <Step to={shiftMonth(month, 1)} on={month < last} {...{ locale, monthHref }} sign="›" />
  </div>
)

interface StepProps extends Pick<MonthProps, 'locale' | 'monthHref'> {
  to: string
  on: boolean
  sign: string
}

const Step = ({ to, on, sign, locale, monthHref }: StepProps) =>
  on ? (
    <a class="step" href={monthHref(to)} aria-label={writeMonth(to, locale)} rel="nofollow">
      {sign}
    </a>
  ) : (
    <span class="step" aria-hidden="true">
      {sign}
    </span>
  )

/** Free times, each a link. */
interface TimesProps {
  slots: readonly PublicSlot[]
  locale: string
  timeZone: string
  slotHref: (startTime: string) => string
}

const PARTS = [
  ['Morning', 0, 12],
  ['Afternoon', 12, 17],
  ['Evening', 17, 24],
] as const

/** The free times of a day by its parts. A group session says how many seats are left. */
export const Times = ({ slots, locale, timeZone, slotHref }: TimesProps) => (
  <>
    {PARTS.map(([name, from, to]) => {
      const hour = ({ start }: PublicSlot) => Number(start.slice(11, 13))
      const within = slots.filter(slot => hour(slot) >= from && hour(slot) < to)
      return within.length === 0 ? null : (
        <>
          <h3 class="part">{name}</h3>
          <ul class="times">
            {within.map(slot => (
              <li>
                <a href={slotHref(slot.startTime)} rel="nofollow">
                  {writeClock(slot.startTime, locale, timeZone)}
                  <Seats slot={slot} />
                </a>
              </li>
            ))}
          </ul>
        </>
      )
    })}
  </>
)

const Seats = ({ slot: { spotsOpen, spotsTotal } }: { slot: PublicSlot }) =>
  spotsTotal > 1 ? <small>{count(spotsOpen, 'seat')} left</small> : null
