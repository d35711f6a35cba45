import type { Context } from 'hono'
import type { Base } from '#lib/core/context.ts'
import { conflict } from '#lib/core/errors.ts'
import { listOwnSlots } from '#lib/domain/appointments/own.ts'
import type { LinkedAppointment } from '#lib/domain/messaging/schema.ts'
import { type Style, styleFor, writeTimes } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type Choices, readMonth, type ShownMonth, todayIn } from '../choices.ts'
import { Alert, Hidden } from '../fields.tsx'
import { Layout, showPage } from '../layout.tsx'
import { Month, Times } from '../month.tsx'
import { linkTo, writeDay, writeZone } from '../words.ts'
import { readLinked, rightsOf } from './appointment.tsx'

interface PartProps {
  linked: LinkedAppointment
  style: Style
}

const Days = ({ linked, style, month }: PartProps & { month: ShownMonth }) => {
  const { locale, timeZone } = style
  const { day } = month
  const path = `/a/${linked.appointment.uid}/move`
  const slots = (day && month.slots[day]) || []
  return (
    <div class="card pick">
      <Month
        {...month}
        selected={day}
        weekStart={linked.terms.weekStart}
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

const Confirm = ({ linked, style, start }: PartProps & { start: Date }) => {
  const { uid, startTime, endTime } = linked.appointment
  const length = Date.parse(endTime) - Date.parse(startTime)
  const end = new Date(start.getTime() + length).toISOString()
  const path = `/a/${uid}/move`
  return (
    <form class="card narrow stack" method="post" action={path}>
      <h2>Move it to this time?</h2>
      <p class="when">{writeTimes({ startTime: start.toISOString(), endTime: end }, style)}</p>
      <Hidden values={{ start: start.toISOString() }} />
      <button class="button wide" type="submit">
        Move booking
      </button>
      <p>
        <a href={linkTo(path, { day: todayIn(style.timeZone, start) })}>Choose another time</a>
      </p>
    </form>
  )
}

/** Chooses another start for a customer's own appointment. */
export async function showMove<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  uid: string,
  choices: Choices,
  status = 200,
  message?: string,
): Promise<Response> {
  const linked = await readLinked(base, uid)
  if (!rightsOf(linked, base.now).canMove) conflict('This booking cannot be moved here')
  const { appointment, sender, terms } = linked
  const style = styleFor(appointment, sender)
  const today = todayIn(style.timeZone, base.now)
  const month = choices.start
    ? undefined
    : await readMonth(choices, today, terms.policy.horizonDays, (from, to) =>
        listOwnSlots(base, { uid, from, to, timeZone: style.timeZone }),
      )
  c.header('X-Robots-Tag', 'noindex')
  return showPage(
    c,
    <Layout title="Choose another time" forCustomers noindex>
      <div class="shop stack">
        <p>
          <a href={`/a/${uid}`}>‹ {appointment.service}</a>
        </p>
        <h1>Choose another time</h1>
        <p class="quiet">Now: {writeTimes(appointment, style, ', ')}</p>
        <Alert message={message} />
        {month ? <Days linked={linked} style={style} month={month} /> : null}
        {choices.start ? <Confirm linked={linked} style={style} start={choices.start} /> : null}
      </div>
    </Layout>,
    status,
  )
}
