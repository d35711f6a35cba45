import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#dev/loopback.ts'
import { createAccount, type TestAccount } from '../client.ts'
import { platform } from '../platform.ts'
import { missing, readSteps, STRICTLY } from '../readme.ts'
import { until } from './receiver.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const folder = mkdtempSync(path.join(tmpdir(), 'almanac-readme-'))
let account: TestAccount
let port: string
let receiver: ChildProcess
let printed = ''

/** Runs the receiver that README shows. */
beforeAll(async () => {
  account = await createAccount()
  port = String(await findFreePort())
  const code = /^```js\n([\s\S]*?)^```$/m.exec(README.split('## Receive events')[1]!)![1]!
  const file = path.join(folder, 'receiver.mjs')
  writeFileSync(file, code.replace('4000', port))
  receiver = spawn(process.execPath, [file])
  receiver.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk
  })
  await until(() => fetch(`http://localhost:${port}`).catch(() => undefined))
})
afterAll(() => {
  receiver.kill()
  rmSync(folder, { recursive: true, force: true })
})

const post = (body: string, signature?: string) =>
  fetch(`http://localhost:${port}`, {
    method: 'POST',
    body,
    headers: signature === undefined ? {} : { 'x-service-signature': signature },
  })

describe('README, Receive events', () => {
  it('gives the answers it shows, and its receiver prints what it was sent', async () => {
    const steps = readSteps('Receive events')
    const local = (text: string) => text.replaceAll(':4000', `:${port}`)
    const script = [
      `URL=${platform().url} KEY=${account.apiKey}`,
      ...steps.map(({ command }) => `${local(command)}\nprintf '\\036'`),
    ].join('\n')
    const run = spawnSync('bash', [...STRICTLY, script], { encoding: 'utf8' })
    expect(run.stderr).toBe('')
    const answers = run.stdout.split('\u001e')
    const faults = steps.flatMap(({ answer }, i) =>
      missing(JSON.parse(local(JSON.stringify(answer))), JSON.parse(answers[i]!), ''),
    )
    expect(faults).toEqual([])
    expect(steps).toHaveLength(2)
    await until(() => printed.includes('\n'))
    expect(printed).toMatch(/^[0-9a-f-]{36} SERVICE_BOOKING_CREATED\n$/)
  })

  it('its receiver refuses what is not signed, or wrongly', async () => {
    const before = printed
    const answers = await Promise.all([post('{}'), post('{}', 'abc'), post('{}', '0'.repeat(64))])
    expect(answers.map(a => a.status)).toEqual([401, 401, 401])
    expect(printed).toBe(before)
  })

  it('its receiver goes on when a request is cut off, as by a platform that is killed', async () => {
    const socket = connect(Number(port), 'localhost')
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{')
    await new Promise(resolve => setTimeout(resolve, 100))
    socket.destroy()
    await new Promise(resolve => setTimeout(resolve, 100))
    expect((await post('{}')).status).toBe(401)
  })
})
