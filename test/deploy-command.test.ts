import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from './source.ts'

describe('npm run deploy', () => {
  it('refuses a DOMAIN that is no name, before anything is built', () => {
    for (const domain of ['https://book.example.org', 'book.example.org/', 'book', 'book .org']) {
      const run = spawnSync(
        process.execPath,
        ['--import', 'tsx', 'dev/deploy.ts', 'docs', '--dry-run'],
        {
          cwd: ROOT,
          env: { ...process.env, DOMAIN: domain },
          encoding: 'utf8',
        },
      )
      expect([run.status, run.stdout]).toEqual([1, ''])
      expect(run.stderr).toMatch(/^DOMAIN is a name such as book\.example\.org, without .*\n$/)
    }
  })
})
