import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { takeNotice } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Alert, Area, Said } from './fields.tsx'
import { Fields } from './filling.tsx'
import { Layout, showPage } from './layout.tsx'
import { linkTo, type Query } from './words.ts'

interface LinkedPage {
  heading: string
  /** The business that it is of. */
  business?: string
  shown?: Pick<Shown, 'status' | 'message'>
  /** Whether it is for somebody who has signed in. */
  signedIn?: boolean
}

/** A page that a link in a message leads to: for those alone who have the link. */
export function showLinked<E extends AppEnv>(
  c: Context<E>,
  { heading, business, shown = AT_FIRST, signedIn = false }: LinkedPage,
  body: Child,
): Response {
  c.header('X-Robots-Tag', 'noindex')
  return showPage(
    c,
    <Layout
      title={heading}
      refused={shown.status >= 400 && shown.status !== 404}
      forCustomers={!signedIn}
      signedIn={signedIn}
      noindex
    >
      <div class="card narrow stack">
        {business ? <p class="quiet">{business}</p> : null}
        <h1>{heading}</h1>
        <Said notice={takeNotice(c)} />
        <Alert message={shown.message} />
        {body}
      </div>
    </Layout>,
    shown.status,
  )
}

/** The link is forged, or what it was for is over: `works` says until when it is good. */
export const showEnded = <E extends AppEnv>(
  c: Context<E>,
  works: string,
  { status }: Shown = AT_FIRST,
): Response =>
  showLinked(
    c,
    { heading: 'This link has ended', shown: { status: status === 422 ? 422 : 404 } },
    <p>{works}</p>,
  )

/** A calendar file (RFC 5545) of what a link is about. */
export const answerCalendar = <E extends AppEnv>(c: Context<E>, file: string): Response =>
  c.body(file, 200, {
    'content-type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'inline; filename="booking.ics"',
    'X-Robots-Tag': 'noindex',
  })

/** The public identifier in a page's address. */
export const uidOf = <E extends AppEnv>(c: Context<E>): string => c.req.param('uid') ?? ''

interface OwnActionsProps {
  /** The page of one's own booking. */
  path: string
  /** Whose calendar it is for, where a link says so. */
  reader?: Query
  canMove: boolean
}

/** What one can do with a booking of one's own that is still to come, without a form. */
export const OwnActions = ({ path, reader = {}, canMove }: OwnActionsProps) => (
  <p class="actions">
    <a class="button plain" href={linkTo(`${path}/calendar.ics`, reader)}>
      Add to calendar
    </a>
    {canMove ? (
      <a class="button plain" href={`${path}/move`}>
        Choose another time
      </a>
    ) : null}
  </p>
)

interface RefuseFormProps {
  action: string
  /** What it is called where it is folded away, and on its button. */
  title: string
  button: string
  /** Whom the reason is for. */
  hint?: string
  shown: Shown
  /** Its other fields. */
  children?: Child
}

/** Takes something back or declines it, with a reason; folded away until it is wanted. */
export const RefuseForm = ({ action, title, button, hint, shown, children }: RefuseFormProps) => (
  <details class="fold" open={shown.filled !== AT_FIRST.filled}>
    <summary>{title}</summary>
    <form class="fields" method="post" action={action}>
      <Fields filled={shown.filled}>
        {children}
        <Area
          name="reason"
          label="Reason"
          {...(hint ? { hint } : {})}
          maxlength={1000}
          filled={shown.filled}
        />
      </Fields>
      <button class="button danger wide" type="submit">
        {button}
      </button>
    </form>
  </details>
)
