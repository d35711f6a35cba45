import { platform } from '../platform.ts'

/** An answer of the endpoint. */
export interface RpcReply {
  status: number
  headers: Headers
  text: string
  /** The parsed body, or the parsed data of its one event. */
  body: Rpc
}

/** A JSON-RPC answer, or a list of them; what is not there is undefined. */
export interface Rpc {
  id?: string | number | null
  result?: Record<string, unknown> & {
    content?: { type: string; text: string }[]
    structuredContent?: Record<string, unknown>
    isError?: boolean
    tools?: ListedTool[]
    nextCursor?: string
  }
  error?: { code: number; message: string } | string
  [position: number]: Rpc
}

/** A tool as it is listed. */
export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: Record<string, unknown> & {
    properties: Record<string, { description?: string; examples?: unknown[] }>
    examples: [Record<string, unknown>]
  }
  outputSchema?: Record<string, unknown>
  annotations: Record<string, unknown>
}

type Headed = Record<string, string>

/** Where requests go and by whom. */
export interface Sender {
  key?: string | undefined
  path?: string
  headers?: Headed
}

/** Posts a body to the tool server. */
export async function post(
  body: unknown,
  { key, path = '/api/mcp', headers }: Sender = {},
): Promise<RpcReply> {
  const answer = await fetch(`${platform().url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  const data = /^event: message\ndata: (.*)\n\n$/.exec(text)?.[1] ?? text
  const parsed = data === '' ? {} : (JSON.parse(data) as Rpc)
  return { status: answer.status, headers: answer.headers, text, body: parsed }
}

/** One request. */
export const request = (method: string, params?: object, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params ? { params } : {}),
})

/** What a tool answered: its text, parsed, and whether it was a refusal. */
export interface Outcome {
  isError: boolean
  text: string
  value: Record<string, unknown> & {
    id?: number
    uid?: string
    items?: Record<string, unknown>[]
    error?: string
    message?: string
    details?: { field: string; message: string }[]
  }
  /** Undefined for a refusal. */
  structured: Record<string, unknown> | undefined
  headers: Headers
}

/** Calls a tool over plain HTTP; anything but a result is an error of the test. */
export async function callTool(
  name: string,
  args: unknown = {},
  sender: Sender & { meta?: object } = {},
): Promise<Outcome> {
  const params = { name, arguments: args, ...(sender.meta ? { _meta: sender.meta } : {}) }
  const { status, text, body, headers } = await post(request('tools/call', params), sender)
  const { result } = body
  const content = result?.content?.[0]?.text
  if (status !== 200 || content === undefined) throw new Error(`${name}: ${status} ${text}`)
  return {
    isError: result?.isError === true,
    text: content,
    value: JSON.parse(content) as Outcome['value'],
    structured: result?.structuredContent,
    headers,
  }
}

/** Every tool, page by page. */
export async function listTools(sender: Sender): Promise<ListedTool[]> {
  const found: ListedTool[] = []
  let cursor: string | undefined
  do {
    const reply = await post(request('tools/list', cursor ? { cursor } : {}), sender)
    found.push(...(reply.body.result?.tools ?? []))
    cursor = reply.body.result?.nextCursor
  } while (cursor)
  return found
}
