import * as z from 'zod'

/** A JSON Schema (2020-12), as far as our bodies and queries use it. */
export interface JsonSchema {
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  pattern?: string
  [keyword: string]: unknown
}

/** What may be sent, as JSON Schema: what a schema makes of it afterwards is not told. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const {
    $schema: _,
    '~standard': __,
    ...made
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Such a pattern is longer than the whole rest, and says what the format says.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  }) as JsonSchema
  return made
}
