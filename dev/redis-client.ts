import { connect as connectSocket, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Failure, messageOf } from './failure.ts'
import { type RedisBackend, RedisError, type RedisReply } from './redis-backend.ts'
import { RespReader } from './resp.ts'

interface Waiting {
  resolve(reply: RedisReply | RedisError): void
  reject(error: Error): void
}

/**
 * A Redis over TCP (`redis://user:password@host:port/database`, `rediss://` for TLS) on one
 * connection, which is opened anew after it broke. Fails with a line for the person when the
 * server cannot be reached at the start.
 */
export async function connectRedis(redisUrl: string): Promise<RedisBackend> {
  const url = parseUrl(redisUrl)
  let connection: Connection | undefined
  const open = async () => {
    if (!connection?.isOpen()) connection = await Connection.open(url)
    return connection
  }
  try {
    await open()
  } catch (error) {
    throw new Failure(
      `REDIS_URL cannot be used: ${url.host} does not answer (${messageOf(error)}). Start that Redis or correct the address; without REDIS_URL the built-in one is used`,
    )
  }
  const send = async (commands: string[][]) => (await open()).send(commands)
  return {
    async call(command) {
      const [reply] = await send([command])
      if (reply instanceof RedisError) throw reply
      return reply ?? null
    },
    async transaction(commands) {
      const replies = await send([['MULTI'], ...commands, ['EXEC']])
      const outcome = replies.at(-1)
      // A command that cannot be queued makes EXEC fail: then each tells its own reason.
      if (outcome instanceof RedisError) throw replies.find(isRedisError) ?? outcome
      return outcome as (RedisReply | RedisError)[]
    },
    async stop() {
      connection?.close()
    },
  }
}

function isRedisError(reply: RedisReply | RedisError): reply is RedisError {
  return reply instanceof RedisError
}

function parseUrl(text: string): URL {
  if (/^rediss?:\/\/[^/]/.test(text)) return new URL(text)
  throw new Failure('REDIS_URL must look like redis://host:6379')
}

/** A server that lets us in and says nothing is no Redis. */
const PATIENCE_MILLISECONDS = 5_000

class Connection {
  private readonly waiting: Waiting[] = []
  private open = true

  private constructor(private readonly socket: Socket) {
    const reader = new RespReader()
    socket.on('data', chunk => {
      try {
        for (const reply of reader.read(chunk)) this.waiting.shift()?.resolve(reply)
      } catch (error) {
        // What speaks another language is not listened to any more.
        socket.destroy(error as Error)
      }
    })
    socket.on('error', error => this.fail(error))
    socket.on('close', () => this.fail(new Error('Redis closed the connection')))
  }

  static async open(url: URL): Promise<Connection> {
    const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || 6379 }
    const secure = url.protocol === 'rediss:'
    const socket = secure
      ? connectTls({ ...address, servername: address.host })
      : connectSocket(address)
    socket.setNoDelay(true)
    const connection = new Connection(socket)
    const password = decodeURIComponent(url.password)
    const user = decodeURIComponent(url.username)
    const database = url.pathname.slice(1)
    const greeting = [
      ...(password ? [['AUTH', ...(user ? [user] : []), password]] : []),
      ...(database ? [['SELECT', database]] : []),
      ['PING'],
    ]
    const silence = new Error(`no answer within ${PATIENCE_MILLISECONDS / 1000} seconds`)
    const patience = setTimeout(() => socket.destroy(silence), PATIENCE_MILLISECONDS)
    const answers = await connection.send(greeting).finally(() => clearTimeout(patience))
    const failed = answers.find(isRedisError)
    if (failed) {
      connection.close()
      throw failed
    }
    return connection
  }

  isOpen(): boolean {
    return this.open
  }

  /** Sends commands back to back; the replies come in the same order. */
  send(commands: string[][]): Promise<(RedisReply | RedisError)[]> {
    const replies = commands.map(
      () =>
        new Promise<RedisReply | RedisError>((resolve, reject) => {
          if (this.open) this.waiting.push({ resolve, reject })
          else reject(new Error('Redis closed the connection'))
        }),
    )
    this.socket.write(commands.map(encodeCommand).join(''))
    return Promise.all(replies)
  }

  close(): void {
    this.open = false
    this.socket.destroy()
  }

  private fail(error: Error): void {
    this.open = false
    for (const { reject } of this.waiting.splice(0)) reject(error)
  }
}

function encodeCommand(command: string[]): string {
  const parts = command.map(part => `$${Buffer.byteLength(part)}\r\n${part}\r\n`)
  return `*${command.length}\r\n${parts.join('')}`
}
