import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { failure } from '#lib/http/failure.ts'
import { isSignedIn, Layout, showPage } from './layout.tsx'
import { HOME } from './next.ts'

const TITLES: Record<number, string> = {
  400: 'That did not work',
  401: 'Please sign in',
  403: 'This is not allowed',
  404: 'There is nothing here',
  405: 'That did not work',
  409: 'That is not possible now',
  413: 'That is too much',
  429: 'That was a little fast',
}

const EXPLANATIONS: Record<number, string> = {
  404: 'The address may be mistyped, or what was here is gone.',
  405: 'This address takes what a form sends, and has nothing to show. Please go back to the form.',
  413: 'What was sent is larger than can be taken. Please shorten it and try again.',
  429: 'There were too many requests. Please wait for a minute and try again.',
  500: 'Something went wrong on our side. It has been noted; please try again.',
}

/** Whether the caller would rather have a page than JSON. */
export const wantsPage = (c: Context): boolean =>
  accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/html'],
    default: 'application/json',
  }) === 'text/html'

/** A failure as a page for browsers, in the envelope for programs. */
export async function present(c: Context<AppEnv>, error: unknown): Promise<Response> {
  const answer = failure(c, error)
  if (!wantsPage(c) || answer.headers.has('Idempotent-Replayed')) return answer
  const { status } = answer
  const { message } = await answer.json<{ message: string }>()
  const title = TITLES[status] ?? (status < 500 ? 'That did not work' : 'Something went wrong')
  return showPage(
    c,
    <Layout title={title} signedIn={isSignedIn(c)}>
      <div class="card narrow stack">
        <h1>{title}</h1>
        <p>{EXPLANATIONS[status] ?? `${message}.`}</p>
        {status >= 500 ? <p class="code">Request {c.var.exchange?.requestId}</p> : null}
        <p>{isSignedIn(c) ? <a href={HOME}>Go home</a> : <a href="/">Go to the start page</a>}</p>
      </div>
    </Layout>,
    status,
  )
}
