import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missing, readSteps, STRICTLY } from './readme.ts'
import { type SpawnedPlatform, spawnPlatform } from './spawned.ts'

const root = path.resolve(import.meta.dirname, '..')
let platform: SpawnedPlatform

beforeAll(async () => {
  platform = await spawnPlatform()
}, 120_000)
afterAll(() => platform.stop())

describe('npm start', () => {
  test('writes demo.json with a free, a pro and an enterprise account, each with staff', () => {
    const { baseUrl, accounts } = platform.demo()
    expect(baseUrl).toBe(platform.url)
    expect(accounts.map(a => a.plan)).toEqual(['free', 'pro', 'enterprise'])
    for (const a of accounts) {
      expect(a.apiKey).toMatch(/^cal_[\w-]{43}$/)
      expect(a.staff.apiKey).toMatch(/^cal_[\w-]{43}$/)
    }
  })

  test('the walk-through of README gives the answers it shows', () => {
    const steps = readSteps('Book an appointment')
    const script = steps
      .map(({ command }) => `${command}\nprintf '\\n\\036'`)
      .join('\n')
      .replaceAll('http://localhost:8787', platform.url)
      .replaceAll('./.data/demo.json', `${platform.dataDir}/demo.json`)
    const day = '\nprintf \'%s\' "$DAY"'
    const run = spawnSync('bash', [...STRICTLY, script + day], { encoding: 'utf8', cwd: root })
    expect(run.stderr).toBe('')
    const answers = run.stdout.split('\u001e')
    const bookedOn = answers.at(-1)!
    expect(bookedOn).toMatch(/^\d{4}-\d\d-\d\d$/)
    const faults = steps.flatMap(({ answer }, i) =>
      answer === undefined ? [] : missing(answer, JSON.parse(answers[i]!), bookedOn, `step ${i}`),
    )
    expect(faults).toEqual([])
    expect(steps.filter(s => s.answer !== undefined).length).toBeGreaterThanOrEqual(6)
  })

  test('account:create makes an account while the platform runs, within seconds', async () => {
    const began = performance.now()
    const email = `new.${Date.now()}@example.com`
    const args = ['--import', 'tsx', 'dev/account.ts', '--email', email, '--plan', 'pro']
    const run = spawnSync(process.execPath, args, {
      cwd: root,
      env: platform.env,
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    const account = JSON.parse(run.stdout.trim().split('\n').at(-1)!) as { apiKey: string }
    const headers = { 'cal-api-key': account.apiKey }
    const answer = await fetch(`${platform.url}/api/services/company-settings`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('120')
    expect(performance.now() - began).toBeLessThan(15_000)
    const again = spawnSync(process.execPath, args, {
      cwd: root,
      env: platform.env,
      encoding: 'utf8',
    })
    expect(again.status).toBe(1)
    expect(again.stderr.trim().split('\n')).toHaveLength(1)
  }, 30_000)

  test('a second start on the same folder ends with one line and exit code 1', () => {
    const args = ['--import', 'tsx', 'dev/start.ts']
    const { env } = platform
    const run = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
    expect([run.status, run.stdout]).toEqual([1, ''])
    expect(run.stderr.trim()).toMatch(/^\S+ is in use by process \d+: stop that one, or .*$/)
  })

  test('Ctrl-C stops it with exit code 0', async () => {
    expect(await platform.interrupt()).toBe(0)
    await expect(fetch(`${platform.url}/health`)).rejects.toThrow()
  })
})
