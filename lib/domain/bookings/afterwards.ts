import { bookings } from '#drizzle/schema/bookings.ts'
import type { Visitor } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Write } from '#lib/db/write.ts'
import { type LinkPurpose, readWorkflowLink } from '../messaging/workflows/links.ts'
import { addNoShow, requireBegun } from './changes.ts'
import { CHANGED, enterByUid, type Known, readKnown } from './known.ts'

/** Changes the booking of a link that was sent with a workflow's message, once it has begun. */
async function byLink<A extends object>(
  v: Visitor,
  purpose: LinkPurpose,
  token: string,
  answer: A,
  work: (write: Write, was: Known) => void,
): Promise<{ uid: string } & A> {
  const uid = (await readWorkflowLink(v.settings, purpose, token, v.now)) ?? notFound('Link')
  const tenant = await enterByUid(v, uid)
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(tenant, { uid })
    requireBegun(was, v)
    const write = tenant.write(purpose === 'rate' ? 'booking.rate' : 'booking.no_show', was.id)
    work(write, was)
    return write.commit({ uid, ...answer })
  })
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
export const rateByToken = (v: Visitor, { token, rating, feedback }: Rating) =>
  byLink(v, 'rate', token, { rating }, (write, { id, version }) => {
    const change = { rating, ratingFeedback: feedback ?? null, updatedAt: v.now.toISOString() }
    write.change(bookings, id, change, 'bookings_changed', { version })
  })

/**
 * Notes by an attendee's link that the host did not come, or came after all.
 * @throws as `rateByToken`
 */
export const hostNoShowByToken = (
  v: Visitor,
  { token, absent }: { token: string; absent: boolean },
) =>
  byLink(v, 'host-no-show', token, { absent }, (write, was) =>
    addNoShow(write, v, was, { host: absent }),
  )

/**
 * Notes by a host's link who of those invited did not come, by their numbers; the others came.
 * @throws NOT_FOUND when the link is forged or has ended, or names somebody who was not invited
 * @throws CONFLICT when the meeting has not begun, or does not take place
 */
export const noShowByToken = (
  v: Visitor,
  { token, absent, present }: { token: string; absent: number[]; present: number[] },
) =>
  byLink(v, 'no-show', token, { absent }, (write, was) =>
    addNoShow(write, v, was, {
      attendees: [
        ...absent.map(id => ({ id, noShow: true })),
        ...present.map(id => ({ id, noShow: false })),
      ],
    }),
  )
