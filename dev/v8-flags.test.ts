import childProcess from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findFreePort } from './loopback.ts'
import { Runtime } from './runtime.ts'
import { withV8Flags } from './v8-flags.ts'

/** A Worker that tells whether V8 was started with `--expose-gc`. */
const SCRIPT = 'export default { fetch: () => new Response(typeof gc) }'

async function typeOfGc(flags: string[]): Promise<string> {
  const miniflare = new Miniflare({ modules: true, script: SCRIPT })
  try {
    await withV8Flags(() => miniflare.ready, flags)
    return await (await miniflare.dispatchFetch('http://localhost')).text()
  } finally {
    await miniflare.dispose()
  }
}

/** What the programs that are spawned from now on are written to their standard input. */
function spyOnInput(): Uint8Array[] {
  const written: Uint8Array[] = []
  const { spawn } = childProcess
  vi.spyOn(childProcess, 'spawn').mockImplementation(((...spawned: Parameters<typeof spawn>) => {
    const child = spawn(...spawned)
    const write = child.stdin?.write.bind(child.stdin)
    if (child.stdin && write)
      child.stdin.write = (chunk: Uint8Array) => {
        written.push(chunk)
        return write(chunk)
      }
    return child
  }) as typeof spawn)
  return written
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('withV8Flags', () => {
  it('starts V8 with each of the flags', async () => {
    expect(await typeOfGc(['--expose-gc'])).toBe('function')
    expect(await typeOfGc(['--single-threaded-gc', '--stack-size=900', '--expose-gc'])).toBe(
      'function',
    )
    expect(await typeOfGc(['--single-threaded-gc'])).toBe('undefined')
  })
  it('leaves other programs, and those that are started later, as they are', async () => {
    const { spawn } = childProcess
    const echo = (text: string) =>
      new Promise<string>(resolve => {
        const child = childProcess.spawn('cat', [])
        child.stdout.once('data', data => resolve(String(data)))
        child.stdin.end(text)
      })
    expect(await withV8Flags(() => echo('as it was'))).toBe('as it was')
    expect(childProcess.spawn).toBe(spawn)
  })
})

describe('the functions', () => {
  it('run in a process whose collections wait for no other thread', async () => {
    const written = spyOnInput()
    const main = fileURLToPath(new URL('gateway.ts', import.meta.url))
    const one = { key: 'one', name: 'one', main, paths: ['/*'], crons: [], vars: {} }
    const root = fileURLToPath(new URL('..', import.meta.url))
    const config = { root, compatibilityDate: '2026-04-01', functions: [one] }
    const runtime = await Runtime.prepare(config, () => {})
    const answer = async () => new Response()
    const port = await findFreePort()
    try {
      await runtime.run({ port, bindings: {}, dev: answer, emulators: answer, log() {} })
      const texts = written.map(chunk => Buffer.from(chunk).toString('latin1'))
      expect(texts.filter(text => text.includes('--single-threaded-gc\0'))).toHaveLength(1)
    } finally {
      await runtime.stop()
    }
  })
})
