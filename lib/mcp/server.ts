import { ApiError } from '#lib/core/errors.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { callTool } from './call.ts'
import { answerText, errorText, type Id, isObject, RpcError, readMessage } from './rpc.ts'
import type { Choice, Toolbox } from './toolbox.ts'

/** The revision of the protocol that is always answered. */
export const PROTOCOL = '2025-03-26'
/** The version of the tool server. */
export const VERSION = '2.1.0'

/** What the server tells of itself. */
export interface About {
  name: string
  title: string
  /** For the model: how to go about things. */
  instructions: string
}

/** One request to the endpoint, with all that answering its messages takes. */
export interface Session {
  x: Exchange
  about: About
  toolbox: Toolbox
  choice(): Choice
  /** The body as it came. */
  body: string
  /** The request's Idempotency-Key, which goes for a call that has none of its own. */
  key: string | undefined
  /** Set for the messages of a batch. */
  position?: number
}

type Params = Record<string, unknown>
type Method = (session: Session, params: Params) => string | Promise<string>

const NONE_CHANGE = { listChanged: false }

const initialize: Method = ({ about: { instructions, ...info } }) =>
  JSON.stringify({
    protocolVersion: PROTOCOL,
    capabilities: { tools: NONE_CHANGE, resources: NONE_CHANGE, prompts: NONE_CHANGE },
    serverInfo: { ...info, version: VERSION },
    instructions,
  })

const call: Method = async (session, { name, arguments: given, _meta: meta }) => {
  const { x, toolbox, body } = session
  const tool = await toolbox.find(name, session.choice())
  const own = isObject(meta) ? meta.idempotencyKey : undefined
  return callTool(x, {
    name: String(name),
    tool,
    arguments: given,
    key: own ?? keyOf(session),
    body,
  })
}

/** Each call of a batch has a key of its own. */
const keyOf = ({ key, position }: Session): string | undefined =>
  key === undefined || position === undefined ? key : `${key}#${position}`

const METHODS: Record<string, Method> = {
  initialize,
  ping: () => '{}',
  // Some clients say null where they have no cursor.
  'tools/list': (session, { cursor }) =>
    session.toolbox.page(cursor ?? undefined, session.choice()),
  'tools/call': call,
  'resources/list': () => '{"resources":[]}',
  'resources/templates/list': () => '{"resourceTemplates":[]}',
  'prompts/list': () => '{"prompts":[]}',
}

async function answerRequest(session: Session, id: Id, method: string, params: unknown) {
  try {
    const known = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
    if (!known) throw new RpcError('unknownMethod', `Method not found: ${method.slice(0, 100)}`)
    if (method === 'initialize' && session.position !== undefined)
      throw new RpcError('invalidRequest', 'initialize must not be part of a batch')
    if (params !== undefined && !isObject(params))
      throw new RpcError('invalidParams', 'params must be an object')
    return answerText(id, await known(session, params ?? {}))
  } catch (error) {
    if (error instanceof RpcError) return errorText(id, error)
    // A request over the limit is refused as a whole.
    if (error instanceof ApiError && error.code === 'RATE_LIMITED') throw error
    console.error(`${session.x.requestId} ${method}`, error)
    const message = `Internal error; our log has it as ${session.x.requestId}`
    return errorText(id, new RpcError('internal', message))
  }
}

/** The answer to one JSON-RPC message, as the text that is sent. */
export interface Answer {
  text: string
  /** Whether the message was no request at all: sent by itself, it is refused with 400. */
  isRefused: boolean
}

/** Answers one message; undefined for what wants no answer. */
export async function answerMessage(session: Session, value: unknown): Promise<Answer | undefined> {
  const message = readMessage(value)
  if (message.kind === 'silent') return undefined
  if (message.kind === 'invalid') {
    const error = new RpcError('invalidRequest', message.message)
    return { text: errorText(message.id, error), isRefused: true }
  }
  const { id, method, params } = message
  return { text: await answerRequest(session, id, method, params), isRefused: false }
}
