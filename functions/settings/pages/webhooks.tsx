import { type Member, may, requirePermission } from '#lib/core/context.ts'
import type { Json } from '#lib/core/json.ts'
import { randomText } from '#lib/core/text.ts'
import { listEventTypes } from '#lib/domain/event-types/operations.ts'
import { webhook } from '#lib/domain/webhooks/operations.ts'
import { NewWebhook, type Webhook } from '#lib/domain/webhooks/schema.ts'
import { EVENT_TYPES } from '#lib/events/catalog.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Area, Choice, Field, Group, type Option } from '#lib/pages/fields.tsx'
import { count } from '#lib/pages/words.ts'
import { act, type FormPage, type Typed, type View } from '../forms.ts'
import { Form, More, pageOf, Row, Rows, Section, Settings, Tick } from './frame.tsx'
import { MAKE_ANOTHER } from './secret.tsx'

/** What stands in the place of an event's name in the fields of the form. */
const TRIGGER = 'triggers.'

/** The events of a webhook as the fields of its form. */
export const triggerFields = (triggers: readonly string[]): Record<string, string> =>
  Object.fromEntries(triggers.map(type => [TRIGGER + type, 'on']))

/** The form of a webhook as its body has it. */
export const readWebhook = (typed: Typed) => ({
  subscriberUrl: typed.subscriberUrl,
  payloadTemplate: typed.payloadTemplate || null,
  triggers: EVENT_TYPES.filter(type => typed[TRIGGER + type]),
  eventTypeId: typed.eventTypeId ? Number(typed.eventTypeId) : null,
})

/** The fields of a webhook that its form has. */
export const WEBHOOK_FORM = {
  subscriberUrl: true,
  payloadTemplate: true,
  triggers: true,
  eventTypeId: true,
} as const

/** The event types that a webhook may be limited to; `present` is among them however many there are. */
export async function eventTypesFor(
  m: Member,
  present?: Promise<Json<Webhook>>,
): Promise<Option[]> {
  const [page, one] = await Promise.all([listEventTypes(m, { limit: 100 }), present])
  const types = page.items.read().map(({ id, title }): Option => [String(id), title])
  const chosen = String(one?.read().eventTypeId ?? '')
  const isAmong = chosen === '' || types.some(([id]) => id === chosen)
  return [
    ['', 'All of them'],
    ...(isAmong ? types : [[chosen, `Number ${chosen}`] as const, ...types]),
  ]
}

/** `BOOKING_CREATED` as people read it. */
export const eventName = (type: string): string => {
  const words = type
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace('ooo', 'absence')
    .replace('url', 'URL')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The fields of a webhook. */
export const WebhookFields = ({ filled, types }: { filled: Filled; types: readonly Option[] }) => (
  <>
    <Field
      name="subscriberUrl"
      label="Address"
      type="url"
      hint="https, on a public host, at port 443 or 8443."
      filled={filled}
    />
    <Group name="triggers" label="Events" fault={filled.errors.triggers}>
      <div class="many">
        {EVENT_TYPES.map(type => (
          <Tick name={TRIGGER + type} label={eventName(type)} filled={filled} />
        ))}
      </div>
    </Group>
    <Choice
      name="eventTypeId"
      label="Event types"
      options={types}
      chosen={filled.values.eventTypeId ?? ''}
      fault={filled.errors.eventTypeId}
    />
    <details class="fold" open={!!filled.values.payloadTemplate}>
      <summary>Another payload</summary>
      <Area
        name="payloadTemplate"
        label="Template"
        hint="JSON in which {{payload.title}} stands for a field of the event."
        maxlength={20_000}
        verbatim
        filled={filled}
      />
    </details>
  </>
)

/** Whether a webhook sends, and why not. */
export const State = ({ of: { active, disabledAt, failingSince } }: { of: Webhook }) => {
  if (disabledAt) return <span class="badge bad">Switched off: it only failed</span>
  if (!active) return <span class="badge">Switched off</span>
  return failingSince ? (
    <span class="badge bad">Failing</span>
  ) : (
    <span class="badge good">Active</span>
  )
}

const lead = (
  <>
    What happens is sent to an address of yours, signed. The{' '}
    <a href="/docs#webhooks">documentation</a> says how to check it.
  </>
)

const show = async (view: View) => {
  const { m } = view
  const [found, types] = await Promise.all([webhook.list(m, pageOf(view)), eventTypesFor(m)])
  const filled = view.form('create')
  return (
    <Settings view={view} title="Webhooks" here="webhooks" lead={lead}>
      <Rows none="There are no webhooks.">
        {found.items.read().map(one => (
          <Row
            top
            name={<a href={`/settings/webhooks/${one.id}`}>{one.subscriberUrl}</a>}
            facts={[<State of={one} />, count(one.triggers.length, 'event')]}
          />
        ))}
      </Rows>
      <More view={view} next={found.nextCursor} />
      {may(m, 'connections.write') ? (
        <Section id="new" title="New webhook">
          <Form act="create" button="Make webhook" filled={filled}>
            <WebhookFields filled={filled} types={types} />
          </Form>
        </Section>
      ) : null}
    </Settings>
  )
}

const SECRET_BYTES = 32

/** Makes a webhook with a secret of its own, which is shown once. */
async function create(m: Member, input: Parameters<typeof webhook.create>[1]) {
  requirePermission(m, 'connections.write')
  const secret = `whsec_${randomText(SECRET_BYTES)}`
  const { id } = (await webhook.create(m, { ...input, secret })).read()
  return {
    to: `/settings/webhooks/${id}`,
    text: 'The webhook is made.',
    secret: { label: 'Its secret, which signs what is sent', value: secret, instead: MAKE_ANOTHER },
  }
}

/** The webhooks of the business. */
export const webhooksPage: FormPage = {
  show,
  acts: { create: act(NewWebhook.pick(WEBHOOK_FORM), readWebhook, create) },
}
