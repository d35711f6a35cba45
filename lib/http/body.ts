import type { Context } from 'hono'
import { ApiError } from '#lib/core/errors.ts'

/** The largest JSON or form body, 1 MiB. */
export const MAX_BODY = 1024 * 1024

const tooLarge = (max: number): never => {
  throw new ApiError('BAD_REQUEST', `The body is larger than ${max} bytes`, undefined, 413)
}

/** The body as text, read once and kept; refused (413) as soon as it is larger than `max` bytes. */
export async function readText(c: Context, max = MAX_BODY): Promise<string> {
  // Hono types its cache by what the promises resolve to.
  const cache = c.req.bodyCache as unknown as { text?: Promise<string> }
  cache.text ??= readLimited(c.req.raw, max)
  return cache.text
}

async function readLimited(request: Request, max: number): Promise<string> {
  const declared = request.headers.get('content-length')
  if (declared !== null) return Number(declared) > max ? tooLarge(max) : request.text()
  if (!request.body) return ''
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength
    if (size > max) tooLarge(max)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
