import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SERVER } from '#functions/mcp/server.ts'
import { createAccount } from '../client.ts'
import { platform } from '../platform.ts'
import { missing, readSteps, STRICTLY } from '../readme.ts'
import { listTools, type Sender } from './rpc.ts'

const HEADING = 'Connect an assistant'
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = README.split(/^## /m).find(part => part.startsWith(HEADING)) ?? ''

interface Config {
  mcpServers: { almanac: { type: string; url: string; headers: Record<string, string> } }
}

describe('README, Connect an assistant', () => {
  it('its command gives the answer that it shows', async () => {
    const { apiKey } = await createAccount()
    const steps = readSteps(HEADING)
    expect(steps).toHaveLength(1)
    const script = `URL=${platform().url} KEY=${apiKey}\n${steps[0]!.command}`
    const run = spawnSync('bash', [...STRICTLY, script], { encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(missing(steps[0]!.answer, JSON.parse(run.stdout), '')).toEqual([])
  })

  it('its configuration leads to the tools', async () => {
    const { apiKey } = await createAccount()
    const code = /^```jsonc\n([\s\S]*?)^```$/m.exec(section)![1]!
    const { almanac } = (JSON.parse(code) as Config).mcpServers
    const { pathname } = new URL(almanac.url)
    const authorization = almanac.headers.Authorization!.replace('YOUR_KEY', apiKey)
    const sender: Sender = { path: pathname, headers: { authorization } }
    expect(await listTools(sender)).toHaveLength(73)
  })

  it('names every toolset', () => {
    for (const toolset of SERVER.toolbox.toolsets) expect(section).toContain(`\`${toolset}\``)
  })
})
