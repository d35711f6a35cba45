import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Platform, startPlatform } from '#dev/platform.ts'

/** A platform that no other test file shares, on which time passes only when a job is fired. */
export interface OwnPlatform extends Platform {
  /** Runs a job to its end as if it were `now`. */
  fireJob(job: string, now?: Date): Promise<void>
}

/** Starts one, with an empty database; `stop` takes everything away again. */
export async function startOwnPlatform(): Promise<OwnPlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-own-'))
  const platform = await startPlatform({
    ...{ dataDir, port: 0 },
    ephemeral: true,
    withoutTriggers: true,
  })
  return {
    ...platform,
    async fireJob(job, now = new Date()) {
      const url = `${platform.url}/_dev/cron/${job}?now=${now.toISOString()}`
      const answer = await fetch(url, { method: 'POST' })
      if (!answer.ok) throw new Error(`Job ${job}: ${answer.status} ${await answer.text()}`)
    },
    async stop() {
      await platform.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
