import type { Readable } from 'node:stream'
import type { Miniflare } from 'miniflare'
import { matchesCron, startMinuteTicker } from './cron.ts'
import { Failure, messageOf } from './failure.ts'
import { findChildren, withoutSignalHandlers } from './processes.ts'
import { withV8Flags } from './v8-flags.ts'
import {
  type Bundle,
  type Bundler,
  createBundler,
  TOGETHER,
  type Wiring,
  type WorkerService,
  type WranglerConfig,
  workerOptions,
} from './workers.ts'

type Library = typeof import('miniflare')
type Answer = (request: Request) => Promise<Response>

/** What the functions are connected to. */
export interface RuntimeWiring {
  port: number
  bindings: Record<string, string>
  dev: Answer
  emulators: Answer
  /** Fires no cron trigger by itself: `runJob` is the only clock. */
  withoutTriggers?: boolean | undefined
  /** Told what was done, line by line. */
  log(line: string): void
  /** Told, in a line, that it ended and cannot be started again, or does not stay. */
  onLost?: ((line: string) => void) | undefined
}

/** Who ends so often has a lasting reason, which a person has to find. */
const MOST_DEATHS = { count: 3, milliseconds: 60_000 }

/** The functions in workerd, all in one process. */
export class Runtime {
  private bundle: Bundle = new Map()
  private wiring: Wiring | undefined
  private miniflare: Miniflare | undefined
  private stopTicker = () => {}
  /** What is to be done when workerd ends by itself. */
  private onEnd = () => {}
  /** Not while it starts: what ends it then is told by the start. */
  private isServing = false

  private constructor(
    private readonly config: WranglerConfig,
    private readonly onProcess: (pids: number[]) => void,
    private readonly bundler: Bundler,
    private readonly library: Library,
  ) {}

  /**
   * Builds the functions of a wrangler.toml; may run while the services they need are still
   * starting. `onProcess` is told the ids of the processes that run them, which outlive a killed
   * parent. `together` makes them one Worker, which is quick to replace.
   */
  static async prepare(
    config: WranglerConfig,
    onProcess: (pids: number[]) => void,
    together: boolean = false,
  ): Promise<Runtime> {
    const bundler = await createBundler(config, together)
    const runtime = new Runtime(config, onProcess, bundler, await import('miniflare'))
    try {
      runtime.bundle = await bundler.build()
      return runtime
    } catch (error) {
      await bundler.stop()
      throw error
    }
  }

  /** Puts the functions behind the port and begins to fire their cron triggers. */
  async run(wiring: RuntimeWiring): Promise<void> {
    const { port, bindings, dev, emulators } = wiring
    this.wiring = { port, bindings, dev: this.service(dev), emulators: this.service(emulators) }
    await withV8Flags(() => this.begin())
    this.onEnd = this.reviver(wiring)
    this.isServing = true
    if (!wiring.withoutTriggers)
      this.stopTicker = startTriggers(this.config, (...trigger) => this.schedule(...trigger))
  }

  private async begin(): Promise<void> {
    this.miniflare = await withoutSignalHandlers(
      async () => new this.library.Miniflare(this.options(this.bundle)),
    )
    await this.miniflare.ready
  }

  /**
   * Builds anew and replaces the running functions; they stay when the build fails or made no
   * difference (a test was edited). Tells whether they were replaced.
   */
  async reload(): Promise<boolean> {
    const bundle = await this.bundler.build()
    if (JSON.stringify([...bundle]) === JSON.stringify([...this.bundle])) return false
    this.bundle = bundle
    try {
      await this.startAnew()
    } catch {
      throw new Failure('The functions do not start, see above: none answers until that is mended')
    }
    return true
  }

  private async startAnew(): Promise<void> {
    this.isServing = false
    await withV8Flags(async () => this.miniflare?.setOptions(this.options(this.bundle)))
    this.isServing = true
  }

  /** Starts workerd again as often as it ends by itself, until that is too often. */
  private reviver({ log, onLost }: RuntimeWiring): () => void {
    let deaths: number[] = []
    const giveUp = (reason: string) => {
      onLost?.(
        `The Workers ended by themselves ${reason}: start again, nothing that was saved is lost`,
      )
    }
    return () => {
      const now = performance.now()
      deaths = [...deaths.filter(death => now - death < MOST_DEATHS.milliseconds), now]
      if (deaths.length > MOST_DEATHS.count) return giveUp(`${deaths.length} times within a minute`)
      log('the Workers ended by themselves: starting them again')
      this.startAnew().then(
        () => log('the Workers answer again'),
        error => giveUp(`and cannot be started again (${messageOf(error)})`),
      )
    }
  }

  /** Runs a job to its end as if it were `now`; answers `ok` or `exception`. */
  async runJob(job: string, now: Date): Promise<string> {
    const jobs = this.config.functions.find(({ key }) => key === 'jobs')
    if (!jobs) throw new Error('wrangler.toml has no [env.jobs]')
    return this.schedule(jobs.name, `job:${job}`, now)
  }

  async stop(): Promise<void> {
    this.stopTicker()
    this.isServing = false
    // What failed to start fails the same way when it is put away: that was said already.
    await this.miniflare?.dispose().catch(() => {})
    await this.bundler.stop()
  }

  private async schedule(worker: string, cron: string, scheduledTime: Date): Promise<string> {
    const fetcher = await this.miniflare?.getWorker(this.bundle.has(TOGETHER) ? TOGETHER : worker)
    return (await fetcher?.scheduled({ cron, scheduledTime }))?.outcome ?? 'exception'
  }

  private options(bundle: Bundle) {
    if (!this.wiring) throw new Error('The functions have no wiring yet')
    return {
      cf: false as const,
      log: new this.library.Log(this.library.LogLevel.ERROR),
      host: '127.0.0.1',
      workers: workerOptions(this.config, bundle, this.wiring),
      handleRuntimeStdio: (...outputs: Readable[]) => this.follow(outputs),
    }
  }

  /** Prints what a new workerd says. Its outputs end with it, but not when it is replaced or stopped. */
  private follow([stdout, stderr]: Readable[]): void {
    this.onProcess(findChildren('workerd'))
    stdout?.on('data', said => process.stdout.write(said))
    stderr?.on('data', said => process.stderr.write(said))
    stdout?.once('end', () => {
      if (this.isServing) this.onEnd()
    })
  }

  private service(answer: Answer): WorkerService {
    return async request => {
      const response = await answer(request as unknown as Request)
      return new this.library.Response(await response.arrayBuffer(), {
        status: response.status,
        headers: [...response.headers],
      })
    }
  }
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
