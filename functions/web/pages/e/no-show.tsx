import type { Context } from 'hono'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { queryId } from '#lib/core/schemas.ts'
import { lineOf } from '#lib/domain/attendees/person.ts'
import { noShowByToken } from '#lib/domain/bookings/afterwards.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import { writeTimes } from '#lib/domain/messaging/times.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Facts, Hidden } from '#lib/pages/fields.tsx'
import { showEnded, showLinked, uidOf } from '#lib/pages/linked.tsx'
import { linkTo, pageStyle } from '#lib/pages/words.ts'
import { askedAgain, linkedBy, token, WORKS, type WorkflowLink } from './links.tsx'

/** Those who were invited to a meeting, for its host to say who did not come. */
export async function showNoShow<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  { uid, token }: WorkflowLink,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const linked = await linkedBy(base, 'no-show', { uid, token })
  if (!linked) return showEnded(c, WORKS, shown)
  const { booking, sender } = linked
  const isNoted = booking.attendees.some(a => a.noShow)
  return showLinked(
    c,
    { heading: 'Who did not come?', business: sender.name, shown },
    <>
      {isNoted && !shown.message ? (
        <p class="note good" role="status">
          This is noted. You can still change it.
        </p>
      ) : null}
      <Facts
        facts={[
          ['What', booking.title],
          ['When', writeTimes(booking, pageStyle([sender.locale], [sender.timeZone]))],
        ]}
      />
      <form class="fields" method="post" action={`/e/${uid}/no-show`}>
        <Hidden values={{ token }} />
        <fieldset class="choices">
          <legend>Did not come</legend>
          {booking.attendees.map((attendee, at) => (
            <label class="choice">
              <input
                type="checkbox"
                name={`absent.${at}`}
                value={attendee.id}
                checked={attendee.noShow}
              />
              {lineOf(attendee)}
            </label>
          ))}
        </fieldset>
        <button class="button wide" type="submit">
          Save
        </button>
      </form>
    </>,
  )
}

/** Notes who did not come, for a host. Each travels under a name of its own, `absent.0`. */
export const noShowForm = visitorForm({
  schema: z.object({ token }).catchall(queryId),
  show: (c, shown) => showNoShow(c, visitorIn(c), askedAgain(c, shown), shown),
  work: async (c, v, { token, ...named }) => {
    const absent = Object.values(named)
    const { booking } = (await findBookingByUid(v, uidOf(c))) ?? {}
    const invited = booking?.attendees.map(a => a.id) ?? []
    const present = invited.filter(one => !absent.includes(one))
    return noShowByToken(v, { token, absent, present })
  },
  next: (c, { token }) => linkTo(`/e/${uidOf(c)}/no-show`, { token }),
})
