import type * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { SCOPE_WORDS, SCOPES } from '#lib/core/scopes.ts'
import { createOAuthClient, listOAuthClients } from '#lib/domain/oauth/clients.ts'
import { NewOAuthClient, type OAuthClient } from '#lib/domain/oauth/schema.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Area, Choice, Field, Group } from '#lib/pages/fields.tsx'
import { act, type FormPage, type Typed, type View } from '../forms.ts'
import { Form, More, pageOf, Row, Rows, Section, Settings, Tick } from './frame.tsx'
import { MAKE_ANOTHER } from './secret.tsx'

/** What stands before the name of a scope in the fields of the form. */
const SCOPE = 'scopes.'

/** A client as the fields of its form. */
export const clientFields = (client: OAuthClient): Record<string, string | null> => ({
  name: client.name,
  description: client.description,
  redirectUris: client.redirectUris.join('\n'),
  ...Object.fromEntries(client.scopes.map(scope => [SCOPE + scope, 'on'])),
})

/** The form of a client as its body has it: an address a line, and every scope where none is ticked. */
export function readClient(typed: Typed) {
  const lines = (typed.redirectUris ?? '').split(/\s+/).filter(Boolean)
  const ticked = SCOPES.filter(scope => typed[SCOPE + scope])
  return {
    name: typed.name || undefined,
    description: typed.description,
    redirectUris: lines.length > 0 ? lines : undefined,
    scopes: ticked.length > 0 ? ticked : [...SCOPES],
  }
}

/** A fault of one address is shown at the field of all. */
export const clientField = (fault: string): string => fault.replace(/\..*$/, '')

const TYPES: [OAuthClient['type'], string][] = [
  ['confidential', 'Confidential'],
  ['public', 'Public'],
]

/** The kind of a client in a word. */
export const typeName = (type: OAuthClient['type']): string =>
  type === 'public' ? 'public' : 'confidential'

const STATES = {
  approved: ['good', 'Approved'],
  pending: ['', 'Waits for approval'],
  rejected: ['bad', 'Rejected'],
} as const

/** Whether a client may be used. */
export const Status = ({ status }: Pick<OAuthClient, 'status'>) => {
  const [tone, words] = STATES[status]
  return <span class={`badge ${tone}`}>{words}</span>
}

/** The fields of a client that can be changed. */
export const ClientFields = ({ filled }: { filled: Filled }) => (
  <>
    <Field
      name="name"
      label="Name"
      maxlength={100}
      hint="What users are asked to allow."
      filled={filled}
    />
    <Area name="description" label="Description" maxlength={500} filled={filled} />
    <Area
      name="redirectUris"
      label="Redirect URIs"
      hint="One a line: https, http on the machine itself, or a scheme of its own."
      maxlength={40_000}
      required
      verbatim
      filled={filled}
    />
    <Group
      name="scopes"
      label="What it may ask for"
      note="everything, if nothing is ticked"
      fault={filled.errors.scopes}
    >
      {SCOPES.map(scope => (
        <Tick name={SCOPE + scope} label={SCOPE_WORDS[scope]} filled={filled} />
      ))}
    </Group>
  </>
)

const show = async (view: View) => {
  const found = await listOAuthClients(view.m, pageOf(view))
  const filled = view.form('create', { type: 'confidential' })
  return (
    <Settings
      view={view}
      title="OAuth clients"
      here="clients"
      lead="Applications of yours that act for users who allow them to."
    >
      <Rows none="There are no OAuth clients.">
        {found.items.read().map(({ id, name, clientId, type, status }) => (
          <Row
            top
            name={<a href={`/settings/clients/${id}`}>{name}</a>}
            facts={[<Status status={status} />, typeName(type), <code>{clientId}</code>]}
          />
        ))}
      </Rows>
      <More view={view} next={found.nextCursor} />
      <Section id="new" title="New client">
        <Form act="create" button="Make client" filled={filled}>
          <Choice
            name="type"
            label="Type"
            options={TYPES}
            chosen={filled.values.type ?? ''}
            hint="Confidential: it runs on a server that keeps its secret. Public: it runs at the user, in a browser or an app, has no secret and needs PKCE."
            fault={filled.errors.type}
          />
          <ClientFields filled={filled} />
        </Form>
      </Section>
    </Settings>
  )
}

async function create(m: Member, input: z.output<typeof NewOAuthClient>) {
  const { id, status, clientSecret } = await createOAuthClient(m, input)
  const text =
    status === 'approved'
      ? 'The client is made.'
      : 'The client is made; an owner or admin approves it.'
  const secret = { label: 'Its secret', value: clientSecret ?? '', instead: MAKE_ANOTHER }
  return { to: `/settings/clients/${id}`, text, ...(clientSecret ? { secret } : {}) }
}

/** The OAuth clients that one sees: the business's, or one's own. */
export const clientsPage: FormPage = {
  show,
  fieldOf: clientField,
  acts: {
    create: act(NewOAuthClient, typed => ({ ...readClient(typed), type: typed.type }), create),
  },
}
