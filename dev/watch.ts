import { existsSync, watch } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { messageOf } from './failure.ts'
import type { Platform } from './platform.ts'

const SOURCES = ['functions', 'lib', 'drizzle/schema']

/** An editor writes a file in several steps; they are one change. */
const QUIET_MILLISECONDS = 25

/**
 * Puts changed functions in place as soon as they are saved. Code that does not compile is
 * reported and the last good functions stay.
 */
export function watchSources(platform: Platform, log: (line: string) => void): void {
  let timer: NodeJS.Timeout | undefined
  let reloading = Promise.resolve()
  const reload = async () => {
    const began = performance.now()
    try {
      if (await platform.reload()) log(`reloaded in ${Math.round(performance.now() - began)} ms`)
    } catch (error) {
      log(messageOf(error))
    }
  }
  for (const source of SOURCES) {
    const folder = fileURLToPath(new URL(`../${source}`, import.meta.url))
    if (!existsSync(folder)) continue
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        reloading = reloading.then(reload)
      }, QUIET_MILLISECONDS)
    })
  }
  log(`watching ${SOURCES.join(', ')}`)
}
