import type { JsonSchema } from './json-schema.ts'

/** A parameter of an operation, or where one that many share is found. */
export interface ApiParameter {
  $ref?: string
  name?: string
  in?: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema?: JsonSchema
}

/** An answer, or where one that many share is found. */
export interface ApiResponse {
  $ref?: string
  description?: string
  content?: Record<string, { schema: JsonSchema }>
}

/** An endpoint as OpenAPI describes it. */
export interface ApiOperation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: ApiParameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, ApiResponse>
}

/** What is sent to webhooks. */
export type ApiDelivery = Omit<ApiOperation, 'tags' | 'security'>

/** The description of the API, OpenAPI 3.1. Operations are keyed by method in lower case. */
export interface ApiDocument {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, ApiOperation>>
  /** What is sent to webhooks, by the type of the event. */
  webhooks: Record<string, { post: ApiDelivery }>
  components: Record<string, object> & {
    schemas: Record<string, JsonSchema>
    securitySchemes: Record<string, object>
  }
}

/** A success of an operation: what is answered, by itself, as `data`, or as the items of a page. */
export interface ApiAnswer {
  status: number
  form: 'bare' | 'data' | 'page'
  schema: JsonSchema
}

/** What the types of the product tell of what goes out. */
export interface ApiShapes {
  /** The successes of each operation, by `METHOD path`. */
  answers: Record<string, readonly ApiAnswer[]>
  /** The payload of each type of event, described by what happened. */
  events: Record<string, JsonSchema>
  /** What both refer to. */
  schemas: Record<string, JsonSchema>
}
