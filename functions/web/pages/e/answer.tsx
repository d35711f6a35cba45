import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Base } from '#lib/core/context.ts'
import { readAnswerToken } from '#lib/domain/messaging/bookings/answers.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import type { BookingStatus, LinkedBooking } from '#lib/domain/messaging/bookings/schema.ts'
import { answersOf, placeOf, reasonOf, titleOf } from '#lib/domain/messaging/bookings/words.ts'
import { type Style, usableStyle, writeTimes } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Alert, Area, EMPTY, Facts, Hidden } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'

const HEADINGS: Record<BookingStatus, string> = {
  pending: 'Confirm this booking?',
  accepted: 'The booking is confirmed',
  rejected: 'The booking was declined',
  cancelled: 'The booking was canceled',
  awaiting_host: 'Confirm this booking?',
}

/** What a host has to know to answer. */
function factsOf({ booking }: LinkedBooking, style: Style): [string, Child][] {
  const people = booking.attendees.map(a =>
    a.name === a.email ? a.email : `${a.name}, ${a.email}`,
  )
  const waiting = booking.dates.filter(d => d.status === 'pending')
  return [
    ['What', titleOf(booking)],
    ['When', writeTimes(booking, style)],
    ['Who', people.join('\n')],
    ['Where', placeOf(booking)],
    ['All dates', waiting.length > 1 && waiting.map(d => writeTimes(d, style, ', ')).join('\n')],
    ['Reason', reasonOf(booking)],
  ]
}

/** Both answers; to decline may take a reason. */
const Answers = ({ linked, token, filled }: AnswersProps) => {
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
      <details class="fold" open={filled !== EMPTY}>
        <summary>Decline</summary>
        <form class="fields" method="post" action={action}>
          <Hidden values={{ token, version, answer: 'decline' }} />
          <Area
            name="reason"
            label="Reason"
            hint="The attendee gets to read it."
            maxlength={1000}
            filled={filled}
          />
          <button class="button danger wide" type="submit">
            Decline booking
          </button>
        </form>
      </details>
    </>
  )
}

interface AnswersProps {
  linked: LinkedBooking
  token: string
  filled: Filled
}

/** The booking that a host's link asks about. Looking at it changes nothing; the buttons do. */
export async function showAnswer<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  { uid, token }: { uid: string; token: string },
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
): Promise<Response> {
  const claim = await readAnswerToken(base.settings, token, base.now)
  const linked = claim?.uid === uid ? await findBookingByUid(base, uid) : null
  const host = linked?.booking.hosts.find(h => h.userId === claim?.userId)
  if (!linked || !host) return showNoAnswer(c)
  const { booking, sender } = linked
  const style = usableStyle([host.locale, sender.locale], [host.timeZone, sender.timeZone])
  const heading = HEADINGS[booking.status]
  c.header('X-Robots-Tag', 'noindex')
  return showPage(
    c,
    <Layout title={heading} forCustomers noindex>
      <div class="card narrow stack">
        <p class="quiet">{sender.name}</p>
        <h1>{heading}</h1>
        <Alert message={message} />
        {booking.status === 'accepted' ? (
          <p class="note good" role="status">
            The attendee was told.
          </p>
        ) : null}
        <Facts facts={factsOf(linked, style)} />
        {booking.isSeated ? null : <Facts facts={answersOf(booking.responses, booking)} stacked />}
        {booking.status === 'pending' ? (
          <Answers linked={linked} token={token} filled={filled} />
        ) : null}
      </div>
    </Layout>,
    status,
  )
}

/** The link is forged, or its meeting is over, or is hosted by others now. */
export const showNoAnswer = <E extends AppEnv>(c: Context<E>, status = 404): Response =>
  showPage(
    c,
    <Layout title="This link has ended" forCustomers noindex>
      <div class="card narrow stack">
        <h1>This link has ended</h1>
        <p>It works for the host of a booking, until the meeting is over.</p>
      </div>
    </Layout>,
    status,
  )
