import type { Context } from 'hono'
import { resourceMetadataUrl } from '#lib/domain/oauth/metadata.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { ToolServer } from './endpoint.ts'
import { PROTOCOL, VERSION } from './server.ts'

/** The discovery document of the tool server: where it is, what it speaks, how to be let in. */
export const discover =
  ({ about, toolbox }: ToolServer) =>
  (c: Context<AppEnv>) => {
    const { publicUrl } = c.var.exchange.deps.settings
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Cache-Control', 'public, max-age=300')
    return c.json({
      name: about.name,
      title: about.title,
      version: VERSION,
      protocolVersion: PROTOCOL,
      endpoint: `${publicUrl}/api/mcp`,
      transports: [
        { type: 'streamable-http', url: `${publicUrl}/api/mcp` },
        { type: 'sse', url: `${publicUrl}/api/mcp/sse` },
      ],
      capabilities: { tools: true, resources: true, prompts: true },
      toolsets: toolbox.toolsets,
      authentication: {
        schemes: ['bearer'],
        apiKeyPrefix: 'cal_',
        scopes: ['mcp', 'FULL_ACCESS'],
        resourceMetadata: resourceMetadataUrl(publicUrl, true),
        authorizationServer: `${publicUrl}/.well-known/oauth-authorization-server`,
      },
    })
  }
