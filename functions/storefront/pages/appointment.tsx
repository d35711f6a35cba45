import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import { optionalText } from '#lib/core/schemas.ts'
import { cancelByUid, customerDeadline, writeMinutes } from '#lib/domain/appointments/own.ts'
import { findByUid, writeOwnCalendar } from '#lib/domain/messaging/links.ts'
import type { LinkedAppointment, ShownAppointment } from '#lib/domain/messaging/schema.ts'
import { untilOf } from '#lib/domain/messaging/templates.ts'
import { type Style, writeTimes } from '#lib/domain/messaging/times.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Facts } from '#lib/pages/fields.tsx'
import { answerCalendar, OwnActions, RefuseForm, showLinked, uidOf } from '#lib/pages/linked.tsx'
import { count, pageStyleFor, writePrice } from '#lib/pages/words.ts'

/** The appointment of a customer's link. */
export const readLinked = async (base: Base, uid: string): Promise<LinkedAppointment> =>
  (await findByUid(base, uid)) ?? notFound('Appointment')

/** What customers may still do with it, by the state of things at `now`. */
export function rightsOf({ appointment, terms }: LinkedAppointment, now: Date) {
  const { status, startTime } = appointment
  const start = Date.parse(startTime)
  const isAhead = (status === 'pending' || status === 'approved') && now.getTime() < start
  const isInTime = isAhead && now.getTime() <= customerDeadline(terms.policy, start)
  const canMove = terms.policy.allowCustomerReschedule && !terms.isSeat && terms.hasEmployee
  return { isAhead, canCancel: isInTime, canMove: isInTime && canMove }
}

/** The state of an appointment in words for its customer. */
function headingOf({ appointment }: LinkedAppointment, now: Date): string {
  const { status, endTime } = appointment
  if (status === 'canceled') return 'This booking was canceled'
  if (status === 'completed' || now.getTime() >= Date.parse(endTime)) return 'This booking is over'
  return status === 'pending' ? 'Your booking is not confirmed yet' : 'Your booking is confirmed'
}

/** What, when, with whom and where. */
export const meetingFacts = (appointment: ShownAppointment, style: Style): [string, Child][] => {
  const { service, employee, location } = appointment
  return [
    ['What', service],
    ['When', writeTimes(appointment, style)],
    ['With', employee],
    ['Where', location && [location.name, location.address].filter(Boolean).join(', ')],
  ]
}

function factsOf({ appointment, sender, terms }: LinkedAppointment): [string, Child][] {
  const { status, totalAmount, currency, cancellationReason } = appointment
  const style = pageStyleFor(appointment, sender)
  return [
    ...meetingFacts(appointment, style),
    ['Seats', terms.isSeat && count(terms.persons, 'seat')],
    [
      'Price',
      status !== 'canceled' && totalAmount > 0 && writePrice(totalAmount, currency, style.locale),
    ],
    ['Reason', cancellationReason],
  ]
}

const Pending = ({ linked: { appointment, sender } }: { linked: LinkedAppointment }) => {
  const until = untilOf(appointment, pageStyleFor(appointment, sender))
  return (
    <p class="note" role="status">
      {appointment.customer?.email
        ? `Check your e-mail: the link that we sent you confirms it. The time is held for you until ${until}.`
        : `${sender.name} holds the time for you until ${until}, and will confirm it.`}
    </p>
  )
}

/** Why nothing can be changed here any more, and whom to ask instead. */
const TooLate = ({ linked: { sender, terms } }: { linked: LinkedAppointment }) => {
  const ways = [sender.phone && `call ${sender.phone}`, sender.email && `write to ${sender.email}`]
  const window = writeMinutes(terms.policy.cancellationWindowMinutes)
  return (
    <p class="note">
      It could be changed here until {window} before its start. If you cannot come, please{' '}
      {ways.filter(Boolean).join(' or ') || `get in touch with ${sender.name}`}.
    </p>
  )
}

const Actions = ({ linked, now, shown }: ActionsProps) => {
  const path = `/a/${linked.appointment.uid}`
  const { isAhead, canCancel, canMove } = rightsOf(linked, now)
  return (
    <>
      {isAhead ? <OwnActions path={path} canMove={canMove} /> : null}
      {canCancel ? (
        <RefuseForm
          action={`${path}/cancel`}
          title="Cancel this booking"
          button="Cancel booking"
          shown={shown}
        />
      ) : null}
      {isAhead && !canCancel ? <TooLate linked={linked} /> : null}
    </>
  )
}

interface ActionsProps {
  linked: LinkedAppointment
  now: Date
  shown: Shown
}

/** The customer's page of one appointment, or of one seat. */
export async function showAppointment<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  uid: string,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const linked = await readLinked(base, uid)
  const { appointment, sender, terms } = linked
  const heading = headingOf(linked, base.now)
  return showLinked(
    c,
    { heading, business: sender.name, shown },
    <>
      {appointment.status === 'pending' ? <Pending linked={linked} /> : null}
      <Facts facts={factsOf(linked)} />
      <Actions linked={linked} now={base.now} shown={shown} />
      <p>
        <a href={`/b/${terms.subdomain}`}>Book something else</a>
      </p>
    </>,
  )
}

/** Cancels the appointment, or gives the seat back. */
export const cancelForm = visitorForm({
  schema: z.object({ reason: optionalText(1000).optional() }),
  show: (c, shown) => showAppointment(c, visitorIn(c), uidOf(c), shown),
  work: (c, v, { reason }) => cancelByUid(v, { uid: uidOf(c), reason }),
  next: c => `/a/${uidOf(c)}`,
})

/** The appointment as a calendar file. */
export async function showCalendar<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  uid: string,
): Promise<Response> {
  return answerCalendar(c, writeOwnCalendar(base, await readLinked(base, uid)))
}
