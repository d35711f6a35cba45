import { expect, it } from 'vitest'
import { RedisError } from './redis-backend.ts'
import { RespReader } from './resp.ts'

const WIRE = Buffer.from(
  '+OK\r\n:7\r\n$-1\r\n$3\r\né!\r\n*3\r\n$1\r\na\r\n*1\r\n:1\r\n*-1\r\n-ERR no\r\n',
)

it('reads the same replies however the bytes are cut', () => {
  for (let size = 1; size <= WIRE.length; size++) {
    const reader = new RespReader()
    const replies: unknown[] = []
    for (let at = 0; at < WIRE.length; at += size)
      replies.push(...reader.read(WIRE.subarray(at, at + size)))
    expect(replies.slice(0, 5)).toEqual(['OK', 7, null, 'é!', ['a', [1], null]])
    expect(replies[5]).toBeInstanceOf(RedisError)
    expect(replies).toHaveLength(6)
  }
})
