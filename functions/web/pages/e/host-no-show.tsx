import type { Context } from 'hono'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { hostNoShowByToken } from '#lib/domain/bookings/afterwards.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Hidden } from '#lib/pages/fields.tsx'
import { showEnded, showLinked, uidOf } from '#lib/pages/linked.tsx'
import { linkTo } from '#lib/pages/words.ts'
import { askedAgain, linkedBy, Met, token, WORKS, type WorkflowLink } from './links.tsx'

/** A meeting that its host may have missed, for who came to say so. Looking at it changes nothing. */
export async function showHostNoShow<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  { uid, token }: WorkflowLink,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const linked = await linkedBy(base, 'host-no-show', { uid, token })
  if (!linked) return showEnded(c, WORKS, shown)
  const { booking, sender } = linked
  const isNoted = booking.noShowHost
  return showLinked(
    c,
    { heading: 'Did nobody come?', business: sender.name, shown },
    <>
      {isNoted && !shown.message ? (
        <p class="note good" role="status">
          Sorry about that. It is noted that the host did not come.
        </p>
      ) : null}
      <Met {...linked} />
      <form method="post" action={`/e/${uid}/host-no-show`}>
        <Hidden values={{ token, absent: String(!isNoted) }} />
        <button class="button wide" type="submit">
          {isNoted ? 'The host came after all' : 'The host did not come'}
        </button>
      </form>
    </>,
  )
}

/** Notes whether the host came, for an attendee, and leads back to it. */
export const hostNoShowForm = visitorForm({
  schema: z.object({ token, absent: z.enum(['true', 'false']) }),
  show: (c, shown) => showHostNoShow(c, visitorIn(c), askedAgain(c, shown), shown),
  work: (_c, v, { token, absent }) => hostNoShowByToken(v, { token, absent: absent === 'true' }),
  next: (c, { token }) => linkTo(`/e/${uidOf(c)}/host-no-show`, { token }),
})
