import { createApp } from '#lib/http/app.ts'
import { preflight as preflightOf } from '#lib/http/callers.ts'
import { preflight, present } from '#lib/mcp/access.ts'
import { discover } from '#lib/mcp/discovery.ts'
import { answerPost } from '#lib/mcp/endpoint.ts'
import { answerStream } from '#lib/mcp/legacy.ts'
import { SERVER } from './server.ts'

// Tools are for keys and tokens: a cookie is as good as none.
export default createApp('/', present, { takesCookies: false })
  .post('/api/mcp', answerPost(SERVER))
  .options('/api/mcp', preflight)
  .get('/api/mcp/sse', answerStream)
  .post('/api/mcp/sse', answerPost(SERVER))
  .options('/api/mcp/sse', preflight)
  .get('/.well-known/mcp', discover(SERVER))
  .options('/.well-known/mcp', preflightOf('GET'))
