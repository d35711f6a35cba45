import type { Context } from 'hono'
import type { Base } from '#lib/core/context.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import { hostsOf } from '#lib/domain/messaging/bookings/words.ts'
import { usableStyle, writeTimes } from '#lib/domain/messaging/times.ts'
import { readWorkflowLink } from '#lib/domain/messaging/workflows/links.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Alert, Area, Below, EMPTY, Facts, Hidden } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'

const STARS = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'] as const

interface Asked {
  uid: string
  token: string
}

const RateForm = ({ uid, token, filled }: Asked & { filled: Filled }) => (
  <form class="fields" method="post" action={`/e/${uid}/rate`}>
    <Hidden values={{ token }} />
    <fieldset class="choices">
      <legend>Your rating</legend>
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
      <Below name="rating" fault={filled.errors.rating} />
    </fieldset>
    <Area name="feedback" label="In your words" maxlength={2000} filled={filled} />
    <button class="button wide" type="submit">
      Send
    </button>
  </form>
)

/** The question how a meeting was, or the answer that was given. Looking at it changes nothing. */
export async function showRate<E extends AppEnv>(
  c: Context<E>,
  base: Base,
  { uid, token }: Asked,
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
): Promise<Response> {
  const named = await readWorkflowLink(base.settings, 'rate', token, base.now)
  const linked = named === uid ? await findBookingByUid(base, uid) : null
  if (!linked) return showNoLink(c)
  const { booking, sender } = linked
  const style = usableStyle([sender.locale], [booking.attendees[0]?.timeZone, sender.timeZone])
  const kept: Filled = {
    values: { rating: String(booking.rating ?? ''), feedback: booking.ratingFeedback ?? '' },
    errors: {},
  }
  const shown = filled === EMPTY ? kept : filled
  return showPage(
    c,
    <Layout title="How was it?" forCustomers noindex>
      <div class="card narrow stack">
        <p class="quiet">{sender.name}</p>
        <h1>How was it?</h1>
        <Alert message={message} />
        {booking.rating && filled === EMPTY ? (
          <p class="note good" role="status">
            Thank you. You can still change what you said.
          </p>
        ) : null}
        <Facts
          facts={[
            ['What', booking.eventType?.title ?? 'Meeting'],
            ['When', writeTimes(booking, style)],
            ['With', hostsOf(booking)],
          ]}
        />
        <RateForm uid={uid} token={token} filled={shown} />
      </div>
    </Layout>,
    status,
  )
}

/** The link is forged, or the meeting was long ago. */
export const showNoLink = <E extends AppEnv>(c: Context<E>, status = 404): Response =>
  showPage(
    c,
    <Layout title="This link has ended" forCustomers noindex>
      <div class="card narrow stack">
        <h1>This link has ended</h1>
        <p>It works for some weeks after the meeting.</p>
      </div>
    </Layout>,
    status,
  )
