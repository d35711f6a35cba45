import type { Context } from 'hono'
import { ApiError, badRequest } from '#lib/core/errors.ts'

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Whether a body says that it is JSON. */
export const isJson = (c: Context): boolean => JSON_TYPE.test(c.req.header('content-type') ?? '')

/** The largest JSON or form body, 1 MiB. */
const MAX_BODY = 1024 * 1024

const tooLarge = (max: number): never => {
  throw new ApiError('BAD_REQUEST', `The body is larger than ${max} bytes`, undefined, 413)
}

/** The body, read once and kept; refused (413) as soon as it is larger than `max` bytes. */
export async function readBytes(c: Context, max = MAX_BODY): Promise<ArrayBuffer> {
  // Hono types its cache by what the promises resolve to.
  const cache = c.req.bodyCache as unknown as { arrayBuffer?: Promise<ArrayBuffer> }
  cache.arrayBuffer ??= readLimited(c.req.raw, max)
  const bytes = await cache.arrayBuffer
  return bytes.byteLength > max ? tooLarge(max) : bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The body as text; refused (400) where it is not UTF-8, which nothing could be kept of but its gaps. */
export async function readText(c: Context, max = MAX_BODY): Promise<string> {
  const bytes = await readBytes(c, max)
  try {
    return utf8.decode(bytes)
  } catch {
    return badRequest(
      c.req.header('content-encoding')
        ? 'The body has a Content-Encoding: send it as it is'
        : 'The body is not UTF-8',
    )
  }
}

const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** How much of a body that is refused is still read: who sends it listens once all is sent. */
const DRAINED = 16 * MAX_BODY

async function readLimited(request: Request, max: number): Promise<ArrayBuffer> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) <= max) return request.arrayBuffer()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size <= max) chunks.push(chunk)
    if (size > DRAINED) break
  }
  return size > max ? tooLarge(max) : new Blob(chunks).arrayBuffer()
}

/**
 * Reads a body that nobody wanted, such as that of a refused request: a connection on which something
 * was left unread is closed, under who still sends it, or under the next request of its client.
 */
export async function readUnwanted(request: Request): Promise<void> {
  // Asked first: to name the body of a request is to make a stream of it.
  if (request.bodyUsed) return
  const length = request.headers.get('content-length')
  if (length === null ? BODILESS.has(request.method) : Number(length) > DRAINED) return
  await readLimited(request, 0).catch(() => {})
}
