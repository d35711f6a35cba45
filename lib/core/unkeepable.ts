import type { Detail } from './errors.ts'

/** Escapes that may stand for what the database cannot keep; unescaped it is not JSON. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i
const isUnkeepable = (text: string): boolean => text.includes('\0') || /\p{Cs}/u.test(text)

/**
 * The fields of a body that hold a NUL character or half of a surrogate pair, names of fields
 * included.
 * @param text the body as it came
 */
export const unkeepable = (text: string, body: unknown): Detail[] =>
  SUSPECT.test(text) ? faultsIn(body) : []

/** Whoever nests things a hundred thousand deep need not read the whole way there. */
const MAX_PATH = 500

function faultsIn(body: unknown): Detail[] {
  const found: Detail[] = []
  const open: [field: string, value: unknown][] = [['', body]]
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [field, value] = entry
    if (typeof value === 'string' && isUnkeepable(value))
      found.push({ field, message: 'must not contain a NUL character or half a surrogate pair' })
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (isUnkeepable(name)) found.push({ field, message: 'has a name that cannot be kept' })
      open.push([field ? `${field}.${name}` : name, inner])
    }
  }
  return found.reverse().map(fault => ({ ...fault, field: fault.field.slice(0, MAX_PATH) }))
}
