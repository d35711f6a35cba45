import { RedisError, type RedisReply } from '../redis-backend.ts'
import { integer, type Keyspace, required } from './keyspace.ts'

/** A command: gets the arguments after its name. */
export type Command = (...args: string[]) => RedisReply
/** Commands by name, each with its arguments. */
export type Commands = Record<string, Command>

/** Commands on keys of any kind, and on the server. */
export function keyCommands(keyspace: Keyspace): Commands {
  const { now } = keyspace
  const remove: Command = (...keys) => keys.filter(key => keyspace.remove(key)).length
  const clear: Command = () => {
    keyspace.clear()
    return 'OK'
  }
  const matching = (pattern: string) =>
    keyspace.keys().filter(key => globToRegExp(pattern).test(key))
  return {
    PING: message => message ?? 'PONG',
    ECHO: message => required(message),
    TIME: () => [String(Math.floor(now() / 1000)), String((now() % 1000) * 1000)],
    FLUSHALL: clear,
    FLUSHDB: clear,
    DBSIZE: () => keyspace.keys().length,
    DEL: remove,
    UNLINK: remove,
    EXISTS: (...keys) => keys.filter(key => keyspace.exists(key)).length,
    TYPE: key => keyspace.kind(required(key)),
    RENAME: (from, to) => {
      keyspace.move(required(from), required(to))
      return 'OK'
    },
    ...expiryCommands(keyspace),
    KEYS: pattern => matching(required(pattern)),
    // All keys in one step: the cursor is finished at once.
    SCAN: (_cursor, ...options) => {
      const match = options.findIndex(option => option.toUpperCase() === 'MATCH')
      return ['0', matching(match < 0 ? '*' : required(options[match + 1]))]
    },
  }
}

/** Commands on when a key ends. */
function expiryCommands(keyspace: Keyspace): Commands {
  const { now } = keyspace
  const expire =
    (toInstant: (argument: number) => number): Command =>
    (key, argument, condition) => {
      const expiresAt = toInstant(integer(argument))
      if (
        !keyspace.exists(required(key)) ||
        !mayExpire(keyspace, required(key), expiresAt, condition)
      )
        return 0
      keyspace.setExpiry(required(key), expiresAt)
      return 1
    }
  const remaining = (key: string) => {
    if (!keyspace.exists(key)) return -2
    const expiresAt = keyspace.expiry(key)
    return expiresAt === undefined ? -1 : expiresAt - now()
  }
  return {
    EXPIRE: expire(seconds => now() + seconds * 1000),
    PEXPIRE: expire(milliseconds => now() + milliseconds),
    EXPIREAT: expire(seconds => seconds * 1000),
    PEXPIREAT: expire(milliseconds => milliseconds),
    PERSIST: key => {
      if (keyspace.expiry(required(key)) === undefined) return 0
      keyspace.setExpiry(required(key), undefined)
      return 1
    },
    PTTL: key => remaining(required(key)),
    TTL: key => {
      const milliseconds = remaining(required(key))
      return milliseconds < 0 ? milliseconds : Math.ceil(milliseconds / 1000)
    },
  }
}

function mayExpire(
  keyspace: Keyspace,
  key: string,
  expiresAt: number,
  condition: string | undefined,
): boolean {
  const current = keyspace.expiry(key)
  if (condition === undefined) return true
  switch (condition.toUpperCase()) {
    case 'NX':
      return current === undefined
    case 'XX':
      return current !== undefined
    case 'GT':
      return current !== undefined && expiresAt > current
    case 'LT':
      return current === undefined || expiresAt < current
    default:
      throw new RedisError('ERR Unsupported option')
  }
}

function globToRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's')
}
