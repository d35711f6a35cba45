import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Member } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import { lineOf } from '#lib/domain/attendees/person.ts'
import { findWaiting } from '#lib/domain/bookings/instant.ts'
import { findBooking } from '#lib/domain/bookings/member-view.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import type { LinkedBooking } from '#lib/domain/messaging/bookings/schema.ts'
import { answersOf, placeOf } from '#lib/domain/messaging/bookings/words.ts'
import { writeTimes } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Facts, Hidden } from '#lib/pages/fields.tsx'
import { showLinked } from '#lib/pages/linked.tsx'
import { pageStyle, writeClock } from '#lib/pages/words.ts'

const styleOf = ({ sender }: LinkedBooking) => pageStyle([sender.locale], [sender.timeZone])

/** What a host has to know of who waits. */
function factsOf(linked: LinkedBooking): [string, Child][] {
  const { booking } = linked
  return [
    ['What', booking.title],
    ['When', writeTimes(booking, styleOf(linked))],
    ['Who', booking.attendees.map(lineOf).join('\n')],
  ]
}

/** Somebody waits for a host. Looking changes nothing; the button joins. */
export async function showJoin<E extends AppEnv>(
  c: Context<E>,
  m: Member,
  token: string,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const waiting = await findWaiting(m, token)
  const linked = waiting && (await findBookingByUid(m, waiting.uid))
  if (!waiting || !linked) return showNoMeeting(c, shown)
  const { locale, timeZone } = styleOf(linked)
  return showLinked(
    c,
    { heading: 'Somebody waits for you', business: linked.sender.name, shown, signedIn: true },
    <>
      <p class="note" role="status">
        The first host to join takes the meeting, until{' '}
        {writeClock(waiting.expiresAt, locale, timeZone)}.
      </p>
      <Facts facts={factsOf(linked)} />
      <Facts facts={answersOf(linked.booking.responses, linked.booking)} stacked />
      <form method="post" action="/connect-and-join">
        <Hidden values={{ token }} />
        <button class="button wide" type="submit">
          Join
        </button>
      </form>
    </>,
  )
}

/** The meeting that a host has joined, and the way into it. */
export async function showJoined<E extends AppEnv>(
  c: Context<E>,
  m: Member,
  uid: string,
): Promise<Response> {
  await findBooking(m, { uid })
  const linked = (await findBookingByUid(m, uid)) ?? notFound('Booking')
  const place = placeOf(linked.booking)
  const { meetingUrl } = linked.booking
  return showLinked(
    c,
    { heading: 'The meeting is yours', business: linked.sender.name, signedIn: true },
    <>
      <p class="note good" role="status">
        {linked.booking.attendees[0]?.name} was told that you are there.
      </p>
      <Facts facts={[...factsOf(linked), ['Where', meetingUrl ? null : place]]} />
      {meetingUrl ? (
        <a class="button wide" href={meetingUrl} rel="noopener noreferrer">
          Open the meeting
        </a>
      ) : null}
    </>,
  )
}

/** Somebody else has joined, or nobody in time, or the link is another account's. */
export const showNoMeeting = <E extends AppEnv>(c: Context<E>, { status }: Shown): Response =>
  showLinked(
    c,
    {
      heading: 'Nobody waits here',
      shown: { status: status === 422 ? 422 : 404 },
      signedIn: true,
    },
    <>
      <p>Another host has joined already, or the time to join is over.</p>
      <p>
        <a href="/home">Go home</a>
      </p>
    </>,
  )
