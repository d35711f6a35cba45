import { createApp } from '#lib/http/app.ts'
import { present } from '#lib/pages/error.tsx'
import { apiText } from './api.ts'
import { showDocs } from './page.tsx'

/** The description of the API, for people and for tools. */
export default createApp('/', present)
  .get('/docs', c => showDocs(c))
  .get('/openapi.json', async c =>
    c.body(await apiText(), 200, { 'content-type': 'application/json' }),
  )
