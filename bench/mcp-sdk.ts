import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ORDER } from '#functions/mcp/order.ts'
import { SERVER } from '#functions/mcp/server.ts'
import type { Member } from '#lib/core/context.ts'
import { Json, type Page } from '#lib/core/json.ts'
import { createApp } from '#lib/http/app.ts'
import { memberIn } from '#lib/http/callers.ts'
import { present, requireKey } from '#lib/mcp/access.ts'
import type { Tool } from '#lib/mcp/tool.ts'

/*
 * The same tools behind the official SDK's server, as its documentation has it for stateless use: a
 * fresh server and transport for each request, every tool registered with the fields that it takes.
 * That is kind to it: the fields' own schemas are made once, where its examples make them each time, and
 * it has no outputSchema to check. Key, limit and operations are the very same, so that what differs is
 * the dispatcher.
 */

let loaded: [name: string, tool: Tool][] | undefined

async function loadTools(): Promise<[name: string, tool: Tool][]> {
  const choice = { toolsets: undefined, pageSize: 100 }
  loaded ??= await Promise.all(
    ORDER.map(
      async ([name]): Promise<[string, Tool]> => [name, await SERVER.toolbox.find(name, choice)],
    ),
  )
  return loaded
}

const isPage = (value: object): value is Page<unknown> => 'items' in value && 'nextCursor' in value

async function answer(tool: Tool, m: Member, input: object) {
  const found = (await tool.run(m, input as never)) as object
  const value = isPage(found)
    ? { items: found.items.read(), nextCursor: found.nextCursor }
    : found instanceof Json
      ? (found.read() as Record<string, unknown>)
      : { ...found }
  return { content: [{ type: 'text' as const, text: JSON.stringify(value) }] }
}

export default createApp('/', present).post('/api/mcp', async c => {
  const x = requireKey(c)
  await x.count()
  const server = new McpServer(
    { name: 'almanac', version: '2.1.0' },
    { instructions: SERVER.about.instructions },
  )
  for (const [name, { description, input, annotations, run }] of await loadTools()) {
    const config = { title: name, description, inputSchema: input.shape, annotations }
    server.registerTool(name, config as object, (given: object) =>
      answer({ description, input, annotations, run }, memberIn(x, 'mcp'), given),
    )
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport as never)
  return transport.handleRequest(c.req.raw)
})
