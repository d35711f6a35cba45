import { ApiError, type Detail, invalid, QueryError } from '#lib/core/errors.ts'
import { detailsOf } from '#lib/core/faults.ts'
import { Claim, MAX_KEY, Replay } from '#lib/core/idempotency.ts'
import { Json, type Page, toText } from '#lib/core/json.ts'
import { sha256 } from '#lib/core/text.ts'
import { unkeepable } from '#lib/core/unkeepable.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { memberIn, withFault } from '#lib/http/callers.ts'
import { type Exchange, reachOf } from '#lib/http/exchange.ts'
import { keepResult } from '#lib/http/idempotency.ts'
import { isObject } from './rpc.ts'
import type { Tool } from './tool.ts'

/** One call of a tool, with the text of the body that it came in. */
export interface ToolCall {
  name: string
  tool: Tool
  arguments: unknown
  /** The key under which its outcome is kept, if it has one. */
  key: unknown
  body: string
}

/** What a list answers where no limit is asked for: an assistant has to read all of it. */
const DEFAULT_LIMIT = 20

/** The arguments as the operation takes them; every fault by its field. */
async function inputOf({ tool, arguments: given = {}, body }: ToolCall): Promise<object> {
  if (!isObject(given)) return invalid({ field: 'arguments', message: 'expected object' })
  const { shape } = tool.input
  const unknown: Detail[] = Object.keys(given)
    .filter(field => !Object.hasOwn(shape, field))
    .map(field => ({ field, message: `is none of ${Object.keys(shape).join(', ') || 'its own'}` }))
  const parsed = await tool.input.safeParseAsync(given)
  const faults = parsed.success ? [] : detailsOf(parsed.error.issues)
  const all = [...unkeepable(body, given), ...unknown, ...faults]
  if (all.length > 0 || !parsed.success) return invalid(...all)
  const input: Record<string, unknown> = parsed.data
  return 'cursor' in shape && input.limit === undefined
    ? { ...input, limit: DEFAULT_LIMIT }
    : parsed.data
}

/** The claim on a key, for a tool that changes something. */
async function claimOf(x: Exchange, call: ToolCall, input: object): Promise<Claim | undefined> {
  const { key, name, tool } = call
  if (key === undefined || tool.annotations.readOnlyHint) return undefined
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY)
    invalid({ field: '_meta.idempotencyKey', message: `must have 1 to ${MAX_KEY} characters` })
  const reach = reachOf(x.identity)
  const print = await sha256(`tools/call ${name}\n${JSON.stringify(input)}${reach}`)
  return new Claim(`a${x.identity?.accountId}`, String(key), print, x.now)
}

const isPage = (value: unknown): value is Page<unknown> =>
  isObject(value) && value.items instanceof Json && 'nextCursor' in value

/** Structured answers are objects; whatever is none is shown as its `items`. */
const objectText = (text: string): string => (text.startsWith('{') ? text : `{"items":${text}}`)

/** What an operation answered, as the text of a JSON object. */
function structured(value: unknown): string {
  if (isPage(value))
    return `{"items":${value.items.text},"nextCursor":${JSON.stringify(value.nextCursor)}}`
  return objectText(toText(value ?? {}))
}

const success = (text: string): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}}`

const failed = (text: string): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true}`

/** What an assistant can do about an error. */
const HINTS: Partial<Record<ApiError['code'], string>> = {
  NOT_FOUND: 'Look ids up with the list, get and search tools; never make one up.',
  VALIDATION_ERROR: 'See details, correct the arguments and call again.',
  BAD_REQUEST: 'See details, correct the arguments and call again.',
  FORBIDDEN: 'The user of this key is not allowed to; another tool will not help.',
}

/** What REST says of a query is, of a tool, said of its arguments. */
const ofArguments = (error: ApiError): ApiError =>
  error instanceof QueryError
    ? new ApiError('VALIDATION_ERROR', 'The request failed validation', error.details)
    : error

function failureText(error: ApiError): string {
  const { code, message, details } = ofArguments(error)
  const hint = HINTS[code]
  const said = hint ? `${message}. ${hint}` : message
  return JSON.stringify({ error: code, message: said, ...(details ? { details } : {}) })
}

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code !== 'RATE_LIMITED'

/** Carries the operation out. A refusal is an outcome; a fault gives the key back and is thrown. */
async function outcomeOf(x: Exchange, { tool }: ToolCall, input: object, claim?: Claim) {
  try {
    const value = await tool.run(memberIn(x, 'mcp', claim), input as never)
    return { status: 200, body: structured(value) }
  } catch (thrown) {
    if (thrown instanceof Replay) throw thrown
    const error = meaningOf(thrown)
    if (isRefusal(error)) return { status: error.status, body: failureText(error) }
    if (claim) await keepResult(x, claim, { status: 500, body: '' })
    throw error
  }
}

const resultOf = ({ status, body }: { status: number; body: string }): string =>
  status < 400 ? success(body) : failed(body)

/**
 * The arguments, with the claim on the key of the call. What is wrong with them is told to those alone who
 * may call the tool at all: the operation says so, which begins with the permission that it needs.
 */
async function prepared(x: Exchange, call: ToolCall) {
  try {
    const input = await inputOf(call)
    return { input, claim: await claimOf(x, call, input) }
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault
    const m = withFault(memberIn(x, 'mcp'), fault)
    const said = await refusalOf(async () => call.tool.run(m, {} as never))
    throw said instanceof ApiError && said.code === 'FORBIDDEN' ? said : fault
  }
}

const refusalOf = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  )

/**
 * Calls a tool and answers its result as JSON text. A refusal is a result too, with `isError`; only
 * a fault of ours, and a request over the limit, are thrown.
 */
export async function callTool(x: Exchange, call: ToolCall): Promise<string> {
  try {
    const { input, claim } = await prepared(x, call)
    const outcome = await outcomeOf(x, call, input, claim)
    if (claim) await keepResult(x, claim, outcome)
    return resultOf(outcome)
  } catch (thrown) {
    if (thrown instanceof Replay) return resultOf({ ...thrown, body: objectText(thrown.body) })
    if (!isRefusal(thrown)) throw thrown
    return failed(failureText(thrown))
  }
}
