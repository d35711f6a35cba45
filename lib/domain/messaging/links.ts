import type { Base } from '#lib/core/context.ts'
import { readToken } from '#lib/core/tokens.ts'
import { lookUp } from '#lib/db/query.ts'
import { CONFIRM_PURPOSE, calendarEntry } from './appointment.ts'
import { writeCalendar } from './ics.ts'
import { shownByUid } from './queries.ts'
import type { LinkedAppointment } from './schema.ts'

/**
 * The appointment that a confirmation link is about; undefined when the token is not ours, its
 * appointment has begun, or it was taken away. Changes nothing.
 */
export async function findByToken(
  base: Base,
  token: string,
): Promise<LinkedAppointment | undefined> {
  const { settings, now } = base
  const uid = await readToken(settings.secret, CONFIRM_PURPOSE, token, now)
  if (uid === undefined) return undefined
  return findByUid(base, uid)
}

/**
 * The appointment that a customer's own link names; undefined when nothing has the uid, or it was
 * taken away.
 */
export async function findByUid(base: Base, uid: string): Promise<LinkedAppointment | undefined> {
  await base.admission()
  return (await lookUp(base.db, shownByUid, { uid })) ?? undefined
}

/**
 * The calendar file of a customer's own appointment: its entry as it stands, or its end when it is
 * canceled. The entry has the `uid` and the sequence of those in e-mails, so each replaces the last.
 */
export function writeOwnCalendar({ settings, now }: Base, linked: LinkedAppointment): string {
  const { appointment, sender } = linked
  const isCanceled = appointment.status === 'canceled'
  const entry = calendarEntry(appointment, appointment, sender, settings)
  return writeCalendar(isCanceled ? 'CANCEL' : 'PUBLISH', now, [entry])
}
