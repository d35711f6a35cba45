import type { Context } from 'hono'
import type { Base } from '#lib/core/context.ts'
import { conflict } from '#lib/core/errors.ts'
import { listMoves } from '#lib/domain/bookings/slots.ts'
import { titleOf } from '#lib/domain/messaging/bookings/words.ts'
import { writeTimes } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type Choices, readMonth, todayIn } from '#lib/pages/choices.ts'
import { Alert } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { MoveConfirm, MoveDays } from '#lib/pages/moving.tsx'
import { shownSlots } from '../../event-slots.ts'
import { readOwn, rightsOf } from './booking.tsx'

/** How far ahead there is anything to look for. */
const HORIZON_DAYS = 365

/** Chooses another start for an attendee's own booking. */
export async function showBookingMove<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  uid: string,
  choices: Choices,
  status = 200,
  message?: string,
): Promise<Response> {
  const own = await readOwn(base, { uid })
  if (!rightsOf(own, base.now).canMove) conflict('This meeting cannot be moved here')
  const { booking, style, weekStart } = own
  const { timeZone } = style
  const list = async (start: string, end: string) => ({
    timeZone,
    slots: shownSlots(await listMoves(base, { uid, start, end, timeZone })),
  })
  const today = todayIn(timeZone, base.now)
  const month = choices.start ? undefined : await readMonth(choices, today, HORIZON_DAYS, list)
  const path = `/e/${uid}/move`
  const length = Date.parse(booking.endTime) - Date.parse(booking.startTime)
  c.header('X-Robots-Tag', 'noindex')
  return showPage(
    c,
    <Layout title="Choose another time" forCustomers noindex>
      <div class="shop stack">
        <p>
          <a href={`/e/${uid}`}>‹ {titleOf(booking)}</a>
        </p>
        <h1>Choose another time</h1>
        <p class="quiet">Now: {writeTimes(booking, style, ', ')}</p>
        <Alert message={message} />
        {month ? <MoveDays path={path} style={style} month={month} weekStart={weekStart} /> : null}
        {choices.start ? (
          <MoveConfirm path={path} style={style} start={choices.start} length={length} asksReason />
        ) : null}
      </div>
    </Layout>,
    status,
  )
}
