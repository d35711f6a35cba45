import type { Base } from '#lib/core/context.ts'
import { Json } from '#lib/core/json.ts'
import { readToken } from '#lib/core/tokens.ts'
import { shownByUid } from './queries.ts'
import { CONFIRM_PURPOSE } from './render.ts'
import type { Sender, ShownAppointment } from './schema.ts'

/** An appointment as its customer's link shows it, and the business it is with. */
export interface LinkedAppointment {
  appointment: ShownAppointment
  sender: Sender
}

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
  await base.admitted
  const [rows] = await base.db.trip([shownByUid.with({ uid })])
  const text = rows?.[0]?.[0]
  return text ? new Json<LinkedAppointment>(text).read() : undefined
}
