import type { Context } from 'hono'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { optionalText, queryInt } from '#lib/core/schemas.ts'
import { rateByToken } from '#lib/domain/bookings/afterwards.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Filled, type Shown } from '#lib/http/validate.ts'
import { Area, Group, Hidden } from '#lib/pages/fields.tsx'
import { Fields } from '#lib/pages/filling.tsx'
import { showEnded, showLinked, uidOf } from '#lib/pages/linked.tsx'
import { linkTo } from '#lib/pages/words.ts'
import { askedAgain, linkedBy, Met, token, WORKS, type WorkflowLink } from './links.tsx'

const STARS = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'] as const

const RateForm = ({ uid, token, filled }: WorkflowLink & { filled: Filled }) => (
  <form class="fields" method="post" action={`/e/${uid}/rate`}>
    <Hidden values={{ token }} />
    <Fields filled={filled}>
      <Group name="rating" label="Your rating" fault={filled.errors.rating}>
        {STARS.map((word, at) => (
          <label class="choice">
            <input
              type="radio"
              name="rating"
              value={at + 1}
              required
              checked={filled.values.rating === String(at + 1)}
            />
            {at + 1} – {word}
          </label>
        ))}
      </Group>
      <Area name="feedback" label="In your words" maxlength={2000} filled={filled} />
    </Fields>
    <button class="button wide" type="submit">
      Send
    </button>
  </form>
)

/** The question how a meeting was, or the answer that was given. Looking at it changes nothing. */
export async function showRate<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  { uid, token }: WorkflowLink,
  shown: Shown = AT_FIRST,
): Promise<Response> {
  const linked = await linkedBy(base, 'rate', { uid, token })
  if (!linked) return showEnded(c, WORKS, shown)
  const { booking, sender } = linked
  const kept: Filled = {
    values: { rating: String(booking.rating ?? ''), feedback: booking.ratingFeedback ?? '' },
    errors: {},
  }
  const isFirst = shown === AT_FIRST
  return showLinked(
    c,
    { heading: 'How was it?', business: sender.name, shown },
    <>
      {booking.rating && isFirst ? (
        <p class="note good" role="status">
          Thank you. You can still change what you said.
        </p>
      ) : null}
      <Met {...linked} />
      <RateForm uid={uid} token={token} filled={isFirst ? kept : shown.filled} />
    </>,
  )
}

/** Keeps a rating, and leads back to it. */
export const rateForm = visitorForm({
  schema: z.object({
    token,
    rating: queryInt(1, 5),
    feedback: optionalText(2000).optional(),
  }),
  show: (c, shown) => showRate(c, visitorIn(c), askedAgain(c, shown), shown),
  work: (_c, v, said) => rateByToken(v, said),
  next: (c, { token }) => linkTo(`/e/${uidOf(c)}/rate`, { token }),
})
