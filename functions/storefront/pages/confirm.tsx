import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import { confirmByToken } from '#lib/domain/appointments/changes.ts'
import { findByToken } from '#lib/domain/messaging/links.ts'
import type { ShownAppointment } from '#lib/domain/messaging/schema.ts'
import { untilOf } from '#lib/domain/messaging/templates.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Facts, Hidden } from '#lib/pages/fields.tsx'
import { showEnded, showLinked } from '#lib/pages/linked.tsx'
import { linkTo, pageStyleFor } from '#lib/pages/words.ts'
import { meetingFacts } from './appointment.tsx'

const HEADINGS: Record<ShownAppointment['status'], string> = {
  pending: 'Confirm your booking',
  approved: 'Your booking is confirmed',
  canceled: 'This booking was canceled',
  completed: 'This booking is over',
}

/** The booking that a link from an e-mail is about. Looking at it changes nothing; the button does. */
export async function showConfirm<E extends AppEnv>(
  c: Context<E>,
  visitor: Visitor,
  token: string,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const found = await findByToken(visitor, token)
  if (!found)
    return showEnded(
      c,
      'It works until the appointment begins. If you still want to come, please get in touch with the business.',
      shown,
    )
  const { appointment, sender } = found
  const { status, cancellationReason } = appointment
  const style = pageStyleFor(appointment, sender)
  const facts: [string, Child][] = [
    ...meetingFacts(appointment, style),
    ['Confirm by', status === 'pending' && untilOf(appointment, style)],
    ['Reason', status === 'canceled' && cancellationReason],
  ]
  return showLinked(
    c,
    // What is said of a refusal, its heading says better.
    { heading: HEADINGS[status], business: sender.name, shown: { status: shown.status } },
    <>
      {status === 'approved' ? (
        <p class="note good" role="status">
          Thank you. See you then!
        </p>
      ) : null}
      <Facts facts={facts} />
      {status === 'pending' ? (
        <form method="post" action="/confirm">
          <Hidden values={{ token }} />
          <button class="button wide" type="submit">
            Confirm booking
          </button>
        </form>
      ) : null}
    </>,
  )
}

/** Confirms the booking. */
export const confirmForm = visitorForm({
  schema: z.object({ token: z.string().max(1000) }),
  show: (c, shown) => showConfirm(c, visitorIn(c), shown.filled.values.token ?? '', shown),
  work: (_c, v, { token }) => confirmByToken(v, { token }),
  next: (_c, { token }) => linkTo('/confirm', { token }),
})
