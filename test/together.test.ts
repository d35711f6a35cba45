import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
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

  it('says of what compiles but does not start that nothing answers, until it is mended', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'almanac-together-'))
    const source = path.join(folder, 'web.ts')
    const configFile = path.join(folder, 'wrangler.toml')
    const env = '[env.web]\nname = "web"\nmain = "web.ts"\nroutes = [{ pattern = "x/*" }]\n'
    const code = (text: string) => `export default { fetch: () => new Response('${text}') }\n`
    writeFileSync(configFile, `compatibility_date = "2026-01-01"\n${env}`)
    writeFileSync(source, code('first'))
    const lost: string[] = []
    const onLost = (line: string) => lost.push(line)
    const small = await startOther({ together: true, configFile, onLost })
    const said = async () => (await fetch(`${small.url}/`)).text()
    expect(await said()).toBe('first')
    writeFileSync(source, `${code('second')}throw new Error('of a test')\n`)
    await expect(small.reload()).rejects.toThrow(/^The functions do not start, see above/)
    writeFileSync(source, code('third'))
    expect(await small.reload()).toBe(true)
    expect(await said()).toBe('third')
    expect(lost).toEqual([])
    await small.stop()
    rmSync(folder, { recursive: true })
  })
})
