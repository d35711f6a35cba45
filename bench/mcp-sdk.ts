import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import * as z from 'zod'
import { ORDER } from '#functions/mcp/order.ts'
import * as analytics from '#functions/mcp/tools/analytics.ts'
import * as appointments from '#functions/mcp/tools/appointments.ts'
import * as availability from '#functions/mcp/tools/availability.ts'
import * as bookings from '#functions/mcp/tools/bookings.ts'
import * as customers from '#functions/mcp/tools/customers.ts'
import * as event_types from '#functions/mcp/tools/event-types.ts'
import * as resources from '#functions/mcp/tools/resources.ts'
import * as routing_forms from '#functions/mcp/tools/routing-forms.ts'
import * as teams from '#functions/mcp/tools/teams.ts'
import * as user from '#functions/mcp/tools/user.ts'
import * as webhooks from '#functions/mcp/tools/webhooks.ts'
import * as workflows from '#functions/mcp/tools/workflows.ts'
import { argumentsOf } from '#functions/mcp/words.ts'
import type { Member } from '#lib/core/context.ts'
import { Json, type Page } from '#lib/core/json.ts'
import { createApp } from '#lib/http/app.ts'
import { memberIn } from '#lib/http/callers.ts'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import { present, requireKey } from '#lib/mcp/access.ts'
import type { Tool } from '#lib/mcp/tool.ts'
import { Toolbox } from '#lib/mcp/toolbox.ts'

/*
 * The same tools behind the official SDK's server, as its examples have it for stateless use: a fresh
 * server and transport for each request, on which every tool is registered with what ours lists of it:
 * title, description, annotations, the fields that it takes with their words, those that it answers. As in
 * the examples, fields are given as shapes; unlike there, their schemas are made once and not each time.
 * With SCHEMAS=whole the SDK is given objects made beforehand, which spares it to make them of the shapes.
 * Key, limit and operations are the very same, so that what differs is the dispatcher.
 */

interface Listed {
  name: string
  title: string
  description: string
  annotations: object
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
}

interface Registered {
  name: string
  run: Tool['run']
  config: object
}

// Imported at once: late imports would make the bundler wrap the SDK's modules, which it gets wrong.
const TABLES = {
  bookings,
  event_types,
  availability,
  appointments,
  customers,
  resources,
  analytics,
  user,
  teams,
  routing_forms,
  workflows,
  webhooks,
}
const TOOLBOX = new Toolbox({
  order: ORDER,
  words: () => Promise.resolve({ argumentsOf }),
  toolsets: Object.fromEntries(
    Object.entries(TABLES).map(([name, table]) => [name, () => Promise.resolve(table)]),
  ),
})
const CHOICE = { toolsets: undefined, pageSize: 100 }

let loaded: Promise<Registered[]> | undefined

const madeOf = (schema: JsonSchema): z.ZodObject =>
  z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema) as z.ZodObject

async function loadTools(isWhole: boolean): Promise<Registered[]> {
  const given = (schema: z.ZodObject) => (isWhole ? schema : schema.shape)
  const { tools } = JSON.parse(await TOOLBOX.page(undefined, CHOICE)) as { tools: Listed[] }
  return Promise.all(
    tools.map(async ({ name, inputSchema, outputSchema, ...told }) => {
      const { input, run } = await TOOLBOX.find(name, CHOICE)
      const fields = Object.entries(input.shape).map(([field, schema]) => {
        const { description, examples } = inputSchema.properties?.[field] ?? {}
        return [field, (schema as z.ZodType).meta({ description, examples })]
      })
      const config = {
        ...told,
        inputSchema: given(z.object(Object.fromEntries(fields))),
        ...(outputSchema ? { outputSchema: given(madeOf(outputSchema)) } : {}),
      }
      return { name, run, config }
    }),
  )
}

const isPage = (value: object): value is Page<unknown> => 'items' in value && 'nextCursor' in value

async function answer(run: Tool['run'], m: Member, input: object) {
  const found = (await run(m, input as never)) as object
  const value = isPage(found)
    ? { items: found.items.read(), nextCursor: found.nextCursor }
    : found instanceof Json
      ? (found.read() as Record<string, unknown>)
      : { ...found }
  return {
    content: [{ type: 'text' as const, text: JSON.stringify(value) }],
    structuredContent: value,
  }
}

export default createApp('/', present).post('/api/mcp', async c => {
  const x = requireKey(c)
  await x.admission()
  const server = new McpServer({ name: 'almanac', version: '2.1.0' })
  loaded ??= loadTools('SCHEMAS' in c.env)
  for (const { name, run, config } of await loaded)
    server.registerTool(name, config, (given: object) => answer(run, memberIn(x, 'mcp'), given))
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport as never)
  return transport.handleRequest(c.req.raw)
})
