import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { messageOf } from './failure.ts'
import { type JsonReply, serveJson } from './loopback.ts'
import { type RedisBackend, RedisError, type RedisReply } from './redis-backend.ts'
import type { RedisFaults } from './redis-fault.ts'

/** A running stand-in for Upstash's REST interface. */
export interface UpstashEndpoint {
  url: string
  stop(): Promise<void>
}

/** Passes a reply on, or wraps its strings in base64 when the client asked for that. */
type Encode = (reply: RedisReply) => RedisReply

/**
 * Answers Upstash's REST interface (command in the body or in the path, `/pipeline`,
 * `/multi-exec`, bearer token, base64 replies) in front of a Redis.
 * https://upstash.com/docs/redis/features/restapi
 */
export async function startUpstashEndpoint(options: {
  backend: RedisBackend
  token: string
  faults?: RedisFaults
  /** Told of each HTTP request; a pipeline is one. */
  count?(): void
}): Promise<UpstashEndpoint> {
  const scripts = scriptCache(options.backend)
  const server = await serveJson(async (request, body) => {
    if (request.headers.authorization !== `Bearer ${options.token}`)
      return { status: 401, body: { error: 'Unauthorized' } }
    options.count?.()
    const refused = await options.faults?.pass(body)
    if (refused) return { status: refused, body: { error: 'This fault was asked for' } }
    try {
      return await answer(request, body, scripts)
    } catch (error) {
      return { status: 400, body: { error: messageOf(error) } }
    }
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    async stop() {
      await server.stop()
      await options.backend.stop()
    },
  }
}

async function answer(
  request: IncomingMessage,
  body: string,
  backend: Pick<RedisBackend, 'call' | 'transaction'>,
): Promise<JsonReply> {
  const encode = request.headers['upstash-encoding'] === 'base64' ? toBase64 : asIs
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (path === '/pipeline') {
    const run = (command: string[]) => backend.call(command).catch(refusal)
    // Started in order and together: the backend keeps the order, and answers in one go.
    const replies = await Promise.all(readCommands(body).map(run))
    return { status: 200, body: replies.map(reply => result(reply, encode)) }
  }
  if (path === '/multi-exec') {
    const replies = await backend.transaction(readCommands(body))
    return { status: 200, body: replies.map(reply => result(reply, encode)) }
  }
  const reply = await backend.call(readCommand(path, body)).catch(refusal)
  return { status: reply instanceof RedisError ? 400 : 200, body: result(reply, encode) }
}

const asIs: Encode = reply => reply

const toBase64: Encode = reply => {
  if (Array.isArray(reply)) return reply.map(toBase64)
  return typeof reply === 'string' && reply !== 'OK' ? Buffer.from(reply).toString('base64') : reply
}

function result(reply: RedisReply | RedisError, encode: Encode) {
  return reply instanceof RedisError ? { error: reply.message } : { result: encode(reply) }
}

function refusal(error: unknown): RedisError {
  if (error instanceof RedisError) return error
  throw error
}

function readCommand(path: string, body: string): string[] {
  if (path === '/') return asCommand(JSON.parse(body))
  const fromPath = path.slice(1).split('/').map(decodeURIComponent)
  return body ? [...fromPath, body] : fromPath
}

function readCommands(body: string): string[][] {
  const commands: unknown = JSON.parse(body)
  if (!Array.isArray(commands)) throw new RedisError('ERR expected an array of commands')
  return commands.map(asCommand)
}

function asCommand(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0) throw new RedisError('ERR empty command')
  return value.map(part => (typeof part === 'object' ? JSON.stringify(part) : String(part)))
}

/**
 * Upstash accepts scripts whose first line is `#!lua flags=allow-key-locking`; Redis refuses that
 * flag. The line is taken off here, so the hash of the script as the client knows it has to be
 * resolved here too.
 */
function scriptCache(backend: RedisBackend): Pick<RedisBackend, 'call' | 'transaction'> {
  const scripts = new Map<string, string>()
  const keep = (source: string) => {
    const hash = createHash('sha1').update(source).digest('hex')
    scripts.set(hash, source.replace(/^#!lua[^\n]*\n/, ''))
    return hash
  }
  const rewrite = (command: string[]): string[] => {
    const [name = '', subject = '', ...rest] = command
    const operation = name.toUpperCase().replace(/_RO$/, '')
    if (operation !== 'EVAL' && operation !== 'EVALSHA') return command
    const script = scripts.get(operation === 'EVAL' ? keep(subject) : subject)
    if (script === undefined) throw new RedisError('NOSCRIPT No matching script. Please use EVAL.')
    return ['EVAL', script, ...rest]
  }
  return {
    async call(command) {
      const [name, action, source] = command
      if (name?.toUpperCase() === 'SCRIPT' && action?.toUpperCase() === 'LOAD')
        return keep(source ?? '')
      return backend.call(rewrite(command))
    },
    async transaction(commands) {
      return backend.transaction(commands.map(rewrite))
    },
  }
}
