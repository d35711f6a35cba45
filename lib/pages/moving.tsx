import { type Style, writeTimes } from '#lib/domain/messaging/times.ts'
import type { ShownMonth } from './choices.ts'
import { todayIn } from './choices.ts'
import { Area, EMPTY, Hidden } from './fields.tsx'
import { Month, Times } from './month.tsx'
import { linkTo, writeDay, writeZone } from './words.ts'

/** What pages of moving need: their own path, and how times are written. */
interface MovingProps {
  path: string
  style: Style
}

/** Where something can be moved to: a month of days, and the times of one. */
export const MoveDays = ({
  path,
  style,
  month,
  weekStart,
}: MovingProps & { month: ShownMonth; weekStart: number }) => {
  const { locale, timeZone } = style
  const { day } = month
  const slots = (day && month.slots[day]) || []
  return (
    <div class="card pick">
      <Month
        {...month}
        selected={day}
        weekStart={weekStart}
        locale={locale}
        dayHref={to => linkTo(path, { day: to })}
        monthHref={to => linkTo(path, { month: to })}
      />
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
          slotHref={start => linkTo(path, { start })}
        />
      </section>
    </div>
  )
}

/** Asks whether something of some length (in milliseconds) is to be moved to a start. */
export const MoveConfirm = ({
  path,
  style,
  start,
  length,
  asksReason = false,
}: MovingProps & { start: Date; length: number; asksReason?: boolean }) => {
  const end = new Date(start.getTime() + length).toISOString()
  return (
    <form class="card narrow stack" method="post" action={path}>
      <h2>Move it to this time?</h2>
      <p class="when">{writeTimes({ startTime: start.toISOString(), endTime: end }, style)}</p>
      <Hidden values={{ start: start.toISOString() }} />
      {asksReason ? <Area name="reason" label="Reason" maxlength={1000} filled={EMPTY} /> : null}
      <button class="button wide" type="submit">
        Move booking
      </button>
      <p>
        <a href={linkTo(path, { day: todayIn(style.timeZone, start) })}>Choose another time</a>
      </p>
    </form>
  )
}
