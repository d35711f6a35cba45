import type { Child } from 'hono/jsx'
import { type Member, may } from '#lib/core/context.ts'
import type { Permission } from '#lib/core/permissions.ts'
import { randomText } from '#lib/core/text.ts'
import { ONCE } from '#lib/http/press.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Alert, Hidden, Said } from '#lib/pages/fields.tsx'
import { Fields, noteField } from '#lib/pages/filling.tsx'
import { Layout } from '#lib/pages/layout.tsx'
import { writeZone } from '#lib/pages/words.ts'
import { BARE, type View } from '../forms.ts'
import { type Reader, writeInstant } from '../local.ts'

/** The pages of the settings, and the permission that seeing one takes. */
const PAGES: [path: string, name: string, permission?: Permission][] = [
  ['profile', 'Profile'],
  ['password', 'Password'],
  ['business', 'Business', 'company.read'],
  ['keys', 'API keys'],
  ['schedules', 'Schedules', 'calendar.own'],
  ['away', 'Out of office', 'calendar.own'],
  ['people', 'People', 'employees.read'],
  ['teams', 'Teams', 'calendar.own'],
  ['webhooks', 'Webhooks', 'connections.read'],
  ['clients', 'OAuth clients', 'credentials.read'],
  ['apps', 'Connected apps', 'credentials.read'],
]

interface NavigationProps {
  m: Member
  here: string
}

const Navigation = ({ m, here }: NavigationProps) => (
  <nav class="sections" aria-label="Settings">
    <ul>
      {PAGES.map(([path, name, permission]) =>
        permission && !may(m, permission) ? null : (
          <li>
            <a href={`/settings/${path}`} aria-current={path === here ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ),
      )}
    </ul>
  </nav>
)

interface SettingsProps {
  view: View
  title: string
  /** Which page of the navigation it is, or is below. */
  here: string
  lead?: Child
  /** Whose clock the times of the page are by. */
  reader?: Reader
  children?: Child
}

/** The frame of a page of the settings: the way to the others, and what was left to say. */
export const Settings = ({ view, title, here, lead, reader, children }: SettingsProps) => (
  <Layout title={title} refused={view.refused !== undefined} signedIn here="settings">
    <div class="settings">
      <Navigation m={view.m} here={here} />
      <div class="stack">
        <h1>{title}</h1>
        {lead ? <p class="quiet">{lead}</p> : null}
        <Said notice={view.notice} />
        <Alert message={view.refused?.message} />
        {children}
        {reader ? (
          <p class="quiet">
            Times are in the zone of <a href="/settings/profile">your profile</a>,{' '}
            {writeZone(reader.timeZone)}.
          </p>
        ) : null}
      </div>
    </div>
  </Layout>
)

interface SentProps {
  act: string
  class?: string
  /** What goes along unseen. */
  hidden?: Record<string, string | number> | undefined
  children?: Child
}

/** Every form of the settings: it is sent to the page it stands on, and pressed twice it does one thing. */
export const Sent = ({ act, class: kind, hidden, children }: SentProps) => (
  <form class={kind} method="post">
    <Hidden values={{ act, ...hidden, [ONCE]: randomText(16) }} />
    {children}
  </form>
)

interface FormProps {
  act: string
  button: string
  filled: Filled
  /** What goes along unseen. */
  hidden?: Record<string, string | number>
  children?: Child
}

/** A form with fields to fill in. */
export const Form = ({ act, button, filled, hidden, children }: FormProps) => (
  <Sent class="fields" {...{ act, hidden }}>
    <Fields filled={filled}>{children}</Fields>
    <button class="button" type="submit">
      {button}
    </button>
  </Sent>
)

interface ConfirmProps {
  act: string
  /** What the first press says; `of` tells it apart for those who do not see where it stands. */
  label: string
  of?: string
  /** What the second press would do. */
  ask: string
  button: string
  hidden?: Record<string, string | number>
  /** What is to be chosen for the second press. */
  children?: Child
}

/** A button that is pressed twice: the first press shows what the second will do. */
export const Confirm = ({ act, label, of, ask, button, hidden, children }: ConfirmProps) => (
  <details class="confirm">
    <summary>
      {label}
      {of ? <span class="unseen"> {of}</span> : null}
    </summary>
    <Sent act={act} hidden={{ ...hidden, ...BARE }}>
      <p>{ask}</p>
      {children}
      <button class="button danger" type="submit">
        {button}
        {of ? <span class="unseen"> {of}</span> : null}
      </button>
    </Sent>
  </details>
)

interface PressProps {
  act: string
  label: string
  of?: string
  hidden?: Record<string, string | number>
}

/** A form that is one button: what it does takes nothing away, so one press is enough (see `Confirm`). */
export const Button = ({ act, label, of, hidden }: PressProps) => (
  <Sent act={act} hidden={{ ...hidden, ...BARE }}>
    <button class="button plain small" type="submit">
      {label}
      {of ? <span class="unseen"> {of}</span> : null}
    </button>
  </Sent>
)

/** A tick to set or not. */
export const Tick = ({ name, label, filled }: { name: string; label: string; filled: Filled }) => {
  noteField({ name, label })
  return (
    <label class="choice">
      <input type="checkbox" id={name} name={name} value="on" checked={!!filled.values[name]} />
      {label}
    </label>
  )
}

/** A part of a page under its own heading: on a card, or `open` where it holds cards itself. */
export const Section = ({ id, title, open, children }: SectionProps) => (
  <section class={open ? 'stack' : 'card stack'} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

interface SectionProps {
  id: string
  title: string
  open?: boolean
  children?: Child
}

/** Records one below the other; `none` is said where there are none. */
export const Rows = ({ none, children }: { none: string; children: Child[] }) =>
  children.length === 0 ? <p class="card none">{none}</p> : <ul class="card rows">{children}</ul>

interface RowProps {
  name: Child
  facts: Child[]
  /** Whether the rows are what the page is about, with no heading of their own. */
  top?: boolean
  children?: Child
}

/** One record: its name, what is to know of it, and what can be done with it. */
export const Row = ({ name, facts, top, children }: RowProps) => (
  <li>
    <div class="about">
      {top ? <h2 class="name">{name}</h2> : <h3 class="name">{name}</h3>}
      <p class="quiet facts-line">
        {facts.filter(Boolean).map(fact => (
          <span>{fact}</span>
        ))}
      </p>
    </div>
    {children ? <div class="acts">{children}</div> : null}
  </li>
)

/** An instant by the reader's clock. */
export const At = ({ at, reader }: { at: string; reader: Reader }) => (
  <time datetime={at}>{writeInstant(at, reader)}</time>
)

/** Leads on in a list that has more. */
export const More = ({ view, next }: { view: View; next: string | null }) =>
  next ? (
    <p>
      <a
        href={`${view.c.req.path}?${new URLSearchParams({ ...view.c.req.query(), cursor: next })}`}
      >
        More
      </a>
    </p>
  ) : null

/** How much of a list a page shows, from where its address says. */
export const pageOf = ({ c }: View): { limit: number; cursor?: string } => {
  const cursor = c.req.query('cursor')
  return { limit: 50, ...(cursor ? { cursor } : {}) }
}
