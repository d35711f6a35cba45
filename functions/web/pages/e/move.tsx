import type { Context } from 'hono'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import { optionalText, queryInstant } from '#lib/core/schemas.ts'
import { createBooking } from '#lib/domain/bookings/create.ts'
import { listMoves } from '#lib/domain/bookings/slots.ts'
import { visitorIn } from '#lib/http/callers.ts'
import { giveNotice } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import type { Shown } from '#lib/http/validate.ts'
import type { Choices } from '#lib/pages/choices.ts'
import { uidOf } from '#lib/pages/linked.tsx'
import { chosenIn, MOVED, showMoving, unmovable } from '#lib/pages/moving.tsx'
import { HORIZON_DAYS, shownSlots } from '../../event-slots.ts'
import { readOwn, rightsOf, showBooking } from './booking.tsx'

/** Chooses another start for an attendee's own booking. */
export async function showBookingMove<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  uid: string,
  choices: Choices,
  shown?: Shown,
): Promise<Response> {
  const own = await readOwn(base, { uid })
  if (!rightsOf(own, base.now).canMove)
    return showBooking(c, base, { uid }, unmovable('This meeting cannot be moved here'))
  const { booking, style, weekStart } = own
  const { timeZone } = style
  const movable = {
    title: booking.title,
    path: `/e/${uid}`,
    times: booking,
    style,
    weekStart,
    horizonDays: HORIZON_DAYS,
    list: async (start: string, end: string) =>
      shownSlots(await listMoves(base, { uid, start, end, timeZone })),
    asksReason: true,
  }
  return showMoving(c, base, movable, choices, shown)
}

/** Moves the booking, for its attendee. */
export const moveForm = visitorForm({
  schema: z.object({ start: queryInstant, reason: optionalText(1000).optional() }),
  show: (c, shown) => showBookingMove(c, visitorIn(c), uidOf(c), chosenIn(shown), shown),
  work: async (c, v, { start, reason }) => {
    const { booking, style } = await readOwn(v, { uid: uidOf(c) })
    const [booker] = booking.attendees
    const { name, email, phoneNumber } = booker ?? notFound('Booking')
    return createBooking(v, {
      rescheduleUid: booking.uid,
      eventTypeId: booking.eventType?.id ?? 0,
      start,
      responses: {
        name,
        ...(email === null ? {} : { email }),
        ...(phoneNumber === null ? {} : { attendeePhoneNumber: phoneNumber }),
        rescheduleReason: reason ?? null,
      },
      timeZone: style.timeZone,
    })
  },
  next: c => {
    giveNotice(c, MOVED)
    return `/e/${uidOf(c)}`
  },
})
