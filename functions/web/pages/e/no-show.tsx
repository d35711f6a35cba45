import type { Context } from 'hono'
import type { Base } from '#lib/core/context.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import { titleOf } from '#lib/domain/messaging/bookings/words.ts'
import { usableStyle, writeTimes } from '#lib/domain/messaging/times.ts'
import { readWorkflowLink } from '#lib/domain/messaging/workflows/links.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { Alert, Facts, Hidden } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { showNoLink } from './rate.tsx'

/** Those who were invited to a meeting, for its host to say who did not come. */
export async function showNoShow<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  { uid, token }: { uid: string; token: string },
  status = 200,
  message?: string,
): Promise<Response> {
  const named = await readWorkflowLink(base.settings, 'no-show', token, base.now)
  const linked = named === uid ? await findBookingByUid(base, uid) : null
  if (!linked) return showNoLink(c)
  const { booking, sender } = linked
  const isNoted = booking.attendees.some(a => a.noShow)
  return showPage(
    c,
    <Layout title="Who did not come?" forCustomers noindex>
      <div class="card narrow stack">
        <p class="quiet">{sender.name}</p>
        <h1>Who did not come?</h1>
        <Alert message={message} />
        {isNoted && !message ? (
          <p class="note good" role="status">
            This is noted. You can still change it.
          </p>
        ) : null}
        <Facts
          facts={[
            ['What', titleOf(booking)],
            ['When', writeTimes(booking, usableStyle([sender.locale], [sender.timeZone]))],
          ]}
        />
        <form class="fields" method="post" action={`/e/${uid}/no-show`}>
          <Hidden values={{ token }} />
          <fieldset class="choices">
            <legend>Did not come</legend>
            {booking.attendees.map(({ name, email, noShow }, at) => (
              <label class="choice">
                <input type="checkbox" name={`absent.${at}`} value={email} checked={noShow} />
                {name === email ? email : `${name}, ${email}`}
              </label>
            ))}
          </fieldset>
          <button class="button wide" type="submit">
            Save
          </button>
        </form>
      </div>
    </Layout>,
    status,
  )
}
