import { sql } from 'drizzle-orm'
import { bookingAttendees } from '#drizzle/schema/bookings.ts'
import { type Base, type Member, requirePermission } from '#lib/core/context.ts'
import { conflict, notFound } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { bare, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { runNoShow } from '../workflows/no-show.ts'
import type { MemberBooking } from './answer.ts'
import { minutesOf } from './decide.ts'
import { emitBookings } from './events.ts'
import { addConfirm, addReject } from './host-answer.ts'
import {
  type Attendance,
  CHANGED,
  changeBooking,
  type Known,
  readKnown,
  requireOwn,
  type Which,
} from './known.ts'
import { bookingById } from './member-view.ts'

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

/** The rows are those of the version that was read. */
const setNoShow = query<{ id: number; rows: string }, unknown>(
  p => sql`update ${bookingAttendees} set ${bare(bookingAttendees.noShow)} = n."noShow"
    from jsonb_to_recordset(${p.rows}::jsonb) as n(id int, "noShow" boolean)
    where ${bookingAttendees.accountId} = ${p.account}
      and ${bookingAttendees.bookingId} = ${p.id}::int and ${bookingAttendees.id} = n.id`,
)

/** One who did not come, or came after all: named by their number, address or telephone number. */
interface Absence {
  id?: number | undefined
  email?: string | undefined
  phoneNumber?: string | undefined
  noShow: boolean
}

/** Who did not come, or came after all. */
interface NoShow {
  attendees?: readonly Absence[]
  host?: boolean | undefined
}

/** Whether somebody is meant: all that is said of them must be true. */
const isMeant = (a: Attendance, { id, email, phoneNumber }: Absence): boolean =>
  (id === undefined || a.id === id) &&
  (email === undefined || a.email?.toLowerCase() === email.toLowerCase()) &&
  (phoneNumber === undefined || a.phoneNumber === phoneNumber)

/** Of whom it is new what is said of them; 404 for one who was not invited. */
function newsOf({ attendance }: Known, absences: readonly Absence[]): Attendance[] {
  const told = absences.map(absence => {
    const meant = attendance.filter(a => isMeant(a, absence))
    if (meant.length === 0) notFound('Attendee')
    return { meant, noShow: absence.noShow }
  })
  return attendance.flatMap(a => {
    const { noShow = a.noShow } = told.findLast(({ meant }) => meant.includes(a)) ?? {}
    return noShow === a.noShow ? [] : [{ ...a, noShow }]
  })
}

/** Everything that notes who did not come, added to a write; nothing of what is known already. */
export function addNoShow(
  write: Write,
  base: Base,
  was: Known,
  { attendees = [], host = was.noShowHost }: NoShow,
): void {
  const news = newsOf(was, attendees)
  if (news.length === 0 && host === was.noShowHost) return
  changeBooking(write, base, was, { noShowHost: host })
  const rows = news.map(({ id, noShow }) => ({ id, noShow }))
  if (rows.length > 0) write.run(setNoShow, { id: was.id, rows: JSON.stringify(rows) })
  emitBookings(write, base, 'BOOKING_NO_SHOW_UPDATED', [was.id])
  runNoShow(write, base, { subject: 'booking', ids: [was.id] })
}

/** 409 unless the meeting takes place and has begun. */
export function requireBegun(was: Known, { now }: Base): void {
  if (was.status !== 'accepted') conflict(`The booking is ${was.status}`)
  if (was.start > minutesOf(now)) conflict('The meeting has not begun yet')
}

/** Notes who did not come (or came after all), once the meeting has begun. */
export const markNoShow = (
  m: Member,
  { attendees = [], host, ...which }: Which & NoShow,
): Promise<Json<MemberBooking>> =>
  change(m, which, 'booking.no_show', (write, was) => {
    requireBegun(was, m)
    addNoShow(write, m, was, { attendees, host })
  })
