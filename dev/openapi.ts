import { writeFileSync } from 'node:fs'
import { API_DOCUMENT, writeApiDocument } from './api-document.ts'
import { runCommand } from './failure.ts'

// npm run openapi: writes down the API as the route tables have it now.
await runCommand(async () => {
  writeFileSync(API_DOCUMENT, await writeApiDocument())
  console.log(`Wrote ${API_DOCUMENT}`)
})
