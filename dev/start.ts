import { existsSync } from 'node:fs'
import { Failure, runCommand } from './failure.ts'
import { type Platform, startPlatform } from './platform.ts'
import type { Seed } from './seeding.ts'
import { watchSources } from './watch.ts'

// npm start, npm run dev (with --watch): the whole product on one port.
await runCommand(async () => {
  const began = performance.now()
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  const log = (line: string) => console.log(`${seconds().padStart(6)}  ${line}`)
  const watching = process.argv.includes('--watch')
  let stopping = false
  let platform: Platform | undefined
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    await platform?.stop()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // Before the platform stands, what has started dies with this process.
      if (platform) stop(0)
      else process.exit(130)
    })
  platform = await startPlatform({
    dataDir: process.env.DATA_DIR || '.data',
    port: readPort(process.env.PORT),
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    seed: await findSeed(),
    together: watching,
    log,
    onLost(line) {
      if (stopping) return
      console.error(line)
      stop(1)
    },
  })
  if (watching) watchSources(platform, log)
  log('Ctrl-C stops everything')
  console.log(`ready ${platform.url}`)
})

function readPort(text: string | undefined): number {
  const port = Number(text || 8787)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Failure(`PORT must be a number from 0 to 65535, not ${text}`)
}

async function findSeed(): Promise<Seed | undefined> {
  const file = new URL('./seed.ts', import.meta.url)
  if (!existsSync(file)) return undefined
  const module = (await import(file.href)) as { seed: Seed }
  return module.seed
}
