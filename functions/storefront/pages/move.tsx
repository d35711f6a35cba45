import type { Context } from 'hono'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { queryInstant } from '#lib/core/schemas.ts'
import { listOwnSlots, rescheduleByUid } from '#lib/domain/appointments/own.ts'
import { visitorIn } from '#lib/http/callers.ts'
import { giveNotice } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import type { Shown } from '#lib/http/validate.ts'
import type { Choices } from '#lib/pages/choices.ts'
import { uidOf } from '#lib/pages/linked.tsx'
import { chosenIn, MOVED, showMoving, unmovable } from '#lib/pages/moving.tsx'
import { pageStyleFor } from '#lib/pages/words.ts'
import { readLinked, rightsOf, showAppointment } from './appointment.tsx'

/** Chooses another start for a customer's own appointment. */
export async function showMove<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  uid: string,
  choices: Choices,
  shown?: Shown,
): Promise<Response> {
  const linked = await readLinked(base, uid)
  if (!rightsOf(linked, base.now).canMove)
    return showAppointment(c, base, uid, unmovable('This booking cannot be moved here'))
  const { appointment, sender, terms } = linked
  const style = pageStyleFor(appointment, sender)
  const { timeZone } = style
  const movable = {
    title: appointment.service,
    path: `/a/${uid}`,
    times: appointment,
    style,
    weekStart: terms.weekStart,
    horizonDays: terms.policy.horizonDays,
    list: async (from: string, to: string) =>
      (await listOwnSlots(base, { uid, from, to, timeZone })).slots,
  }
  return showMoving(c, base, movable, choices, shown)
}

/** Moves the appointment. */
export const moveForm = visitorForm({
  schema: z.object({ start: queryInstant }),
  show: (c, shown) => showMove(c, visitorIn(c), uidOf(c), chosenIn(shown), shown),
  work: (c, v, { start }) => rescheduleByUid(v, { uid: uidOf(c), startTime: start }),
  next: c => {
    giveNotice(c, MOVED)
    return `/a/${uidOf(c)}`
  },
})
