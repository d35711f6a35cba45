import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { AppEnv } from '#lib/http/exchange.ts'
import { isSignedIn, Layout, showPage } from '#lib/pages/layout.tsx'
import {
  curlOf,
  type Endpoint,
  eventsOf,
  type FieldLine,
  fieldsOf,
  groupsOf,
  plain,
  readApi,
  recordsOf,
  successesOf,
  typeOf,
} from './api.ts'

const titleOf = (group: string): string =>
  group === 'oauth' ? 'OAuth' : group.charAt(0).toUpperCase() + group.slice(1)

/** What is said beside a field: of what is sent which must be there, of what is answered which may not. */
type Tag = (line: FieldLine) => string

const ofRequest: Tag = ({ required }) => (required ? 'required' : '')
const ofAnswer: Tag = ({ required }) => (required ? '' : 'not always')

/** A row of a table. */
type Line = [name: Child, type: Child, about: string]

interface TableProps {
  title: string
  /** What its columns hold. */
  heads: [string, string, string]
  lines: Line[]
}

const Table = ({ title, heads, lines }: TableProps) => (
  <table class="fields-table">
    <caption>{title}</caption>
    <thead>
      <tr>
        {heads.map(head => (
          <th scope="col">{head}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {lines.map(([name, type, about]) => (
        <tr>
          <th scope="row">{name}</th>
          <td>{type}</td>
          <td>{about}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

interface FieldsProps {
  title: string
  lines: FieldLine[]
  tag?: Tag
}

const Fields = ({ title, lines, tag = ofRequest }: FieldsProps) =>
  lines.length === 0 ? null : (
    <Table
      title={title}
      heads={['Name', 'Type', 'About']}
      lines={lines.map(line => [
        <>
          <code>{line.name}</code>
          {tag(line) ? <span class="tag">{tag(line)}</span> : null}
        </>,
        line.type,
        line.description,
      ])}
    />
  )

/** The parameters of an endpoint that stand in its address. */
const parametersOf = ({ operation }: Endpoint): FieldLine[] =>
  operation.parameters.flatMap(({ name, required = false, description = '', schema = {} }) =>
    name ? [{ name, required, description, type: typeOf(schema) }] : [],
  )

/** What an endpoint answers when it succeeds; a record is described once, below. */
const Answers = ({ endpoint }: { endpoint: Endpoint }) =>
  successesOf(endpoint.operation).map(({ status, type, record }) => (
    <>
      {' '}
      {status}: {record ? <a href={`#record-${record}`}>{type}</a> : type}.
    </>
  ))

const Operation = ({ endpoint, base }: { endpoint: Endpoint; base: string }) => {
  const { id, method, path, operation } = endpoint
  const { summary, security, requestBody, responses } = operation
  const refusals = Object.keys(responses).filter(status => !status.startsWith('2'))
  const [body] = Object.values(requestBody?.content ?? {})
  return (
    <article class="operation stack" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <a href={`#${id}`}>{summary}</a>
      </h3>
      <p class="route">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </p>
      <p class="quiet">
        {security.length > 0 ? 'Needs credentials.' : 'Public.'}
        <Answers endpoint={endpoint} /> Refuses with {refusals.join(', ')}.
      </p>
      <Fields title="Query" lines={parametersOf(endpoint)} />
      {body ? <Fields title="Body" lines={fieldsOf(body.schema)} /> : null}
      <pre>
        <code>{curlOf(endpoint, base)}</code>
      </pre>
    </article>
  )
}

const Contents = ({ groups }: { groups: [string, Endpoint[]][] }) => (
  <nav class="contents" aria-label="Contents">
    <p>
      <a href="#webhooks">Webhooks</a>
    </p>
    <p>
      <a href="#assistants">Assistants</a>
    </p>
    <p>
      <a href="#records">Records</a>
    </p>
    {groups.map(([name, endpoints]) => (
      <details>
        <summary>{titleOf(name)}</summary>
        <ul>
          {endpoints.map(({ id, operation }) => (
            <li>
              <a href={`#${id}`}>{operation.summary}</a>
            </li>
          ))}
        </ul>
      </details>
    ))}
  </nav>
)

const Introduction = ({ base }: { base: string }) => (
  <section class="stack">
    <h1>API</h1>
    <p>
      Requests and answers are JSON below <code>{base}</code>. Send an API key as{' '}
      <code>cal-api-key</code>, or a key or an OAuth access token as{' '}
      <code>Authorization: Bearer</code>.
    </p>
    <p>
      A create answers 201 with the record; every other success is 200 with{' '}
      <code>{'{"status":"success","data":…}'}</code>, and a list has <code>pagination</code> beside
      its <code>data</code>: pass <code>nextCursor</code> on as <code>cursor</code>. A refusal is{' '}
      <code>{'{"status":"error","error":"CODE","message":"…"}'}</code>, with <code>details</code> by
      field where there are any. Money is in cents, durations are in minutes, instants are ISO 8601
      with an offset.
    </p>
    <p>
      A write that has an <code>Idempotency-Key</code> header happens once, however often it is
      sent. Every answer says in <code>X-RateLimit-Remaining</code> how many requests are left in
      this minute; a 429 says in <code>Retry-After</code> when to come back.
    </p>
    <p>
      For tools: <a href="/openapi.json">OpenAPI 3.1</a>.
    </p>
  </section>
)

/** What receivers of events need to know, beside the endpoints that subscribe them. */
const Webhooks = ({ events }: { events: ReturnType<typeof eventsOf> }) => (
  <section class="stack" id="webhooks" aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">Webhooks</h2>
    <p>
      An address of yours is sent what happens, as JSON that says{' '}
      <code>{'{"triggerEvent":"…","createdAt":"…","payload":{…}}'}</code>.{' '}
      <code>X-Service-Signature</code> is the HMAC-SHA256 of the body by the webhook’s secret, in
      hex: compare it in constant time, over the bytes that came. While a previous secret still
      signs, its signature is in <code>X-Service-Signature-Previous</code>.
    </p>
    <p>
      An event arrives at least once; <code>X-Service-Event-Id</code> is the same on every try.
      Answer with 2xx within 10 seconds: anything else is tried again, for a day and a half.
    </p>
    <pre>
      <code>{VERIFY}</code>
    </pre>
    <Table
      title="Events"
      heads={['triggerEvent', 'payload', 'About']}
      lines={events.map(([type, summary, payload]) => [
        <code>{type}</code>,
        <a href={`#record-${payload}`}>{payload}</a>,
        summary,
      ])}
    />
  </section>
)

/** The fields of what is answered and sent, each record once. */
const Records = ({ records }: { records: ReturnType<typeof recordsOf> }) => (
  <section class="stack" id="records" aria-labelledby="records-title">
    <h2 id="records-title">Records</h2>
    {records.map(([name, schema]) => (
      <div class="stack" id={`record-${name}`}>
        <h3>
          <a href={`#record-${name}`}>{name}</a>
        </h3>
        {schema.description ? <p class="quiet">{plain(schema.description)}</p> : null}
        <Fields title="Fields" lines={fieldsOf(schema)} tag={ofAnswer} />
      </div>
    ))}
  </section>
)

const VERIFY = `const expected = createHmac('sha256', secret).update(body).digest()
const given = Buffer.from(request.headers['x-service-signature'] ?? '', 'hex')
const isGenuine = given.length === expected.length && timingSafeEqual(given, expected)`

/** How an assistant is connected to the tool server. */
const Assistants = ({ base }: { base: string }) => (
  <section class="stack" id="assistants" aria-labelledby="assistants-title">
    <h2 id="assistants-title">Assistants</h2>
    <p>
      Assistants that speak the Model Context Protocol run the business with tools at{' '}
      <code>{base}/api/mcp</code>. One that can sign in by OAuth needs the address alone and asks
      you for consent; any other sends an API key as <code>Authorization: Bearer</code>.
    </p>
  </section>
)

/** The API in words, made from its description. */
export async function showDocs(c: Context<AppEnv>): Promise<Response> {
  const base = c.var.exchange.deps.settings.publicUrl
  const api = await readApi()
  const groups = groupsOf(api)
  return showPage(
    c,
    <Layout title="API" signedIn={isSignedIn(c)}>
      <div class="docs">
        <Contents groups={groups} />
        <div class="stack">
          <Introduction base={base} />
          <Webhooks events={eventsOf(api)} />
          <Assistants base={base} />
          {groups.map(([name, endpoints]) => (
            <section id={name} aria-labelledby={`${name}-title`}>
              <h2 id={`${name}-title`}>{titleOf(name)}</h2>
              {endpoints.map(endpoint => (
                <Operation endpoint={endpoint} base={base} />
              ))}
            </section>
          ))}
          <Records records={recordsOf(api)} />
        </div>
      </div>
    </Layout>,
  )
}
