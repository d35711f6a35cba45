import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { Failure } from './failure.ts'

/** What the thread is given. `trips` counts the requests that it has answered. */
export interface RedisThreadOptions {
  token: string
  redisUrl?: string | undefined
  trips: Int32Array
}

/** What the thread is told. */
export type ToThread = { kind: 'stop' } | { kind: 'order'; id: number; body: string }
/** What the thread answers. */
export type FromThread =
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; message: string; forPeople: boolean }
  | { kind: 'ordered'; id: number; status: number; body: string }
  | { kind: 'stopped' }

/** Redis's REST interface, running beside us. */
export interface RedisThread {
  url: string
  /** Requests since the start; a pipeline is one. */
  trips(): number
  /** Orders a fault (dev/redis-fault.ts). */
  order(request: Request): Promise<Response>
  stop(): Promise<void>
}

/** A thread cannot load TypeScript by itself, whoever loads it for the main one. */
async function bundleWorker(): Promise<string> {
  const built = await build({
    entryPoints: [fileURLToPath(new URL('./redis-worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  })
  return built.outputFiles[0]?.text ?? ''
}

/**
 * Starts Redis's REST interface in a thread of its own. Rate limits wait 250 ms for it at most, so it
 * must not stand in a queue behind the SQL that this process carries.
 */
export async function startRedisThread(options: {
  token: string
  redisUrl?: string | undefined
  /** Told, in a line, that the thread ended without having been asked to. */
  onLost?: ((line: string) => void) | undefined
}): Promise<RedisThread> {
  const trips = new Int32Array(new SharedArrayBuffer(4))
  const { token, redisUrl } = options
  const workerData: RedisThreadOptions = { token, redisUrl, trips }
  const worker = new Worker(await bundleWorker(), { eval: true, workerData })
  const waiting = new Map<number, (answer: Response) => void>()
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  let orders = 0
  const url = await new Promise<string>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') resolve(message.url)
      else if (message.kind === 'failed')
        reject(message.forPeople ? new Failure(message.message) : new Error(message.message))
      else if (message.kind === 'ordered') {
        const { id, status, body } = message
        const headers = { 'content-type': 'application/json' }
        waiting.get(id)?.(new Response(body, { status, headers }))
        waiting.delete(id)
      }
    })
  }).catch(async error => {
    await worker.terminate()
    throw error
  })
  const onExit = () => options.onLost?.('Redis ended by itself: start again, nothing is lost')
  worker.once('exit', onExit)
  const send = (message: ToThread) => worker.postMessage(message)
  return {
    url,
    trips: () => Atomics.load(trips, 0),
    async order(request) {
      const id = orders++
      const body = await request.text()
      return new Promise(resolve => {
        waiting.set(id, resolve)
        send({ kind: 'order', id, body })
      })
    },
    stop() {
      worker.off('exit', onExit)
      send({ kind: 'stop' })
      return ended
    },
  }
}
