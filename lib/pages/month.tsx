import type { PublicSlot, PublicSlots } from '#lib/domain/appointments/availability.ts'
import {
  count,
  daysOf,
  shiftMonth,
  weekdayOf,
  weekdays,
  writeClock,
  writeDay,
  writeMonth,
} from './words.ts'

/** A month of days to choose from. Days and months are `2026-03-10` and `2026-03`. */
export interface MonthProps {
  month: string
  slots: PublicSlots['slots']
  selected: string | undefined
  weekStart: number
  locale: string
  dayHref: (day: string) => string
  monthHref: (month: string) => string
  /** The first and the last month there is anything to see in. */
  first: string
  last: string
}

type DayProps = Pick<MonthProps, 'slots' | 'selected' | 'locale' | 'dayHref'> & { day: string }

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
export const Month = (props: MonthProps) => {
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
                <td>{day ? <Day {...props} day={day} /> : null}</td>
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
export interface TimesProps {
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
