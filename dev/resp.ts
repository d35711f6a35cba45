import { RedisError, type RedisReply } from './redis-backend.ts'

type Reply = RedisReply | RedisError
const INCOMPLETE = Symbol('incomplete')

/**
 * Reads RESP2 replies from the pieces in which they arrive.
 * https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
export class RespReader {
  private buffer: Buffer = Buffer.alloc(0)
  private position = 0

  /** The replies that `chunk` completes, in order. */
  read(chunk: Buffer): Reply[] {
    this.buffer = this.buffer.length > 0 ? Buffer.concat([this.buffer, chunk]) : chunk
    const replies: Reply[] = []
    let consumed = 0
    this.position = 0
    for (;;) {
      const reply = this.readReply()
      if (reply === INCOMPLETE) break
      replies.push(reply)
      consumed = this.position
    }
    this.buffer = this.buffer.subarray(consumed)
    return replies
  }

  private readReply(): Reply | typeof INCOMPLETE {
    const end = this.buffer.indexOf('\r\n', this.position)
    if (end < 0) return INCOMPLETE
    const line = this.buffer.toString('utf8', this.position, end)
    this.position = end + 2
    const rest = line.slice(1)
    switch (line[0]) {
      case '+':
        return rest
      case '-':
        return new RedisError(rest)
      case ':':
        return Number(rest)
      case '$':
        return this.readBulk(Number(rest))
      case '*':
        return this.readArray(Number(rest))
      default:
        throw new Error(`Redis sent a reply of an unknown type: ${line.slice(0, 40)}`)
    }
  }

  private readBulk(length: number): string | null | typeof INCOMPLETE {
    if (length < 0) return null
    const end = this.position + length
    if (this.buffer.length < end + 2) return INCOMPLETE
    const text = this.buffer.toString('utf8', this.position, end)
    this.position = end + 2
    return text
  }

  private readArray(length: number): Reply | typeof INCOMPLETE {
    if (length < 0) return null
    const items: Reply[] = []
    for (let index = 0; index < length; index++) {
      const item = this.readReply()
      if (item === INCOMPLETE) return INCOMPLETE
      items.push(item)
    }
    // EXEC answers an array that may hold errors; elsewhere none occurs inside.
    return items as RedisReply[]
  }
}
