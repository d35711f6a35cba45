import type { Context } from 'hono'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import type { LinkedBooking } from '#lib/domain/messaging/bookings/schema.ts'
import { hostsOf } from '#lib/domain/messaging/bookings/words.ts'
import { writeTimes } from '#lib/domain/messaging/times.ts'
import { readWorkflowLink } from '#lib/domain/messaging/workflows/links.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Shown } from '#lib/http/validate.ts'
import { Facts } from '#lib/pages/fields.tsx'
import { uidOf } from '#lib/pages/linked.tsx'
import { pageStyle } from '#lib/pages/words.ts'

/** What a message of a workflow leads to after a booking: its page, with the token of the message. */
export interface WorkflowLink {
  uid: string
  token: string
}

/** A token as forms send it. */
export const token = z.string().max(1000)

/** What a link has; one without a token leads to a page that says so. */
export const Token = z.object({ token: token.catch('') })

/** What is said where the link is forged, or the meeting was long ago. */
export const WORKS = 'It works for some weeks after the meeting.'

/** The booking of a link of some purpose; null when it is not ours, or not good any more. */
export async function linkedBy(
  base: Base,
  purpose: Parameters<typeof readWorkflowLink>[1],
  { uid, token }: WorkflowLink,
): Promise<LinkedBooking | null> {
  const named = await readWorkflowLink(base.settings, purpose, token, base.now)
  return named === uid ? findBookingByUid(base, uid) : null
}

/** The link whose form is shown again. */
export const askedAgain = (c: Context<AppEnv>, { filled }: Shown): WorkflowLink => ({
  uid: uidOf(c),
  token: filled.values.token ?? '',
})

/** What a meeting was about, when and with whom, for who attended it. */
export const Met = ({ booking, sender }: LinkedBooking) => {
  const style = pageStyle([sender.locale], [booking.attendees[0]?.timeZone, sender.timeZone])
  return (
    <Facts
      facts={[
        ['What', booking.eventType?.title ?? 'Meeting'],
        ['When', writeTimes(booking, style)],
        ['With', hostsOf(booking)],
      ]}
    />
  )
}
