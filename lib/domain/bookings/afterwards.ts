import { bookings } from '#drizzle/schema/bookings.ts'
import type { Visitor } from '#lib/core/context.ts'
import { conflict, notFound } from '#lib/core/errors.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { type LinkPurpose, readWorkflowLink } from '../messaging/workflows/links.ts'
import { addNoShow } from './changes.ts'
import { minutesOf } from './decide.ts'
import { CHANGED, enterByUid, type Known, readKnown } from './known.ts'

/** The booking of a link that was sent with a workflow's message, if it has begun and takes place. */
async function openBooking(v: Visitor, purpose: LinkPurpose, token: string) {
  const uid = (await readWorkflowLink(v.settings, purpose, token, v.now)) ?? notFound('Link')
  return { uid, tenant: await enterByUid(v, uid) }
}

function requireBegun(was: Known, v: Visitor): void {
  if (was.status !== 'accepted') conflict(`The booking is ${was.status}`)
  if (was.start > minutesOf(v.now)) conflict('The meeting has not begun yet')
}

/** How a meeting was, in the words of who came. */
export interface Rating {
  token: string
  /** 1 to 5. */
  rating: number
  feedback?: string | null | undefined
}

/**
 * Rates a meeting by the link that was sent to who came; a later word takes the place of an earlier.
 * @throws NOT_FOUND when the link is forged or has ended
 * @throws CONFLICT when the meeting has not begun, or does not take place
 */
export async function rateByToken(v: Visitor, { token, rating, feedback }: Rating) {
  const { uid, tenant } = await openBooking(v, 'rate', token)
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(tenant, { uid })
    requireBegun(was, v)
    const { version } = was
    const change = { rating, ratingFeedback: feedback ?? null, updatedAt: v.now.toISOString() }
    const write = tenant.write('booking.rate', was.id)
    write.change(bookings, was.id, change, 'bookings_changed', { version })
    return write.commit({ uid, rating })
  })
}

/**
 * Notes by an attendee's link that the host did not come, or came after all.
 * @throws as `rateByToken`
 */
export async function hostNoShowByToken(
  v: Visitor,
  { token, absent }: { token: string; absent: boolean },
) {
  const { uid, tenant } = await openBooking(v, 'host-no-show', token)
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(tenant, { uid })
    requireBegun(was, v)
    const write = tenant.write('booking.no_show', was.id)
    addNoShow(write, v, was, { host: absent })
    return write.commit({ uid, absent })
  })
}

/**
 * Notes by a host's link who of those invited did not come, by their numbers; the others came.
 * @throws NOT_FOUND when the link is forged or has ended, or names somebody who was not invited
 * @throws CONFLICT when the meeting has not begun, or does not take place
 */
export async function noShowByToken(
  v: Visitor,
  { token, absent, present }: { token: string; absent: number[]; present: number[] },
) {
  const { uid, tenant } = await openBooking(v, 'no-show', token)
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(tenant, { uid })
    requireBegun(was, v)
    const write = tenant.write('booking.no_show', was.id)
    addNoShow(write, v, was, {
      attendees: [
        ...absent.map(id => ({ id, noShow: true })),
        ...present.map(id => ({ id, noShow: false })),
      ],
    })
    return write.commit({ uid, absent })
  })
}
