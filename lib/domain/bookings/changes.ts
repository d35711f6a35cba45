import { sql } from 'drizzle-orm'
import { bookingAttendees } from '#drizzle/schema/bookings.ts'
import { type Base, type Member, requirePermission } from '#lib/core/context.ts'
import { conflict } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { runNoShow } from '../workflows/no-show.ts'
import { minutesOf } from './decide.ts'
import { emitBookings } from './events.ts'
import { addConfirm, addReject } from './host-answer.ts'
import { CHANGED, changeBooking, type Known, readKnown, requireOwn, type Which } from './known.ts'
import { bookingById, type MemberBooking } from './member-view.ts'

/** Reads, checks whose it is, changes and answers; again when somebody else changed it meanwhile. */
function change(
  m: Member,
  which: Which,
  action: string,
  work: (write: Write, was: Known) => unknown,
): Promise<Json<MemberBooking>> {
  requirePermission(m, 'calendar.own')
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(m.tenant, which)
    requireOwn(m, was)
    const write = m.tenant.write(action, was.id)
    await work(write, was)
    return write.commit(write.answer(bookingById, { id: was.id, uid: null, userId: null }))
  })
}

/** Accepts a booking that waits for its host's word, and all of its series that do. */
export const confirmBooking = (m: Member, which: Which): Promise<Json<MemberBooking>> =>
  change(m, which, 'booking.confirm', (write, was) => addConfirm(write, m, m.tenant, was))

/** Turns down a booking that waits for its host's word, and all of its series that do. */
export const rejectBooking = (
  m: Member,
  { reason, ...which }: Which & { reason?: string | null | undefined },
): Promise<Json<MemberBooking>> =>
  change(m, which, 'booking.reject', (write, was) =>
    addReject(write, m, m.tenant, was, reason ?? null),
  )

const setNoShow = query<{ id: number; rows: string }, unknown>(
  p => sql`with changed as (
    update ${bookingAttendees} set no_show = n."noShow"
    from jsonb_to_recordset(${p.rows}::jsonb) as n(email text, "noShow" boolean)
    where ${bookingAttendees.accountId} = ${p.account}
      and ${bookingAttendees.bookingId} = ${p.id}::int
      and lower(${bookingAttendees.email}) = lower(n.email) returning n.email
  ) select must((select count(distinct lower(email)) from changed)
      = (select count(distinct lower(email)) from jsonb_to_recordset(${p.rows}::jsonb) as n(email text)),
    'booking_attendees_named')`,
)

/** Who did not come, or came after all. */
interface NoShow {
  attendees?: { email: string; noShow: boolean }[]
  host?: boolean | undefined
}

/** Whether all that is said of who came stands there already. Who was not invited is never noted. */
const isNoted = (was: Known, { attendees = [], host = was.noShowHost }: NoShow): boolean =>
  host === was.noShowHost &&
  attendees.every(({ email, noShow }) => {
    const noted = was.attendance.filter(a => a.email.toLowerCase() === email.toLowerCase())
    return noted.length > 0 && noted.every(a => a.noShow === noShow)
  })

/** Everything that notes who did not come, added to a write; nothing of what is known already. */
export function addNoShow(
  write: Write,
  base: Base,
  was: Known,
  { attendees = [], host }: NoShow,
): void {
  if (isNoted(was, { attendees, host })) return
  changeBooking(write, base, was, { noShowHost: host })
  if (attendees.length > 0) write.run(setNoShow, { id: was.id, rows: JSON.stringify(attendees) })
  emitBookings(write, base, 'BOOKING_NO_SHOW_UPDATED', [was.id])
  runNoShow(write, base, { subject: 'booking', ids: [was.id] })
}

/** Notes who did not come (or came after all), once the meeting has begun. */
export const markNoShow = (
  m: Member,
  { attendees = [], host, ...which }: Which & NoShow,
): Promise<Json<MemberBooking>> =>
  change(m, which, 'booking.no_show', (write, was) => {
    if (was.status !== 'accepted') conflict(`The booking is ${was.status}`)
    if (was.start > minutesOf(m.now)) conflict('The meeting has not begun yet')
    addNoShow(write, m, was, { attendees, host })
  })
