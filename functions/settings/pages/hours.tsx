import { WEEKDAYS } from '#lib/core/schemas.ts'
import type { UserSchedule } from '#lib/domain/schedules/schema.ts'
import type { Filled } from '#lib/http/validate.ts'
import { faultText } from '#lib/pages/faults.ts'
import { noteField } from '#lib/pages/filling.tsx'
import type { Typed } from '../forms.ts'

type Day = (typeof WEEKDAYS)[number]
type Hours = UserSchedule['availability'][number]

/** More lines for one day than anybody needs, and an end to what a form may send. */
const MAX_LINES = 20

/** One line of the form: hours of a weekday, in the fields `Monday.0.start` and `Monday.0.end`. */
interface Line {
  day: Day
  name: string
  start: string
  end: string
}

const lineOf = (day: Day, n: number, typed: Typed): Line => {
  const name = `${day}.${n}`
  return { day, name, start: typed[`${name}.start`] ?? '', end: typed[`${name}.end`] ?? '' }
}

/** The lines of a form in which something stands. */
const linesOf = (typed: Typed): Line[] =>
  WEEKDAYS.flatMap(day =>
    Array.from({ length: MAX_LINES }, (_, n) => lineOf(day, n, typed)).filter(
      line => line.start || line.end,
    ),
  )

/** What the lines say as hours, one entry for each, so that a fault is one of a line. */
export const readHours = (typed: Typed): { days: Day[]; startTime: string; endTime: string }[] =>
  linesOf(typed).map(({ day, start, end }) => ({ days: [day], startTime: start, endTime: end }))

/** The field of a fault in what `readHours` made: `availability.3.endTime`. */
export function hoursField(fault: string, typed: Typed): string {
  const [, n, part] = fault.split('.')
  const line = linesOf(typed)[Number(n)]
  return line ? `${line.name}.${part === 'endTime' ? 'end' : 'start'}` : fault
}

/** The same hours with the days together that share them. */
export function groupHours(list: readonly Hours[]): Hours[] {
  const groups = new Map<string, Hours>()
  for (const { days, startTime, endTime } of list) {
    const key = `${startTime} ${endTime}`
    const known = groups.get(key)?.days ?? []
    groups.set(key, { days: [...known, ...days], startTime, endTime })
  }
  return [...groups.values()]
}

/** A field for a time has no 24:00; until 23:59 is until midnight as well. */
const inField = (time: string): string => (time === '24:00' ? '23:59' : time)

/** Kept hours as the fields of the form. */
export function fieldsOf(list: readonly Hours[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const day of WEEKDAYS) {
    const hours = list
      .filter(({ days }) => days.includes(day))
      .toSorted((a, b) => a.startTime.localeCompare(b.startTime))
    for (const [n, { startTime, endTime }] of hours.entries()) {
      fields[`${day}.${n}.start`] = inField(startTime)
      fields[`${day}.${n}.end`] = inField(endTime)
    }
  }
  return fields
}

const Time = ({ name, label, filled }: { name: string; label: string; filled: Filled }) => {
  const { [name]: fault } = filled.errors
  return (
    <input
      type="time"
      id={name}
      name={name}
      value={filled.values[name]}
      aria-label={label}
      autocomplete="off"
      autofocus={noteField({ name, label, fault })}
      aria-invalid={fault ? 'true' : undefined}
      aria-describedby={fault ? `${name}-fault` : undefined}
    />
  )
}

const LineFields = ({ day, n, filled }: { day: Day; n: number; filled: Filled }) => {
  const names = [`${day}.${n}.start`, `${day}.${n}.end`]
  return (
    <div>
      <div class="from-to">
        <Time name={`${day}.${n}.start`} label={`${day} from`} filled={filled} />
        <span aria-hidden="true">–</span>
        <Time name={`${day}.${n}.end`} label={`${day} until`} filled={filled} />
      </div>
      {names.map(name =>
        filled.errors[name] ? (
          <p class="fault" id={`${name}-fault`}>
            {faultText(filled.errors[name])}
          </p>
        ) : null,
      )}
    </div>
  )
}

/** The hours of a week: a line for each stretch of a day, and one more to be filled in. */
export const WeekFields = ({ filled, weekStart }: { filled: Filled; weekStart: number }) => (
  <div class="week">
    {WEEKDAYS.map((_, i) => WEEKDAYS[(i + weekStart) % WEEKDAYS.length]!).map(day => {
      const used = linesOf(filled.values).filter(line => line.day === day)
      const lines = used.map(line => Number(line.name.split('.')[1]))
      const free = lines.length > 0 ? Math.max(...lines) + 1 : 0
      return (
        <fieldset class="choices">
          <legend>{day}</legend>
          {lines.map(n => (
            <LineFields day={day} n={n} filled={filled} />
          ))}
          {free >= MAX_LINES ? null : (
            <details class="fold">
              <summary>
                {lines.length > 0 ? 'More hours' : 'Closed; add hours'}
                <span class="unseen"> on {day}</span>
              </summary>
              <LineFields day={day} n={free} filled={filled} />
            </details>
          )}
        </fieldset>
      )
    })}
  </div>
)
