/** JSON-RPC 2.0 (https://www.jsonrpc.org/specification), as far as a server of requests needs it. */

/** What names a request; its answer repeats it. */
export type Id = string | number

/** The codes of errors, by what is wrong. */
const CODES = {
  /** The body is not JSON. */
  parse: -32700,
  /** It is JSON, and no request. */
  invalidRequest: -32600,
  /** There is no such method. */
  unknownMethod: -32601,
  /** The method's parameters are wrong. */
  invalidParams: -32602,
  /** A fault of ours. */
  internal: -32603,
} as const

/** A request that is answered with an error. */
export class RpcError extends Error {
  readonly code: number
  constructor(what: keyof typeof CODES, message: string) {
    super(message)
    this.code = CODES[what]
  }
}

/** What one element of a body is. Notifications, and answers to what nobody asked, are not answered. */
export type Message =
  | { kind: 'request'; id: Id; method: string; params: unknown }
  | { kind: 'silent' }
  | { kind: 'invalid'; id: Id | null; message: string }

const isId = (value: unknown): value is Id =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads one element of a body. */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) return { kind: 'invalid', id: null, message: 'A message is a JSON object' }
  const { id, method, params } = value
  const known = isId(id) ? id : null
  if (value.jsonrpc !== '2.0')
    return { kind: 'invalid', id: known, message: 'jsonrpc must be "2.0"' }
  const isAnswer = method === undefined && ('result' in value || 'error' in value)
  if (isAnswer && known !== null) return { kind: 'silent' }
  if (typeof method !== 'string')
    return { kind: 'invalid', id: known, message: 'method must be a string' }
  if (!('id' in value)) return { kind: 'silent' }
  if (known === null)
    return { kind: 'invalid', id: null, message: 'id must be a string or a number' }
  return { kind: 'request', id: known, method, params }
}

/** The answer to a request as JSON text; `result` is JSON text already. */
export const answerText = (id: Id, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

/** The answer to a request that failed, as JSON text. Without a known id it is null. */
export const errorText = (id: Id | null, { code, message }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
