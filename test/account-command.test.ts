import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { platform } from './platform.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

function create(args: string[], databaseUrl = platform().databaseUrl) {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const command = ['--import', 'tsx', 'dev/account.ts', ...args]
  const { status, stderr } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
  return { status, lines: stderr.trim().split('\n') }
}

describe('npm run account:create', () => {
  const who = ['--email', 'operator@example.com']
  const emptied = () => `${platform().databaseUrl}?options=-csearch_path%3Dpg_catalog`
  test.each([
    ['an option that is none', ['--emial', 'a@example.com'], undefined, /--emial.*Usage: /],
    ['no e-mail address', ['--plan', 'pro'], undefined, /--email: required\. Usage: /],
    ['a server that is not there', who, 'postgres://u:p@127.0.0.1:1/x', /DATABASE_URL cannot/],
    ['a database without tables', who, emptied, /npm run db:migrate/],
  ])(
    'says in one line what to do about %s',
    (_, args, database, said) => {
      const url = typeof database === 'function' ? database() : database
      const { status, lines } = create(args, url)
      expect([status, lines]).toEqual([1, [expect.stringMatching(said)]])
    },
    30_000,
  )
})
