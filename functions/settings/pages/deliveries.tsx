import type { Page } from '#lib/core/json.ts'
import type { Delivery } from '#lib/domain/webhooks/schema.ts'
import { count } from '#lib/pages/words.ts'
import type { View } from '../forms.ts'
import type { Reader } from '../local.ts'
import { At, Button, More, Row, Rows, Section } from './frame.tsx'
import { eventName } from './webhooks.tsx'

const TONES = { delivered: 'good', failed: 'bad', pending: '' } as const

const STATUSES = [
  [undefined, 'All'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const

/** Each try of a delivery: when, what was answered, how long it took. */
const Log = ({ of, reader }: { of: Delivery; reader: Reader }) =>
  of.log.length === 0 ? null : (
    <details class="fold">
      <summary>
        {count(of.log.length, 'try').replace('trys', 'tries')}
        <span class="unseen"> of {eventName(of.triggerEvent)}</span>
      </summary>
      <ol class="tries">
        {of.log.map(({ at, responseCode, durationMs, error }) => (
          <li>
            <At at={at} reader={reader} />: {error ?? `answered ${responseCode}`}, {durationMs} ms
          </li>
        ))}
      </ol>
      <p class="code">{of.uid}</p>
    </details>
  )

const NONE =
  'Nothing was sent in the last 30 days. Events are listed here as they happen; test events are not.'
const NONE_SUCH = 'There are none of these in the last 30 days.'

interface DeliveriesProps {
  view: View
  page: Page<Delivery>
  status: string | undefined
  reader: Reader
  mayReplay: boolean
}

/** What was sent to a webhook, or is to be, with every try. */
export const Deliveries = ({ view, page, status, reader, mayReplay }: DeliveriesProps) => (
  <Section id="deliveries" title="Deliveries" open>
    <nav class="sections across" aria-label="Deliveries">
      <ul>
        {STATUSES.map(([value, name]) => (
          <li>
            <a
              href={`/settings/webhooks/${view.id}${value ? `?status=${value}` : ''}`}
              aria-current={value === status ? 'page' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <Rows none={status ? NONE_SUCH : NONE}>
      {page.items.read().map(one => (
        <Row
          name={eventName(one.triggerEvent)}
          facts={[
            <span class={`badge ${TONES[one.status]}`}>{one.status}</span>,
            <At at={one.createdAt} reader={reader} />,
            one.error ?? (one.responseCode && `answered ${one.responseCode}`),
            one.status === 'pending' && one.log.length === 0
              ? 'on the way'
              : one.nextAt && (
                  <span>
                    next try <At at={one.nextAt} reader={reader} />
                  </span>
                ),
            <Log of={one} reader={reader} />,
          ]}
        >
          {mayReplay && one.status !== 'pending' ? (
            <Button
              act="replay"
              label="Send again"
              of={eventName(one.triggerEvent)}
              hidden={{ deliveryId: one.id }}
            />
          ) : null}
        </Row>
      ))}
    </Rows>
    <More view={view} next={page.nextCursor} />
  </Section>
)
