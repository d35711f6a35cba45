import type { Miniflare as MiniflareType } from 'miniflare'
import { matchesCron, startMinuteTicker } from './cron.ts'
import { messageOf } from './failure.ts'
import { findChildren, withoutSignalHandlers } from './processes.ts'
import {
  type Bundle,
  createBundler,
  type WorkerService,
  type WranglerConfig,
  workerOptions,
} from './workers.ts'

type Answer = (request: Request) => Promise<Response>

/** What the functions are connected to. */
export interface RuntimeWiring {
  port: number
  bindings: Record<string, string>
  dev: Answer
  emulators: Answer
}

/** The functions in workerd, all in one process. */
export interface Runtime {
  /** Builds the functions; may run while the services they need are still starting. */
  prepare(): Promise<void>
  /** Puts the functions behind the port and begins to fire their cron triggers. */
  run(wiring: RuntimeWiring): Promise<void>
  /** Builds anew and replaces the running functions. */
  reload(): Promise<void>
  /** Runs a job to its end as if it were `now`; `ok` or `exception`. */
  runJob(job: string, now: Date): Promise<string>
  stop(): Promise<void>
}

/**
 * Prepares the functions of a wrangler.toml. `onProcess` is told the ids of the processes that run
 * them, which outlive a killed parent.
 */
export async function startRuntime(
  config: WranglerConfig,
  onProcess: (pids: number[]) => void,
): Promise<Runtime> {
  const bundler = await createBundler(config)
  // Loaded late: it is large, and the database starts meanwhile.
  const { Miniflare, Log, LogLevel, Response: WorkerResponse } = await import('miniflare')
  const log = new Log(LogLevel.ERROR)
  let bundle: Bundle
  let wiring: Parameters<typeof workerOptions>[2]
  let miniflare: MiniflareType | undefined
  let stopTicker = () => {}

  const toService =
    (answer: Answer): WorkerService =>
    async request => {
      const response = await answer(request as unknown as Request)
      return new WorkerResponse(await response.arrayBuffer(), {
        status: response.status,
        headers: [...response.headers],
      })
    }
  const options = () => ({
    cf: false as const,
    log,
    host: '127.0.0.1',
    workers: workerOptions(config, bundle, wiring),
  })
  const schedule = async (worker: string, cron: string, scheduledTime: Date) => {
    const fetcher = await miniflare?.getWorker(worker)
    return (await fetcher?.scheduled({ cron, scheduledTime }))?.outcome ?? 'exception'
  }

  return {
    async prepare() {
      bundle = await bundler.build()
    },
    async run({ port, bindings, dev, emulators }) {
      wiring = { port, bindings, dev: toService(dev), emulators: toService(emulators) }
      miniflare = await withoutSignalHandlers(async () => new Miniflare(options()))
      await miniflare.ready
      onProcess(findChildren('workerd'))
      stopTicker = startTriggers(config, schedule)
    },
    async reload() {
      bundle = await bundler.build()
      await miniflare?.setOptions(options())
      onProcess(findChildren('workerd'))
    },
    runJob: (job, now) => schedule(jobsWorker(config), `job:${job}`, now),
    async stop() {
      stopTicker()
      await miniflare?.dispose()
      await bundler.stop()
    },
  }
}

function jobsWorker(config: WranglerConfig): string {
  const jobs = config.functions.find(({ key }) => key === 'jobs')
  if (!jobs) throw new Error('wrangler.toml has no [env.jobs]')
  return jobs.name
}

/** Fires each trigger in the minutes it matches, unless its last run has not ended yet. */
function startTriggers(
  config: WranglerConfig,
  schedule: (worker: string, cron: string, minute: Date) => Promise<string>,
): () => void {
  const running = new Set<string>()
  const triggers = config.functions.flatMap(({ name, crons }) =>
    crons.map(cron => ({ name, cron, key: `${name} ${cron}` })),
  )
  return startMinuteTicker(minute => {
    for (const { name, cron, key } of triggers) {
      if (running.has(key) || !matchesCron(cron, minute)) continue
      running.add(key)
      schedule(name, cron, minute)
        .then(outcome => {
          if (outcome !== 'ok') console.error(`The trigger ${cron} of ${name} failed`)
        })
        .catch(error => console.error(`The trigger ${cron} of ${name}: ${messageOf(error)}`))
        .finally(() => running.delete(key))
    }
  })
}
