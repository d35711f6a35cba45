import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startRedisThread } from '#dev/redis-thread.ts'
import { type Client, client } from './client.ts'
import { until } from './events/receiver.ts'
import { type SpawnedPlatform, spawnPlatform } from './spawned.ts'

// What `npm start` has started can end by itself: a crash, no memory left, somebody's kill.
let platform: SpawnedPlatform
let owner: Client

beforeAll(async () => {
  platform = await spawnPlatform()
  owner = client(platform.keys()[2], platform.url)
}, 120_000)
afterAll(() => platform.stop())
afterEach(() => vi.restoreAllMocks())

const customers = () => owner.get('/api/services/customers?search=Kept').catch(() => undefined)
const isThere = async () => (await customers())?.items.length === 1

/** Kills what has this name; those that it was. */
function kill(name: string): number[] {
  const found = platform.children(name)
  for (const pid of found) process.kill(pid, 'SIGKILL')
  return found
}

describe('npm start', () => {
  test('starts the Workers again when they end, and says so', async () => {
    const made = await owner.post('/api/services/customers', { name: 'Kept' })
    expect(made.status).toBe(201)
    const killed = kill('workerd')
    expect(killed).toHaveLength(1)
    await until(() => platform.output().includes('the Workers answer again'), 30_000)
    expect(platform.output()).toMatch(/s {2}the Workers ended by themselves: starting them again\n/)
    expect(await isThere()).toBe(true)
    expect(platform.children('workerd')).toHaveLength(1)
    expect(platform.children('workerd')).not.toEqual(killed)
  }, 60_000)

  test('ends with a line and exit code 1 when they end again and again', async () => {
    const answers = () => platform.output().match(/the Workers answer again/g)?.length
    for (const time of [1, 2, 3]) {
      await until(() => answers() === time, 20_000)
      kill('workerd')
    }
    expect(await platform.ended()).toBe(1)
    const last = platform.output().trim().split('\n').at(-1)
    expect(last).toMatch(
      /^The Workers ended by themselves 4 times within a minute: start again, .* lost$/,
    )
    await expect(fetch(`${platform.url}/health`)).rejects.toThrow()
  }, 90_000)

  test('ends with a line and exit code 1 when Postgres ends, and recovers at the next start', async () => {
    await platform.start()
    expect(await isThere()).toBe(true)
    const [workers] = platform.children('workerd')
    expect(kill('/postgres')).toHaveLength(1)
    expect(await platform.ended()).toBe(1)
    const said = /^Postgres ended by itself: start again, and it recovers what was saved$/m
    expect(platform.output()).toMatch(said)
    expect(() => process.kill(Number(workers), 0)).toThrow('ESRCH')
    await platform.start()
    expect(await isThere()).toBe(true)
  }, 120_000)
})

describe('the thread of Redis', () => {
  test('tells when it ends by itself, and not when it is stopped', async () => {
    const lost: string[] = []
    const options = { token: 'x', onLost: (line: string) => lost.push(line) }
    await (await startRedisThread(options)).stop()
    expect(lost).toEqual([])
    const sent = vi.spyOn(Worker.prototype, 'postMessage')
    const thread = await startRedisThread(options)
    void thread.order(new Request('http://redis', { method: 'POST', body: '{}' }))
    await until(() => sent.mock.contexts.length > 0)
    await (sent.mock.contexts[0] as Worker).terminate()
    expect(lost).toEqual(['Redis ended by itself: start again, nothing is lost'])
    await thread.stop()
  })
})
