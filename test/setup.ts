import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPlatform } from '#dev/platform.ts'

declare module 'vitest' {
  interface ProvidedContext {
    platform: { url: string; databaseUrl: string; bindings: Record<string, string> }
  }
}

/** Starts one platform with an empty database for all tests; ends it after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-test-'))
  const platform = await startPlatform({ dataDir, port: 0, ephemeral: true })
  const { url, databaseUrl, bindings, emulators } = platform
  project.provide('platform', { url, databaseUrl, bindings })
  return async () => {
    await platform.stop()
    rmSync(dataDir, { recursive: true, force: true })
    const { violations } = emulators
    // A test that breaks a contract on purpose takes its violations back.
    if (violations.length > 0)
      throw new Error(`Provider contracts were broken:\n${JSON.stringify(violations, null, 2)}`)
  }
}
