import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { Visitor } from '#lib/core/context.ts'
import { findByToken } from '#lib/domain/messaging/links.ts'
import type { ShownAppointment } from '#lib/domain/messaging/schema.ts'
import { untilOf } from '#lib/domain/messaging/templates.ts'
import { styleFor, writeTimes } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { Facts } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'

const HEADINGS: Record<ShownAppointment['status'], string> = {
  pending: 'Confirm your booking',
  approved: 'Your booking is confirmed',
  canceled: 'This booking was canceled',
  completed: 'This booking is over',
}

/** The booking that a link from an e-mail is about. Looking at it changes nothing; the button does. */
export async function showConfirm<E extends AppEnv>(
  c: Context<E>,
  visitor: Visitor,
  token: string,
  answer = 200,
): Promise<Response> {
  const found = await findByToken(visitor, token)
  if (!found) return showRefusal(c)
  const { appointment, sender } = found
  const { service, employee, location, status, cancellationReason } = appointment
  const style = styleFor(appointment, sender)
  const facts: [string, Child][] = [
    ['What', service],
    ['When', writeTimes(appointment, style)],
    ['With', employee],
    ['Where', location && [location.name, location.address].filter(Boolean).join(', ')],
    ['Confirm by', status === 'pending' && untilOf(appointment, style)],
    ['Reason', status === 'canceled' && cancellationReason],
  ]
  return showPage(
    c,
    <Layout title={HEADINGS[status]} forCustomers noindex>
      <div class="card narrow stack">
        <p class="quiet">{sender.name}</p>
        <h1>{HEADINGS[status]}</h1>
        {status === 'approved' ? (
          <p class="note good" role="status">
            Thank you. See you then!
          </p>
        ) : null}
        <Facts facts={facts} />
        {status === 'pending' ? (
          <form method="post" action="/confirm">
            <input type="hidden" name="token" value={token} />
            <button class="button wide" type="submit">
              Confirm booking
            </button>
          </form>
        ) : null}
      </div>
    </Layout>,
    answer,
  )
}

/** The link is forged, or its appointment has begun or is gone. */
export const showRefusal = <E extends AppEnv>(c: Context<E>, status = 404): Response =>
  showPage(
    c,
    <Layout title="This link has ended" forCustomers noindex>
      <div class="card narrow stack">
        <h1>This link has ended</h1>
        <p>
          It works until the appointment begins. If you still want to come, please get in touch with
          the business.
        </p>
      </div>
    </Layout>,
    status,
  )
