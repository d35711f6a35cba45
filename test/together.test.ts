import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client, createAccount } from './client.ts'
import { type OwnPlatform, startOther } from './own-platform.ts'

let platform: OwnPlatform
beforeAll(async () => {
  platform = await startOther({ together: true })
})
afterAll(() => platform.stop())

describe('npm run dev, where all functions are one Worker', () => {
  it('answers at the paths of each function, and runs jobs', async () => {
    const { apiKey } = await createAccount('pro', {}, platform)
    const mine = client(apiKey, platform.url)
    for (const path of ['services', 'appointments', 'customers', 'invoices', 'insights'])
      expect((await mine.get(`/api/services/${path}`)).status, path).toBe(200)
    for (const path of ['/signin', '/docs', '/.well-known/mcp'])
      expect((await fetch(platform.url + path)).status, path).toBe(200)
    expect((await mine.get('/api/none')).status).toBe(404)
    await platform.fireJob('reminders')
  })

  it('leaves them as they are when nothing has changed', async () => {
    expect(await platform.reload()).toBe(false)
  })
})
