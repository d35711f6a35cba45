import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { JOBS } from '#functions/jobs/names.ts'
import { answerControl } from './control.ts'
import { claimDataFolder, type DataFolder, readSecret } from './data-folder.ts'
import { postgresFolder } from './database.ts'
import { createCloudflareDns } from './emulators/cloudflare-dns.ts'
import { createDaily } from './emulators/daily.ts'
import { EmulatorHost } from './emulators/host.ts'
import { createResend } from './emulators/resend.ts'
import { createTwilio } from './emulators/twilio.ts'
import { Failure } from './failure.ts'
import { findFreePort, portTaken, requireFreePort } from './loopback.ts'
import { Mailbox } from './mailbox.ts'
import { startNeonEndpoint } from './neon.ts'
import { startPostgres } from './postgres.ts'
import { startRedisThread } from './redis-thread.ts'
import { Runtime } from './runtime.ts'
import { migrateUnlessHalfSeeded, type Seed, seedWhenEmpty } from './seeding.ts'
import { readWranglerConfig } from './workers.ts'

/** How to start the platform. */
export interface PlatformOptions {
  /** The folder of all state; made when missing. */
  dataDir: string
  /** 0 takes a free one. */
  port: number
  /** Nothing has to survive a crash. For tests. */
  ephemeral?: boolean
  /** Jobs run when they are fired, not by the minute. For tests that bring their own time. */
  withoutTriggers?: boolean
  /** A Postgres to use instead of the packaged one. */
  databaseUrl?: string
  /** A Redis to use instead of the built-in one. */
  redisUrl?: string
  /** Runs when the database is empty. */
  seed?: Seed
  /** Told what was done, line by line. */
  log?(line: string): void
  /** Told, in a line, what ended by itself that nothing works without. */
  onLost?(line: string): void
  /** The functions are one Worker, which is quick to replace. For development. */
  together?: boolean
  /** Another wrangler.toml and other migrations than the project's. */
  configFile?: string
  migrationsFolder?: string
}

/** The running product. */
export interface Platform {
  url: string
  databaseUrl: string
  bindings: Record<string, string>
  emulators: EmulatorHost
  mailbox: Mailbox
  /** Requests to the database and to Redis since the start. */
  stats(): { sqlTrips: number; redisTrips: number }
  /** Puts changed functions in place of the running ones; false when nothing has changed. */
  reload(): Promise<boolean>
  stop(): Promise<void>
}

type Stoppers = (() => unknown)[]

/**
 * Starts Postgres, the SQL and Redis endpoints, the emulators and all functions behind one port;
 * migrates, and seeds when the database is empty. Fails with a Failure that says what to do, and
 * leaves nothing running then.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const stoppers: Stoppers = []
  const stop = async () => {
    for (const stopper of stoppers.splice(0).reverse()) await stopper()
  }
  try {
    return await start(options, stoppers, stop)
  } catch (error) {
    await stop()
    throw explain(error, options)
  }
}

/** What the operating system refused (a file that is a folder, a full disk) is for the person. */
function explain(error: unknown, { dataDir, port }: PlatformOptions): unknown {
  // Another program took the port after we had found it free.
  if ((error as { code?: unknown } | null)?.code === 'ERR_ADDRESS_IN_USE') return portTaken(port)
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new Failure(
    `The platform cannot start: ${error.message}. Look at that place, or delete ${path.resolve(dataDir)} to begin with an empty database`,
  )
}

async function start(
  options: PlatformOptions,
  stoppers: Stoppers,
  stop: () => Promise<void>,
): Promise<Platform> {
  const port = options.port || (await findFreePort())
  const folder = await claimDataFolder(options.dataDir)
  stoppers.push(folder.release)
  await requireFreePort(port)
  const log = options.log ?? (() => {})
  const url = `http://localhost:${port}`
  const secret = readSecret(folder)
  const mailbox = new Mailbox(options.ephemeral ? undefined : folder.file('messages.jsonl'))
  const emulators = emulatorsOf(mailbox)
  const configFile =
    options.configFile ?? fileURLToPath(new URL('../wrangler.toml', import.meta.url))
  const config = readWranglerConfig(configFile)
  const preparing = Runtime.prepare(config, folder.rememberProcesses, options.together)
  stoppers.push(() =>
    preparing.then(
      runtime => runtime.stop(),
      () => {},
    ),
  )
  const [services, runtime] = await allSettled([
    startServices(options, folder, secret, stoppers, log),
    preparing,
  ])

  const bindings = {
    ...services.bindings,
    ...PROVIDERS,
    PUBLIC_URL: url,
    DELIVERIES_AT_ONCE: '48',
    APP_SECRET: secret,
  }
  const { databaseUrl, stats, redis } = services
  const runJob = (job: string, now: Date) => runtime.runJob(job, now)
  const target = { mailbox, emulators, jobs: JOBS, runJob, redis, stats }
  await runtime.run({
    port,
    bindings,
    dev: request => answerControl(target, request),
    emulators: request => emulators.fetch(request),
    withoutTriggers: options.withoutTriggers,
    log,
    onLost: options.onLost,
  })
  log(`functions answer at ${url}`)
  const reload = () => runtime.reload()
  const platform = { url, databaseUrl, bindings, emulators, mailbox, stats, reload, stop }
  if (options.seed) await seedWhenEmpty(options.seed, platform, folder, log)
  return platform
}

/** Settings that the emulators take. */
const PROVIDERS = {
  RESEND_API_KEY: 're_local',
  EMAIL_FROM: 'Almanac <no-reply@almanac.test>',
  DAILY_API_KEY: 'local',
  DAILY_DOMAIN: 'almanac-local',
  DAILY_WEBHOOK_SECRET: 'bG9jYWwgc2VjcmV0IG9mIHRoZSB3ZWJob29r',
  TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
  TWILIO_AUTH_TOKEN: 'local',
  TWILIO_FROM: '+15005550006',
  TWILIO_WHATSAPP_FROM: '+14155238886',
}

/** What answers the Workers' requests to providers. */
function emulatorsOf(mailbox: Mailbox): EmulatorHost {
  const context = { mailbox, now: () => new Date() }
  return new EmulatorHost([
    createResend(context),
    createTwilio(context),
    createDaily(context),
    createCloudflareDns(),
  ])
}

/** Waits for all, so that nothing is still starting when a failure stops the rest. */
async function allSettled<A, B>(work: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}

async function startServices(
  options: PlatformOptions,
  folder: DataFolder,
  secret: string,
  stoppers: Stoppers,
  log: (line: string) => void,
) {
  const databaseUrl = await openDatabase(options, folder, stoppers, log)
  const count = await migrateUnlessHalfSeeded(options, databaseUrl, folder, log)
  log(count > 0 ? `ran ${count} migration(s)` : 'the schema is up to date')
  const neon = await startNeonEndpoint({ databaseUrl, password: secret })
  stoppers.push(neon.stop)
  const { redisUrl, onLost } = options
  const redis = await startRedisThread({ token: secret, redisUrl, onLost })
  stoppers.push(redis.stop)
  log(redisUrl ? 'Redis of REDIS_URL is connected' : 'built-in Redis is ready')
  return {
    databaseUrl,
    redis,
    stats: () => ({ sqlTrips: neon.trips(), redisTrips: redis.trips() }),
    bindings: {
      DATABASE_URL: neon.connectionString,
      NEON_FETCH_ENDPOINT: neon.url,
      UPSTASH_REDIS_REST_URL: redis.url,
      UPSTASH_REDIS_REST_TOKEN: secret,
    },
  }
}

async function openDatabase(
  options: PlatformOptions,
  folder: DataFolder,
  stoppers: Stoppers,
  log: (line: string) => void,
): Promise<string> {
  if (options.databaseUrl) return options.databaseUrl
  const dataDir = postgresFolder(folder.path)
  const { ephemeral, onLost } = options
  const postgres = await startPostgres({ dataDir, ephemeral, onLost })
  stoppers.push(postgres.stop)
  log(`Postgres runs on ${path.relative('.', dataDir)}`)
  return postgres.url
}
