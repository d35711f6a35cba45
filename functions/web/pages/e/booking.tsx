import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import { optionalText } from '#lib/core/schemas.ts'
import { keyOf } from '#lib/domain/attendees/person.ts'
import { cancelByUid } from '#lib/domain/bookings/cancel.ts'
import { isTooLateToMove } from '#lib/domain/bookings/policy.ts'
import { findBookingByUid, writeBookingCalendar } from '#lib/domain/messaging/bookings/links.ts'
import type { BookingStatus, LinkedBooking } from '#lib/domain/messaging/bookings/schema.ts'
import { othersOf } from '#lib/domain/messaging/bookings/templates.ts'
import { hostsOf, placeOf, reasonOf, statusFor } from '#lib/domain/messaging/bookings/words.ts'
import { type Style, writeTimes } from '#lib/domain/messaging/times.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Choice, Facts, Hidden } from '#lib/pages/fields.tsx'
import { answerCalendar, OwnActions, RefuseForm, showLinked, uidOf } from '#lib/pages/linked.tsx'
import { linkTo, pageStyle, writePrice } from '#lib/pages/words.ts'

/** Whose booking a link shows: everybody's, or the holder's of one seat. */
export interface OwnLink {
  uid: string
  seat?: string | undefined
}

/** A booking as a link shows it to its reader. */
export interface OwnBooking extends LinkedBooking {
  seat: string | undefined
  /** Where it stands for the reader: a seat that was given back is canceled for its holder. */
  status: BookingStatus
  style: Style
}

/** The booking of an attendee's link; 404 when nothing has the uid. */
export async function readOwn(base: Base, { uid, seat }: OwnLink): Promise<OwnBooking> {
  const linked = (await findBookingByUid(base, uid)) ?? notFound('Booking')
  const { booking, sender } = linked
  const holder = booking.attendees.find(a => (booking.isSeated ? a.seatUid === seat : !a.isGuest))
  const style = pageStyle(
    [booking.eventType?.interfaceLanguage, holder?.locale, sender.locale],
    [holder?.timeZone, sender.timeZone],
  )
  const own = booking.isSeated ? seat : undefined
  return { ...linked, seat: own, status: statusFor(booking, own), style }
}

/** What its reader may still do with it, by the state of things at `now`. */
export function rightsOf({ booking, status, seat }: OwnBooking, now: Date) {
  const { startTime, endTime, eventType, isSeated } = booking
  const [start, end] = [Date.parse(startTime), Date.parse(endTime)]
  const isLive = status === 'accepted' || status === 'pending' || status === 'awaiting_host'
  const isAhead = isLive && now.getTime() < end
  const isTheirs = !isSeated || seat !== undefined
  const policy = eventType?.disableRescheduling ?? null
  const isTooLate = isTooLateToMove(policy, start / 60_000, now.getTime() / 60_000)
  const isMovable = !isSeated && status !== 'awaiting_host' && eventType !== null
  return {
    isAhead,
    isTheirs,
    canCancel: isAhead && isTheirs && !eventType?.disableCancelling,
    canMove: isAhead && isMovable && !isTooLate,
  }
}

const HEADINGS: Record<BookingStatus, string> = {
  accepted: 'Your meeting is confirmed',
  pending: 'Your request waits for an answer',
  awaiting_host: 'Somebody joins you in a moment',
  cancelled: 'This meeting was canceled',
  rejected: 'Your request was declined',
}

function headingOf({ booking, status, seat }: OwnBooking, now: Date): string {
  if (status === 'cancelled' && booking.status !== 'cancelled') return 'You have no seat here'
  const isOver = now.getTime() >= Date.parse(booking.endTime)
  if (isOver && status !== 'cancelled' && status !== 'rejected') return 'This meeting is over'
  if (status === 'accepted' && booking.isSeated)
    return seat === undefined ? 'This meeting takes place' : 'Your seat is confirmed'
  return HEADINGS[status]
}

/** A place that is an address on the web leads there. */
const Place = ({ place }: { place: string }) =>
  /^https?:\/\//.test(place) ? (
    <a href={place} rel="noopener noreferrer">
      {place}
    </a>
  ) : (
    <span>{place}</span>
  )

/** What, when, with whom and where. */
function factsOf({ booking, status, seat, style }: OwnBooking): [string, Child][] {
  const { price, currency } = booking
  const holder = booking.attendees.find(a => a.seatUid === seat && seat !== undefined)
  const isOff = status === 'cancelled' || status === 'rejected'
  const mayKnow = !booking.isSeated || holder !== undefined
  const place = placeOf(booking)
  return [
    ['What', booking.title],
    ['When', writeTimes(booking, style)],
    ['With', hostsOf(booking)],
    ['Also', holder && othersOf(booking, keyOf(holder)).join(', ')],
    ['Where', !isOff && mayKnow && place && <Place place={place} />],
    ['Price', !isOff && price > 0 && writePrice(price, currency, style.locale)],
    ['Reason', isOff && reasonOf({ ...booking, status })],
  ]
}

const NOTES: Partial<Record<BookingStatus, string>> = {
  pending: 'The time is kept for you. You hear from us as soon as there is an answer.',
  awaiting_host: 'Please stay: if nobody can join, you are told within minutes.',
}

interface PartProps {
  own: OwnBooking
  now: Date
  shown: Shown
}

/** The other dates of a series that are still to come. */
const comingOf = ({ booking }: OwnBooking, now: Date) =>
  booking.dates.filter(
    d =>
      (d.status === 'accepted' || d.status === 'pending') &&
      Date.parse(d.startTime) > now.getTime() &&
      d.id !== booking.id,
  )

const CancelForm = ({ own, now, shown }: PartProps) => {
  const others = comingOf(own, now).length
  const { values, errors } = shown.filled
  return (
    <RefuseForm
      action={`/e/${own.booking.uid}/cancel`}
      title={own.seat ? 'Give back this seat' : 'Cancel this meeting'}
      button={own.seat ? 'Give back seat' : 'Cancel meeting'}
      shown={shown}
    >
      <Hidden values={{ seat: own.seat }} />
      {others > 0 ? (
        <Choice
          name="scope"
          label="What to cancel"
          options={[
            ['one', 'This date alone'],
            ['remaining', `All dates still to come (${others + 1})`],
          ]}
          chosen={values.scope ?? 'one'}
          fault={errors.scope}
        />
      ) : null}
    </RefuseForm>
  )
}

/** Why something cannot be done here, and whom to ask instead. */
const Limits = ({ own, now }: Omit<PartProps, 'shown'>) => {
  const { booking } = own
  const { isAhead, isTheirs, canCancel, canMove } = rightsOf(own, now)
  if (!isAhead || (canCancel && canMove)) return null
  if (!isTheirs)
    return <p class="note">To change your own seat, use the link that we sent you, please.</p>
  const shown = booking.eventType?.hideOrganizerEmail ? '' : ` at ${booking.organizer.email}`
  const what = [canCancel ? '' : 'canceled', canMove || booking.isSeated ? '' : 'moved']
  const text = what.filter(Boolean).join(' or ')
  if (!text || own.status === 'awaiting_host') return null
  return (
    <p class="note">
      It cannot be {text} here{canCancel ? ' any more' : ''}. If you cannot come, please ask{' '}
      {booking.organizer.name}
      {shown}.
    </p>
  )
}

const Actions = ({ own, now, shown }: PartProps) => {
  const path = `/e/${own.booking.uid}`
  const { isAhead, canCancel, canMove } = rightsOf(own, now)
  return (
    <>
      {isAhead ? <OwnActions path={path} reader={{ seat: own.seat }} canMove={canMove} /> : null}
      <Limits own={own} now={now} />
      {canCancel ? <CancelForm own={own} now={now} shown={shown} /> : null}
    </>
  )
}

const Series = ({ own, now }: Omit<PartProps, 'shown'>) => {
  const dates = comingOf(own, now)
  if (dates.length === 0) return null
  return (
    <section aria-labelledby="series">
      <h2 id="series">Other dates</h2>
      <ul class="dates">
        {dates.map(date => (
          <li>
            <a href={`/e/${date.uid}`}>{writeTimes(date, own.style, ', ')}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The attendee's page of one booking, or of their seat in it. */
export async function showBooking<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  link: OwnLink,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const own = await readOwn(base, link)
  const { booking, sender } = own
  const heading = headingOf(own, base.now)
  const leads = c.req.query('booked') === '1' && booking.eventType?.successRedirectUrl
  // A redirect would fall to the policy that forms are sent to our own pages alone.
  if (leads) c.header('Refresh', `3; url=${leads}`)
  return showLinked(
    c,
    { heading, business: sender.name, shown },
    <>
      {leads ? (
        <p class="note" role="status">
          You are led on in a moment. <a href={leads}>Continue</a>
        </p>
      ) : null}
      {NOTES[own.status] && rightsOf(own, base.now).isAhead ? (
        <p class="note" role="status">
          {NOTES[own.status]}
        </p>
      ) : null}
      <Facts facts={factsOf(own)} />
      <Actions own={own} now={base.now} shown={shown} />
      <Series own={own} now={base.now} />
      {booking.eventType ? (
        <p>
          <a href={booking.eventType.path}>Book another meeting</a>
        </p>
      ) : null}
    </>,
  )
}

const seat = z.string().max(64).optional()

/** Which seat the link of a group meeting's attendee is about. */
export const Seat = z.object({ seat: seat.catch(undefined) })

/** Cancels the booking and, if that is asked for, those that follow it; or gives the seat back. */
export const cancelForm = visitorForm({
  schema: z.object({
    seat,
    scope: z.enum(['one', 'remaining']).optional(),
    reason: optionalText(1000).optional(),
  }),
  show: (c, shown) =>
    showBooking(c, visitorIn(c), { uid: uidOf(c), seat: shown.filled.values.seat }, shown),
  work: (c, v, { seat, scope, reason }) =>
    cancelByUid(v, {
      uid: uidOf(c),
      reason,
      ...(seat === undefined ? {} : { seatReferenceUid: seat }),
      allRemainingBookings: scope === 'remaining',
    }),
  next: (c, { seat }) => linkTo(`/e/${uidOf(c)}`, { seat }),
})

/** The booking as a calendar file. */
export async function showBookingCalendar<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  link: OwnLink,
): Promise<Response> {
  const own = await readOwn(base, link)
  return answerCalendar(c, writeBookingCalendar(base, own, own.seat))
}
