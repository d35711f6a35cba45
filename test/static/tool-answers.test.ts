import { expect, it } from 'vitest'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import type { Tools } from '#lib/mcp/tool.ts'
import { TOOL_FILES, toolAnswers } from '../tool-types.ts'

const { answers, schemas } = toolAnswers()

const resolve = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? (schemas[String(schema.$ref).split('/').at(-1)!] ?? {}) : schema

/** What a value may be by its schema: `integer`, `null`. */
function typesOf(schema: JsonSchema): string[] {
  const { anyOf, type = [] } = resolve(schema)
  return anyOf ? anyOf.flatMap(typesOf) : [type].flat()
}

const holds = (said: readonly string[], is: string): boolean =>
  said.includes(is) || (is === 'integer' && said.includes('number'))

/** Where what is said of an answer is more than its type has. */
function overstated(said: JsonSchema, type: JsonSchema, at: string): string[] {
  const is = resolve(type)
  const types = typesOf(said)
  const own = types.length > 0 && typesOf(is).every(name => holds(types, name)) ? [] : [at]
  const inner = Object.entries(said.properties ?? {}).flatMap(([name, field]) => {
    const found = is.properties?.[name]
    const isThere = found && (is.required?.includes(name) ?? false)
    return isThere ? overstated(field, found, `${at}.${name}`) : [`${at}.${name}`]
  })
  const items = said.items ? overstated(said.items, is.items ?? {}, `${at}[]`) : []
  return [...own, ...inner, ...items]
}

it('what tools say of their answers is so by the types of their operations', async () => {
  const wrong: string[] = []
  const seen = { pages: 0, records: 0 }
  for (const file of TOOL_FILES) {
    const { tools } = (await import(file)) as { tools: Tools }
    for (const [name, { output }] of Object.entries(tools)) {
      const type = answers[name]!
      const items = output?.properties?.items?.items
      // A list is answered as its items, with where the next page begins.
      const [said, is] = items
        ? [items, type.type === 'array' ? type.items! : type]
        : [output, type]
      if (said) wrong.push(...overstated(said, is, name))
      if (output) seen[items ? 'pages' : 'records']++
    }
  }
  expect(wrong).toEqual([])
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(15)
})
