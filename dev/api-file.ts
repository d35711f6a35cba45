import { fileURLToPath } from 'node:url'

/** Where the description of the API is kept: its pages are bundled with it, not with every table. */
export const API_DOCUMENT = fileURLToPath(
  new URL('../functions/docs/openapi.json', import.meta.url),
)
