import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import { findSubscription } from '#lib/domain/messaging/opt-outs.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Shown } from '#lib/http/validate.ts'
import { Hidden } from '#lib/pages/fields.tsx'
import { showEnded, showLinked } from '#lib/pages/linked.tsx'
import { linkTo } from '#lib/pages/words.ts'

/** What an unsubscribe link is about. Looking at it changes nothing; the button does. */
export async function showSubscription<E extends AppEnv>(
  c: Context<E>,
  visitor: Visitor,
  token: string,
): Promise<Response> {
  const found = await findSubscription(visitor, token)
  if (!found) return showNoSubscription(c)
  const { business, address, isOff } = found
  const heading = isOff ? 'You get no more reminders' : 'Reminders by e-mail'
  return showLinked(
    c,
    { heading, business },
    <>
      {isOff ? (
        <p class="note good" role="status">
          {business} sends no reminders to {address} any more.
        </p>
      ) : (
        <p>
          {business} reminds {address} of bookings, and may ask afterwards how it was.
        </p>
      )}
      <p>Whether a booking is confirmed, moved or canceled is always told by e-mail.</p>
      <form method="post" action={linkTo('/unsubscribe', { token })}>
        <Hidden values={{ answer: isOff ? 'on' : 'off' }} />
        <button class={isOff ? 'button quiet wide' : 'button wide'} type="submit">
          {isOff ? 'Get reminders again' : 'Get no more reminders'}
        </button>
      </form>
    </>,
  )
}

/** The link is forged, or older than any e-mail that should still be answered. */
export const showNoSubscription = <E extends AppEnv>(c: Context<E>, shown?: Shown): Response =>
  showEnded(c, 'Please use the link of a newer e-mail, or ask the business.', shown)
