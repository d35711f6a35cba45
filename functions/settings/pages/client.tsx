import { type Member, may } from '#lib/core/context.ts'
import {
  decideOAuthClient,
  deleteOAuthClient,
  endPreviousClientSecret,
  findOAuthClient,
  rotateClientSecret,
  updateOAuthClient,
} from '#lib/domain/oauth/clients.ts'
import { NewOAuthClient, type OAuthClient } from '#lib/domain/oauth/schema.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { Facts } from '#lib/pages/fields.tsx'
import { act, type FormPage, type View } from '../forms.ts'
import type { Reader } from '../local.ts'
import {
  ClientFields,
  clientField,
  clientFields,
  readClient,
  Status,
  typeName,
} from './clients.tsx'
import { At, Button, Confirm, Form, Section, Settings } from './frame.tsx'
import { ChangeSecret, MAKE_ANOTHER, Overlap, PreviousSecret, readOverlap } from './secret.tsx'

/** What owners and admins say of a client. */
const Decision = ({ of: { status } }: { of: OAuthClient }) => (
  <div class="acts">
    {status === 'approved' ? null : <Button act="approve" label="Approve" />}
    {status === 'rejected' ? null : (
      <Confirm
        act="reject"
        label="Reject"
        ask="Nobody can use it, and what it was given is worth nothing until it is approved again."
        button="Reject client"
      />
    )}
  </div>
)

const mayChange = (m: Member, { userId }: OAuthClient): boolean =>
  may(m, 'connections.write') || userId === m.userId

const Secret = ({ of, now, reader }: { of: OAuthClient; now: Date; reader: Reader }) => (
  <Section id="secret" title="Secret">
    <PreviousSecret until={of.previousSecretUntil} now={now} reader={reader} does="works" />
    <ChangeSecret does="works" />
  </Section>
)

interface ChangesProps {
  view: View
  client: OAuthClient
  reader: Reader
}

/** What its maker can do with a client, and who sees to connections. */
const Changes = ({ view, client, reader }: ChangesProps) => {
  const filled = view.form('save', clientFields(client))
  return (
    <>
      <Section id="about" title="About it">
        <Form act="save" button="Save client" filled={filled}>
          <ClientFields filled={filled} />
        </Form>
      </Section>
      {client.type === 'confidential' ? (
        <Secret of={client} now={view.m.now} reader={reader} />
      ) : null}
      <Confirm
        act="delete"
        label="Delete client"
        ask="Everything that users gave it goes with it."
        button="Delete client"
      />
    </>
  )
}

const show = async (view: View) => {
  const { m, id } = view
  const [me, found] = await Promise.all([getMe(m), findOAuthClient(m, { id })])
  const client = found.read()
  const reader = me.read()
  const { name, clientId, type, status, secretHint, createdAt } = client
  return (
    <Settings
      view={view}
      title={name}
      here="clients"
      lead={<a href="/settings/clients">All OAuth clients</a>}
      reader={reader}
    >
      <section class="card stack" aria-label="The client">
        <Facts
          facts={[
            ['Status', <Status status={status} />],
            ['Client id', <code>{clientId}</code>],
            ['Type', typeName(type)],
            ['Secret', secretHint && `ends in ${secretHint}`],
            ['Made', <At at={createdAt} reader={reader} />],
          ]}
        />
        {may(m, 'connections.write') ? <Decision of={client} /> : null}
      </section>
      {mayChange(m, client) ? <Changes view={view} client={client} reader={reader} /> : null}
    </Settings>
  )
}

/** The form sends all of it; what was emptied is missing, not left as it is. */
const ClientForm = NewOAuthClient.omit({ type: true })

/** One OAuth client. */
export const clientPage: FormPage = {
  show,
  fieldOf: clientField,
  acts: {
    save: act(ClientForm, readClient, async (m, change, { id }) => {
      const { status } = (await updateOAuthClient(m, { id, ...change })).read()
      const waits = status === 'pending' ? ' It waits for an owner or admin to approve it.' : ''
      return { text: `The client is saved.${waits}` }
    }),
    approve: async ({ m, id }) => {
      await decideOAuthClient(m, { id, status: 'approved' })
      return { text: 'The client is approved.' }
    },
    reject: async ({ m, id }) => {
      await decideOAuthClient(m, { id, status: 'rejected' })
      return { text: 'The client is rejected.' }
    },
    rotate: act(Overlap, readOverlap, async (m, overlap, { id }) => {
      const { clientSecret } = await rotateClientSecret(m, { id, ...overlap })
      return {
        text: 'The secret is made.',
        secret: { label: 'Its secret', value: clientSecret ?? '', instead: MAKE_ANOTHER },
      }
    }),
    end: async ({ m, id }) => {
      await endPreviousClientSecret(m, { id })
      return { text: 'The old secret has ended.' }
    },
    delete: async ({ m, id }) => {
      await deleteOAuthClient(m, { id })
      return { to: '/settings/clients', text: 'The client is deleted.' }
    },
  },
}
