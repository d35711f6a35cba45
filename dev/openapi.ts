import { writeFileSync } from 'node:fs'
import { writeApiDocument } from './api-document.ts'
import { API_DOCUMENT } from './api-file.ts'
import { runCommand } from './failure.ts'

// npm run openapi: writes down the API as the route tables have it now.
await runCommand(async () => {
  writeFileSync(API_DOCUMENT, await writeApiDocument())
  console.log(`Wrote ${API_DOCUMENT}`)
})
