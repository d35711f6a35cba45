import { describe, expect, it } from 'vitest'
import { RedisError } from './redis-backend.ts'
import { createMemoryRedis } from './redis-memory.ts'

describe('the built-in Redis', () => {
  it('forgets a key when its time has come', async () => {
    let now = 1_000
    const redis = createMemoryRedis(() => now)
    await redis.call(['SET', 'key', 'value', 'PX', '500'])
    expect(await redis.call(['PTTL', 'key'])).toBe(500)
    now = 1_499
    expect(await redis.call(['GET', 'key'])).toBe('value')
    now = 1_500
    expect(await redis.call(['GET', 'key'])).toBeNull()
  })
  it('sets only what is new with NX, and only what is there with XX', async () => {
    const redis = createMemoryRedis()
    expect(await redis.call(['SET', 'key', 'a', 'XX'])).toBeNull()
    expect(await redis.call(['SET', 'key', 'a', 'NX'])).toBe('OK')
    expect(await redis.call(['SET', 'key', 'b', 'NX'])).toBeNull()
    expect(await redis.call(['GET', 'key'])).toBe('a')
  })
  it('refuses a command on a value of another kind', async () => {
    const redis = createMemoryRedis()
    await redis.call(['HSET', 'hash', 'field', '1'])
    await expect(redis.call(['INCR', 'hash'])).rejects.toThrow('WRONGTYPE')
  })
  it('runs Lua with keys, arguments and commands', async () => {
    const redis = createMemoryRedis()
    const script = `
      local count = redis.call('INCRBY', KEYS[1], ARGV[1])
      if redis.call('GET', 'none') == false then return {count, 'none', false, 1.9} end`
    expect(await redis.call(['EVAL', script, '1', 'n', '5'])).toEqual([5, 'none', null, 1])
    expect(await redis.call(['EVAL', script, '1', 'n', '5'])).toEqual([10, 'none', null, 1])
  })
  it('hands errors to Lua by pcall, and out of it', async () => {
    const redis = createMemoryRedis()
    const script = `local r = redis.pcall('NOPE'); return redis.error_reply(r.err)`
    await expect(redis.call(['EVAL', script, '0'])).rejects.toThrow("unknown command 'NOPE'")
    await expect(redis.call(['EVAL', 'return +', '0'])).rejects.toThrow('compiling')
  })
  it('goes on after a refused command of a transaction', async () => {
    const redis = createMemoryRedis()
    const replies = await redis.transaction([
      ['SET', 'a', 'x'],
      ['INCR', 'a'],
      ['GET', 'a'],
    ])
    expect(replies[0]).toBe('OK')
    expect(replies[1]).toBeInstanceOf(RedisError)
    expect(replies[2]).toBe('x')
  })
})
