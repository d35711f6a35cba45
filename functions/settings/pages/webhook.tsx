import * as z from 'zod'
import { may } from '#lib/core/context.ts'
import { date } from '#lib/core/schemas.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import {
  endPreviousSecret,
  listDeliveries,
  replayDeliveries,
  rotateSecret,
  testWebhook,
  webhook,
} from '#lib/domain/webhooks/operations.ts'
import { DeliveryFilter, NewWebhook, Replay, type Webhook } from '#lib/domain/webhooks/schema.ts'
import { Field, type Option } from '#lib/pages/fields.tsx'
import { count } from '#lib/pages/words.ts'
import { act, type FormPage, type View } from '../forms.ts'
import { instantOf, type Reader } from '../local.ts'
import { Deliveries } from './deliveries.tsx'
import { Button, Confirm, Form, pageOf, Section, Settings } from './frame.tsx'
import { ChangeSecret, MAKE_ANOTHER, Overlap, PreviousSecret, readOverlap } from './secret.tsx'
import {
  eventTypesFor,
  readWebhook,
  State,
  triggerFields,
  WEBHOOK_FORM,
  WebhookFields,
} from './webhooks.tsx'

const Secret = ({ of, now, reader }: { of: Webhook; now: Date; reader: Reader }) => (
  <Section id="secret" title="Secret">
    <p>{of.hasSecret ? 'What is sent is signed.' : 'What is sent is not signed yet.'}</p>
    <PreviousSecret until={of.previousSecretUntil} now={now} reader={reader} does="signs" />
    {of.hasSecret ? (
      <ChangeSecret does="signs" />
    ) : (
      <Button act="rotate" label="Make secret" hidden={{ overlapMinutes: 0 }} />
    )}
  </Section>
)

const Again = ({ view }: { view: View }) => {
  const filled = view.form('again')
  return (
    <Section id="again" title="Send again what failed">
      <Form act="again" button="Send again" filled={filled}>
        <Field
          name="from"
          label="Since"
          type="date"
          hint="What has failed to arrive from this day on."
          filled={filled}
        />
      </Form>
    </Section>
  )
}

const Switches = ({ of }: { of: Webhook }) => (
  <div class="acts">
    <Button act="test" label="Send a test event" />
    {of.active ? (
      <Confirm
        act="off"
        label="Switch off"
        ask="What waits to be sent is given up, and nothing more is sent."
        button="Switch off"
      />
    ) : (
      <Button act="on" label="Switch on" />
    )}
    <Confirm
      act="delete"
      label="Delete"
      ask="The log of its deliveries goes with it."
      button="Delete webhook"
    />
  </div>
)

const Subscription = ({ view, of, types }: { view: View; of: Webhook; types: Option[] }) => {
  const { subscriberUrl, payloadTemplate, eventTypeId, triggers } = of
  const kept = { subscriberUrl, payloadTemplate, eventTypeId, ...triggerFields(triggers) }
  const filled = view.form('save', kept)
  return (
    <Section id="what" title="What is sent where">
      <Form act="save" button="Save webhook" filled={filled}>
        <WebhookFields filled={filled} types={types} />
      </Form>
    </Section>
  )
}

const show = async (view: View) => {
  const { m, id, c } = view
  const mayChange = may(m, 'connections.write')
  const { data: asked } = DeliveryFilter.shape.status.safeParse(c.req.query('status'))
  const status = asked ? { status: asked } : {}
  const finding = webhook.find(m, { id })
  const [me, found, log, types] = await Promise.all([
    getMe(m),
    finding,
    listDeliveries(m, { ...pageOf(view), ...status, webhookId: id }),
    eventTypesFor(m, finding),
  ])
  const reader = me.read()
  const one = found.read()
  const { subscriberUrl } = one
  return (
    <Settings
      view={view}
      title={new URL(subscriberUrl).host}
      here="webhooks"
      lead={<a href="/settings/webhooks">All webhooks</a>}
      reader={reader}
    >
      <p class="acts">
        <State of={one} />
        <span class="route">{subscriberUrl}</span>
      </p>
      {mayChange ? <Switches of={one} /> : null}
      <Deliveries view={view} page={log} status={asked} reader={reader} mayReplay={mayChange} />
      {mayChange ? (
        <>
          {asked || log.items.read().length > 0 ? <Again view={view} /> : null}
          <Subscription view={view} of={one} types={types} />
          <Secret of={one} now={m.now} reader={reader} />
        </>
      ) : null}
    </Settings>
  )
}

const AgainForm = z.object({ from: date })

const sent = (n: number) => ({
  text:
    n === 0
      ? 'Nothing had failed.'
      : `${count(n, 'event')} on the way. Load this page again to see how it went.`,
})

/** One webhook and the log of its deliveries. */
export const webhookPage: FormPage = {
  show,
  acts: {
    save: act(NewWebhook.pick(WEBHOOK_FORM), readWebhook, async (m, change, { id }) => {
      await webhook.update(m, { id, ...change })
      return { text: 'The webhook is saved.' }
    }),
    test: async ({ m, id }) => {
      const { ok, status, durationMs, error } = await testWebhook(m, { id })
      return ok
        ? { text: `The receiver answered ${status} within ${durationMs} ms.` }
        : { text: `The test event did not arrive: ${error ?? status}.`, bad: true }
    },
    on: async ({ m, id }) => {
      await webhook.update(m, { id, active: true })
      return { text: 'The webhook is active.' }
    },
    off: async ({ m, id }) => {
      await webhook.update(m, { id, active: false })
      return { text: 'The webhook is switched off.' }
    },
    rotate: act(Overlap, readOverlap, async (m, overlap, { id }) => {
      const { secret } = (await rotateSecret(m, { id, ...overlap })).read()
      return {
        text: 'The secret is made.',
        secret: { label: 'Its secret', value: secret, instead: MAKE_ANOTHER },
      }
    }),
    end: async ({ m, id }) => {
      await endPreviousSecret(m, { id })
      return { text: 'The old secret has ended.' }
    },
    replay: act(
      Replay,
      ({ deliveryId }) => ({ deliveryId: Number(deliveryId) }),
      async (m, input) => sent((await replayDeliveries(m, input)).replayed),
    ),
    again: act(
      AgainForm,
      ({ from }) => ({ from: from || undefined }),
      async (m, { from }, { id }) => {
        const { timeZone } = (await getMe(m)).read()
        const since = { webhookId: id, from: instantOf(timeZone, from) }
        return sent((await replayDeliveries(m, since)).replayed)
      },
    ),
    delete: async ({ m, id }) => {
      await webhook.remove(m, { id })
      return { to: '/settings/webhooks', text: 'The webhook is deleted.' }
    },
  },
}
