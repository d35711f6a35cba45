import { createApp } from '#lib/http/app.ts'
import { readText } from '#lib/http/body.ts'
import { present, requireKey } from '#lib/mcp/access.ts'

/** What any dispatcher here has around it: Hono, the key, the limit and the body. */
export default createApp('/', present).post('/api/mcp', async c => {
  await requireKey(c).admission()
  const text = await readText(c)
  return c.body(text, 200, { 'content-type': 'application/json' })
})
