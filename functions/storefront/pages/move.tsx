import type { Context } from 'hono'
import type { Base } from '#lib/core/context.ts'
import { conflict } from '#lib/core/errors.ts'
import { listOwnSlots } from '#lib/domain/appointments/own.ts'
import { styleFor, writeTimes } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type Choices, readMonth, todayIn } from '#lib/pages/choices.ts'
import { Alert } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { MoveConfirm, MoveDays } from '#lib/pages/moving.tsx'
import { readLinked, rightsOf } from './appointment.tsx'

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
  const path = `/a/${uid}/move`
  const length = Date.parse(appointment.endTime) - Date.parse(appointment.startTime)
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
        {month ? (
          <MoveDays path={path} style={style} month={month} weekStart={terms.weekStart} />
        ) : null}
        {choices.start ? (
          <MoveConfirm path={path} style={style} start={choices.start} length={length} />
        ) : null}
      </div>
    </Layout>,
    status,
  )
}
