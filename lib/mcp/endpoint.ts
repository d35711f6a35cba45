import type { Context } from 'hono'
import { ApiError, notFound } from '#lib/core/errors.ts'
import { isJson, readText } from '#lib/http/body.ts'
import type { AppEnv, Exchange } from '#lib/http/exchange.ts'
import { requireKey, requireKnownOrigin } from './access.ts'
import { eventText, mailboxOf, wantsStream } from './legacy.ts'
import { errorText, isObject, RpcError } from './rpc.ts'
import { type About, type Answer, answerMessage, PROTOCOL, type Session } from './server.ts'
import { isSessionOf, newSession } from './session.ts'
import type { Toolbox } from './toolbox.ts'

type Ctx = Context<AppEnv>

/** What is served: the server's words about itself, and its tools. */
export interface ToolServer {
  about: About
  toolbox: Toolbox
}

/** The most messages of a batch. */
const MAX_BATCH = 100

/** Revisions that a client may name once it has agreed on ours, or asks about beforehand. */
const REVISIONS = new Set(['2024-11-05', PROTOCOL, '2025-06-18', '2025-11-25', '2026-07-28'])

const isInitialize = (message: unknown): boolean =>
  isObject(message) && message.method === 'initialize'

/** The messages of a body; an RpcError for one that is refused as a whole. */
function readMessages(c: Ctx, body: string): unknown[] {
  if (!isJson(c))
    throw new RpcError('invalidRequest', 'The body must be JSON: Content-Type application/json')
  const parsed = parse(body)
  const version = c.req.header('mcp-protocol-version')
  if (version !== undefined && !REVISIONS.has(version) && !isInitialize(parsed))
    throw new RpcError('invalidRequest', `Unsupported protocol version; use ${PROTOCOL}`)
  if (!Array.isArray(parsed)) return [parsed]
  if (parsed.length === 0 || parsed.length > MAX_BATCH)
    throw new RpcError('invalidRequest', `A batch has 1 to ${MAX_BATCH} messages`)
  return parsed
}

/** The body as text. One that is not UTF-8 is as little JSON as one that does not parse. */
async function readBody(c: Ctx): Promise<string> {
  try {
    return await readText(c)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400)
      throw new RpcError('parse', error.message)
    throw error
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new RpcError('parse', 'The body is not well-formed JSON')
  }
}

/** The key of a request goes to its calls, each of which keeps its own outcome under it. */
function takeKey(c: Ctx, x: Exchange): string | undefined {
  x.claim = undefined
  return c.req.header('idempotency-key')
}

/** Answers what is sent to the endpoint. */
export const answerPost = (server: ToolServer) => async (c: Ctx) => {
  requireKnownOrigin(c)
  const x = requireKey(c)
  const stream = await legacyStream(c, x)
  const key = takeKey(c, x)
  let body: string
  let messages: unknown[]
  try {
    body = await readBody(c)
    messages = readMessages(c, body)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return c.body(errorText(null, error), 400, { 'content-type': 'application/json' })
  }
  // Counted before anything is done: each message is a request of its own.
  x.count(undefined, messages.length)
  const isBatch = body.trimStart().startsWith('[')
  const session: Session = { ...server, x, body, key, choice: choiceOf(server, c) }
  const answers = await answerAll(session, messages, isBatch)
  if (stream !== undefined)
    await mailboxOf(c.env).put(
      stream,
      answers.map(({ text }) => text),
    )
  if (messages.some(isInitialize) && !isBatch)
    c.header('Mcp-Session-Id', await newSession(x.deps.settings.secret, x.identity!.accountId))
  return send(c, answers, isBatch)
}

/** Which tools the address asks for; read once, and only where tools are. */
function choiceOf({ toolbox }: ToolServer, c: Ctx): Session['choice'] {
  return () => {
    const { url } = c.req
    const at = url.indexOf('?')
    return toolbox.choose(at < 0 ? '' : url.slice(at + 1))
  }
}

/** One after the other: what a batch does later may rest on what it did before. */
async function answerAll(session: Session, messages: unknown[], isBatch: boolean) {
  const answers: Answer[] = []
  for (const [position, message] of messages.entries()) {
    const one = isBatch ? { ...session, position } : session
    const answer = await answerMessage(one, message)
    if (answer !== undefined) answers.push(answer)
  }
  return answers
}

/** 202 where nothing is answered, 400 for what is no request at all, 200 for every other answer. */
function send(c: Ctx, answers: readonly Answer[], isBatch: boolean) {
  const [first] = answers
  if (!first) return c.body(null, 202)
  const text = isBatch ? `[${answers.map(answer => answer.text).join()}]` : first.text
  const status = first.isRefused && !isBatch ? 400 : 200
  return status === 200 && wantsStream(c.req.header('accept'))
    ? c.body(eventText('message', text), status, { 'content-type': 'text/event-stream' })
    : c.body(text, status, { 'content-type': 'application/json' })
}

/** The stream of an older client that waits for the answer there. */
async function legacyStream(c: Ctx, x: Exchange): Promise<string | undefined> {
  const session = c.req.path.endsWith('/sse') ? c.req.query('sessionId') : undefined
  if (session === undefined) return undefined
  const { secret } = x.deps.settings
  const isOurs = await isSessionOf(secret, x.identity!.accountId, session)
  return isOurs ? session : notFound('Session')
}
