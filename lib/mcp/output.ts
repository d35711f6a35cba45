import type { JsonSchema } from '#lib/http/json-schema.ts'

/** The type of a field of an answer; with `?` it may be null. */
type FieldType = 'integer' | 'number' | 'string' | 'boolean' | 'object' | 'array'
type Shape = Record<string, FieldType | `${FieldType}?` | JsonSchema>

const fieldOf = (type: Shape[string]): JsonSchema => {
  if (typeof type !== 'string') return type
  return type.endsWith('?') ? { type: [type.slice(0, -1), 'null'] } : { type }
}

/** An answer that has at least these fields. */
export const answers = (shape: Shape): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(shape).map(([name, t]) => [name, fieldOf(t)])),
  required: Object.keys(shape),
})

/** A page of records that have at least these fields. */
export const pages = (shape: Shape): JsonSchema =>
  answers({ items: { type: 'array', items: answers(shape) }, nextCursor: 'string?' })

/** What deleting answers. */
export const DELETED: JsonSchema = answers({ id: 'integer', deleted: 'boolean' })
