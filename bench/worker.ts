import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { findFreePort } from '#dev/loopback.ts'
import { findChildren, withoutSignalHandlers } from '#dev/processes.ts'
import { createBundler, FOR_WORKERS, readWranglerConfig } from '#dev/workers.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The project's own wrangler.toml. */
export const CONFIG = readWranglerConfig(path.join(ROOT, 'wrangler.toml'))

/** The least that a Worker can be. */
export const HELLO = "export default { fetch: () => new Response('none', { status: 404 }) }"

/** A Worker's code, built as the local platform builds it. `main` is relative to the project. */
export async function bundleWorker(main: string): Promise<string> {
  const fn = {
    key: 'main',
    name: 'main',
    main: path.join(ROOT, main),
    paths: [],
    crons: [],
    vars: {},
  }
  const bundler = await createBundler({ ...CONFIG, functions: [fn] })
  try {
    return (await bundler.build()).get('main') ?? ''
  } finally {
    await bundler.stop()
  }
}

/** A Worker's code as it is deployed: minified, and without what only the local platform has. */
export async function bundleDeployed(main: string): Promise<string> {
  const { outputFiles } = await build({
    ...FOR_WORKERS,
    absWorkingDir: ROOT,
    entryPoints: [main],
    minify: true,
    define: { LOCAL_PLATFORM: 'false' },
  })
  return outputFiles[0]!.text
}

/** One Worker alone in its workerd, reached without a gateway. */
export interface RunningWorker {
  port: number
  pid: number
  stop(): Promise<void>
}

const TRIES = 3

/** Starts a Worker; its outbound requests go straight to where they are addressed. */
export async function startWorker(
  code: string,
  bindings: Record<string, unknown>,
): Promise<RunningWorker> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startAt(await findFreePort(), code, bindings)
    } catch (error) {
      // A port that is free is taken now and then by a connection of the bench's own.
      const isTaken = error instanceof Error && Reflect.get(error, 'code') === 'ERR_ADDRESS_IN_USE'
      if (!isTaken || attempt === TRIES) throw error
    }
  }
}

async function startAt(
  port: number,
  code: string,
  bindings: Record<string, unknown>,
): Promise<RunningWorker> {
  const before = new Set(findChildren('workerd'))
  const miniflare = await withoutSignalHandlers(
    async () =>
      new Miniflare({
        cf: false,
        log: new Log(LogLevel.ERROR),
        name: 'main',
        modulesRoot: '/',
        modules: [{ type: 'ESModule', path: '/main.js', contents: code }],
        compatibilityDate: CONFIG.compatibilityDate,
        stripCfConnectingIp: false,
        bindings: bindings as Record<string, string>,
        unsafeDirectSockets: [{ host: '127.0.0.1', port }],
      }),
  )
  await miniflare.ready
  const pid = findChildren('workerd').find(child => !before.has(child))
  if (pid === undefined) throw new Error('The process of a Worker was not found')
  return { port, pid, stop: () => miniflare.dispose() }
}

/** The CPU time that a process has used so far, in microseconds; NaN where /proc is missing. */
export function cpuMicroseconds(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map(thread =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return times.reduce((sum, time) => sum + time, 0) / 1000
  } catch {
    return Number.NaN
  }
}
