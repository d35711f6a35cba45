import * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { date, id } from '#lib/core/schemas.ts'
import { createKey, getMe, listApiKeys, revokeApiKey } from '#lib/domain/users/operations.ts'
import { type ApiKey, NewApiKey } from '#lib/domain/users/schema.ts'
import { forget } from '#lib/http/credentials.ts'
import { Field } from '#lib/pages/fields.tsx'
import { act, type FormPage, type View } from '../forms.ts'
import { endOfDay, type Reader, writeEnd } from '../local.ts'
import { At, Confirm, Form, More, pageOf, Row, Rows, Section, Settings } from './frame.tsx'

const Key = ({ of, m, reader }: { of: ApiKey; m: Member; reader: Reader }) => {
  const { note, hint, createdAt, lastUsedAt, expiresAt } = of
  const facts = [
    <span>
      ends in <code>{hint}</code>
    </span>,
    <span>
      made <At at={createdAt} reader={reader} />
    </span>,
    lastUsedAt ? (
      <span>
        last used <At at={lastUsedAt} reader={reader} />
      </span>
    ) : (
      'never used'
    ),
    expiresAt ? (
      <span>
        {Date.parse(expiresAt) > m.now.getTime() ? 'works until' : 'expired at'}{' '}
        <time datetime={expiresAt}>{writeEnd(expiresAt, reader)}</time>
      </span>
    ) : (
      'does not expire'
    ),
  ]
  return (
    <Row name={note ?? 'No note'} facts={facts}>
      <Confirm
        act="revoke"
        label="Revoke"
        of={`the key that ends in ${hint}`}
        ask="Programs that use it are refused, for good."
        button="Revoke key"
        hidden={{ id: of.id }}
      />
    </Row>
  )
}

const lead = (
  <>
    A key lets a program do what you may. What it can do is in the <a href="/docs">documentation</a>
    .
  </>
)

/** A first request to try a key with. */
const FirstRequest = ({ base }: { base: string }) => (
  <Section id="try" title="Try a key" open>
    <p>In a terminal, with the key in its place: this answers who you are.</p>
    <pre>
      <code>{`curl -H 'cal-api-key: YOUR_KEY' ${base}/api/auth/oauth/me`}</code>
    </pre>
  </Section>
)

const show = async (view: View) => {
  const { m } = view
  const [me, keys] = await Promise.all([getMe(m), listApiKeys(m, pageOf(view))])
  const reader = me.read()
  const filled = view.form('create')
  return (
    <Settings view={view} title="API keys" here="keys" lead={lead} reader={reader}>
      <Section id="yours" title="Your keys" open>
        <Rows none="You have no API keys.">
          {keys.items.read().map(key => (
            <Key of={key} m={m} reader={reader} />
          ))}
        </Rows>
        <More view={view} next={keys.nextCursor} />
      </Section>
      <Section id="new" title="New key">
        <Form act="create" button="Make key" filled={filled}>
          <Field
            name="note"
            label="Note"
            maxlength={200}
            optional
            hint="What it is for."
            filled={filled}
          />
          <Field
            name="expiresAt"
            label="Last day"
            type="date"
            optional
            hint="Without one it does not expire."
            filled={filled}
          />
        </Form>
      </Section>
      <FirstRequest base={m.settings.publicUrl} />
    </Settings>
  )
}

const KeyForm = z.object({ note: NewApiKey.shape.note, expiresAt: date.optional() })

async function create(m: Member, { note, expiresAt: day }: z.output<typeof KeyForm>) {
  const { timeZone } = (await getMe(m)).read()
  const expiresAt = day ? endOfDay(timeZone, day) : null
  const { key } = await createKey(m, { note, expiresAt })
  const instead = 'revoke the key and make another'
  return { text: 'The key is made.', secret: { label: 'Your API key', value: key, instead } }
}

/** One's own API keys. */
export const keysPage: FormPage = {
  show,
  acts: {
    create: act(
      KeyForm,
      ({ note, expiresAt }) => ({ note, expiresAt: expiresAt || undefined }),
      create,
    ),
    revoke: act(
      z.object({ id }),
      typed => ({ id: Number(typed.id) }),
      async (m, which) => {
        forget((await revokeApiKey(m, which)).hash)
        return { text: 'The key is revoked.' }
      },
    ),
  },
}
