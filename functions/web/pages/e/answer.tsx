import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { optionalText, queryInt } from '#lib/core/schemas.ts'
import { lineOf } from '#lib/domain/attendees/person.ts'
import { answerByToken } from '#lib/domain/bookings/host-answer.ts'
import { readAnswerToken } from '#lib/domain/messaging/bookings/answer-link.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import type { BookingStatus, LinkedBooking } from '#lib/domain/messaging/bookings/schema.ts'
import { answersOf, placeOf, reasonOf } from '#lib/domain/messaging/bookings/words.ts'
import { type Style, writeTimes } from '#lib/domain/messaging/times.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Facts, Hidden } from '#lib/pages/fields.tsx'
import { RefuseForm, showEnded, showLinked, uidOf } from '#lib/pages/linked.tsx'
import { linkTo, pageStyle } from '#lib/pages/words.ts'

const HEADINGS: Record<BookingStatus, string> = {
  pending: 'Confirm this booking?',
  accepted: 'The booking is confirmed',
  rejected: 'The booking was declined',
  cancelled: 'The booking was canceled',
  awaiting_host: 'Confirm this booking?',
}

/** What a host has to know to answer. */
function factsOf({ booking }: LinkedBooking, style: Style): [string, Child][] {
  const waiting = booking.dates.filter(d => d.status === 'pending')
  return [
    ['What', booking.title],
    ['When', writeTimes(booking, style)],
    ['Who', booking.attendees.map(lineOf).join('\n')],
    ['Where', placeOf(booking)],
    ['All dates', waiting.length > 1 && waiting.map(d => writeTimes(d, style, ', ')).join('\n')],
    ['Reason', reasonOf(booking)],
  ]
}

/** Both answers; to decline may take a reason. */
const Answers = ({ linked, token, shown }: AnswersProps) => {
  const { uid, version } = linked.booking
  const action = `/e/${uid}/answer`
  return (
    <>
      <form method="post" action={action}>
        <Hidden values={{ token, version, answer: 'confirm' }} />
        <button class="button wide" type="submit">
          Confirm booking
        </button>
      </form>
      <RefuseForm
        action={action}
        title="Decline"
        button="Decline booking"
        hint="The attendee gets to read it."
        shown={shown}
      >
        <Hidden values={{ token, version, answer: 'decline' }} />
      </RefuseForm>
    </>
  )
}

interface AnswersProps {
  linked: LinkedBooking
  token: string
  shown: Shown
}

/** The booking that a host's link asks about. Looking at it changes nothing; the buttons do. */
export async function showAnswer<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  { uid, token }: { uid: string; token: string },
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const claim = await readAnswerToken(base.settings, token, base.now)
  const linked = claim?.uid === uid ? await findBookingByUid(base, uid) : null
  const host = linked?.booking.hosts.find(h => h.userId === claim?.userId)
  // The link is forged, or its meeting is over, or is hosted by others now.
  if (!linked || !host)
    return showEnded(c, 'It works for the host of a booking, until the meeting is over.', shown)
  const { booking, sender } = linked
  const style = pageStyle([host.locale, sender.locale], [host.timeZone, sender.timeZone])
  return showLinked(
    c,
    { heading: HEADINGS[booking.status], business: sender.name, shown },
    <>
      {booking.status === 'accepted' ? (
        <p class="note good" role="status">
          The attendee was told.
        </p>
      ) : null}
      <Facts facts={factsOf(linked, style)} />
      {booking.isSeated ? null : <Facts facts={answersOf(booking.responses, booking)} stacked />}
      {booking.status === 'pending' ? (
        <Answers linked={linked} token={token} shown={shown} />
      ) : null}
    </>,
  )
}

/** Confirms or declines, for a host. */
export const answerForm = visitorForm({
  schema: z.object({
    token: z.string().max(1000),
    answer: z.enum(['confirm', 'decline']),
    version: queryInt(0, 1_000_000_000).optional(),
    reason: optionalText(1000).optional(),
  }),
  show: (c, shown) =>
    showAnswer(c, visitorIn(c), { uid: uidOf(c), token: shown.filled.values.token ?? '' }, shown),
  work: (_c, v, said) => answerByToken(v, said),
  next: (c, { token }) => linkTo(`/e/${uidOf(c)}/answer`, { token }),
})
