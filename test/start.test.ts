import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '#dev/loopback.ts'
import { missing, readSteps } from './readme.ts'

const root = path.resolve(import.meta.dirname, '..')
const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-start-'))
const env = { ...process.env, DATA_DIR: dataDir, PORT: '' }
let running: ChildProcess | undefined
let url = ''

/** Runs what `npm start` runs, in a process group of its own, until it says that it is ready. */
async function start(): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'dev/start.ts'], {
    cwd: root,
    env,
    detached: true,
  })
  running = child
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (/^ready /m.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => reject(new Error(`npm start ended with ${code}: ${output}`)))
  })
  return output
}

/** Ends it and waits until it is gone. */
function end(signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> {
  const child = running!
  running = undefined
  return new Promise(resolve => {
    child.once('exit', resolve)
    process.kill(signal === 'SIGKILL' ? -child.pid! : child.pid!, signal)
  })
}

const demo = () =>
  JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as {
    baseUrl: string
    accounts: { plan: string; apiKey: string; staff: { apiKey: string } }[]
    oauth: Record<
      'confidential' | 'public' | 'unapproved',
      { clientId: string; clientSecret?: string; redirectUri: string }
    >
  }

beforeAll(async () => {
  env.PORT = String(await findFreePort())
  url = `http://localhost:${env.PORT}`
  await start()
}, 60_000)

afterAll(async () => {
  if (running) await end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

describe('npm start', () => {
  test('writes demo.json with a free, a pro and an enterprise account, each with staff', () => {
    const { baseUrl, accounts } = demo()
    expect(baseUrl).toBe(url)
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
      .replaceAll('http://localhost:8787', url)
      .replaceAll('./.data/demo.json', `${dataDir}/demo.json`)
    const day = '\nprintf \'%s\' "$DAY"'
    const run = spawnSync('bash', ['-euc', script + day], { encoding: 'utf8', cwd: root })
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

  test('kill -9 loses nothing that was acknowledged, and the next start recovers', async () => {
    const key = demo().accounts[2]!.apiKey
    const headers = { 'cal-api-key': key, 'content-type': 'application/json' }
    const made: number[] = []
    const work = (async () => {
      for (let n = 0; ; n++) {
        const body = JSON.stringify({ name: `Acknowledged ${n}` })
        const init = { method: 'POST', headers, body }
        const answer = await fetch(`${url}/api/services/categories`, init).catch(() => undefined)
        if (!answer) return
        if (answer.status === 201) made.push(((await answer.json()) as { id: number }).id)
      }
    })()
    await new Promise(resolve => setTimeout(resolve, 500))
    await end('SIGKILL')
    await work
    expect(made.length).toBeGreaterThan(3)
    const output = await start()
    expect(output).not.toMatch(/filling it with a demo/)
    for (const id of made.slice(-20)) {
      const answer = await fetch(`${url}/api/services/categories?id=${id}`, { headers })
      expect(answer.status).toBe(200)
    }
  }, 60_000)

  test('the OAuth clients of demo.json are there after a restart: of each kind, and unapproved', async () => {
    const { confidential, public: open, unapproved } = demo().oauth
    const redirectUri = 'http://127.0.0.1:3999/callback'
    for (const client of [confidential, open, unapproved])
      expect(client).toMatchObject({ redirectUri })
    const present = async ({ clientId, clientSecret }: typeof open) => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId }
      const body = new URLSearchParams({
        ...form,
        ...(clientSecret ? { client_secret: clientSecret } : {}),
      })
      const answer = await fetch(`${url}/api/auth/oauth/token`, { method: 'POST', body })
      return ((await answer.json()) as { error: string }).error
    }
    expect(await present(confidential)).toBe('invalid_grant')
    expect(await present({ ...confidential, clientSecret: 'x' })).toBe('invalid_client')
    expect(await present(open)).toBe('invalid_grant')
    const query = new URLSearchParams({
      client_id: unapproved.clientId,
      redirect_uri: redirectUri,
      state: 's',
    })
    const asked = await fetch(`${url}/auth/oauth2/authorize?${query}`, { redirect: 'manual' })
    expect([asked.status, await asked.json()]).toMatchObject([400, { error: 'not_approved' }])
  })

  test('account:create makes an account while the platform runs, within seconds', async () => {
    const began = performance.now()
    const email = `new.${Date.now()}@example.com`
    const args = ['--import', 'tsx', 'dev/account.ts', '--email', email, '--plan', 'pro']
    const run = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    const account = JSON.parse(run.stdout.trim().split('\n').at(-1)!) as { apiKey: string }
    const headers = { 'cal-api-key': account.apiKey }
    const answer = await fetch(`${url}/api/services/company-settings`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('120')
    expect(performance.now() - began).toBeLessThan(15_000)
    const again = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })
    expect(again.status).toBe(1)
    expect(again.stderr.trim().split('\n')).toHaveLength(1)
  }, 30_000)

  test('Ctrl-C stops it with exit code 0', async () => {
    expect(await end('SIGINT')).toBe(0)
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  })
})
