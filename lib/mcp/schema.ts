import type * as z from 'zod'
import { MAX_ID } from '#lib/core/schemas.ts'
import { type JsonSchema, jsonSchemaOf } from '#lib/http/json-schema.ts'

/** What a field means, and a value that it may have. */
export type Word = readonly [description: string, example: unknown]

/**
 * Words for the fields of tools, by the field's name, by its dotted path in a tool's arguments, or
 * by `tool.path`; the longest name counts. They stand where the field's own schema says nothing.
 */
export type Words = Readonly<Record<string, Word>>

const wordOf = (words: Words, tool: string, path: string): Word | undefined => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const key = [`${tool}.${path}`, path, name].find(k => Object.hasOwn(words, k))
  return key === undefined ? undefined : words[key]
}

/** The value of a word as this field can have it: a day where it takes days, none that it refuses. */
function exampleFor(field: JsonSchema, word: Word | undefined): unknown {
  const example = word?.[1]
  if (field.enum && !field.enum.includes(example)) return field.enum[0]
  return field.format === 'date' && typeof example === 'string' ? example.slice(0, 10) : example
}

function explain(schema: JsonSchema, words: Words, tool: string, path: string): void {
  for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    explain(inner, words, tool, path)
  if (schema.items) explain(schema.items, words, tool, path)
  // How large an id can be helps nobody who looks it up.
  if (schema.maximum === MAX_ID) delete schema.maximum
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const at = path ? `${path}.${name}` : name
    const word = wordOf(words, tool, at)
    field.description = words[`${tool}.${at}`]?.[0] ?? field.description ?? word?.[0]
    const example = exampleFor(field, word)
    if (example !== undefined) field.examples = [example]
    explain(field, words, tool, at)
  }
}

/** A whole call: what is required, and what has a word for this tool alone. */
function exampleOf(schema: JsonSchema, words: Words, tool: string): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const shown = Object.keys(properties).filter(
    name => required.includes(name) || Object.hasOwn(words, `${tool}.${name}`),
  )
  return Object.fromEntries(
    shown
      .map(name => [name, wordOf(words, tool, name)?.[1]])
      .filter(([, value]) => value !== undefined),
  )
}

/** Tells the arguments of a tool, by its name. */
export type Arguments = (tool: string, input: z.ZodObject) => JsonSchema

/**
 * The arguments of a tool as JSON Schema, with the given words: a plain object with nothing beside it at
 * the root, which is all that some clients take, every field in words, and an example of the whole.
 */
export const argumentsIn =
  (words: Words): Arguments =>
  (tool, input) => {
    const schema = jsonSchemaOf(input)
    explain(schema, words, tool, '')
    const { properties = {}, required } = schema
    return {
      type: 'object',
      properties,
      ...(required ? { required } : {}),
      additionalProperties: false,
      examples: [exampleOf(schema, words, tool)],
    }
  }
