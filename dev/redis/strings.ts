import { RedisError } from '../redis-backend.ts'
import type { Command, Commands } from './keys.ts'
import { integer, type Keyspace, pairs, required } from './keyspace.ts'

/** Commands on plain values. */
export function stringCommands(keyspace: Keyspace): Commands {
  const get = (key: string | undefined) => keyspace.find(required(key), 'string')?.text ?? null
  const put = (key: string, text: string) => keyspace.put(key, 'string', { text })
  const add = (key: string | undefined, amount: number) => {
    const value = keyspace.findOrCreate(required(key), 'string', () => ({ text: '0' }))
    const sum = integer(value.text) + amount
    value.text = String(sum)
    return sum
  }
  const set: Command = (key, text, ...options) => setString(keyspace, required(key), text, options)
  return {
    GET: get,
    SET: set,
    SETNX: (key, text) => (set(required(key), required(text), 'NX') === 'OK' ? 1 : 0),
    SETEX: (key, seconds, text) => set(required(key), required(text), 'EX', required(seconds)),
    PSETEX: (key, time, text) => set(required(key), required(text), 'PX', required(time)),
    GETDEL: key => {
      const text = get(key)
      keyspace.remove(required(key))
      return text
    },
    STRLEN: key => Buffer.byteLength(get(key) ?? ''),
    APPEND: (key, text) => {
      const value = keyspace.findOrCreate(required(key), 'string', () => ({ text: '' }))
      value.text += required(text)
      return Buffer.byteLength(value.text)
    },
    MGET: (...keys) => keys.map(key => (keyspace.kind(key) === 'string' ? get(key) : null)),
    MSET: (...args) => {
      for (const [key, text] of pairs(args)) put(key, text)
      return 'OK'
    },
    INCR: key => add(key, 1),
    DECR: key => add(key, -1),
    INCRBY: (key, amount) => add(key, integer(amount)),
    DECRBY: (key, amount) => add(key, -integer(amount)),
  }
}

interface SetOptions {
  expiresAt?: number
  condition?: 'NX' | 'XX'
  keepExpiry?: boolean
  answerOld?: boolean
}

function setString(keyspace: Keyspace, key: string, text: string | undefined, args: string[]) {
  const options = readSetOptions(args, keyspace.now())
  const old = options.answerOld ? (keyspace.find(key, 'string')?.text ?? null) : null
  const exists = keyspace.exists(key)
  if (options.condition === (exists ? 'NX' : 'XX')) return old
  const expiresAt = options.keepExpiry ? keyspace.expiry(key) : options.expiresAt
  keyspace.put(key, 'string', { text: required(text) }, expiresAt)
  return options.answerOld ? old : 'OK'
}

function readSetOptions(args: string[], now: number): SetOptions {
  const options: SetOptions = {}
  const rest = [...args]
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const upper = name.toUpperCase()
    if (upper === 'EX') options.expiresAt = now + integer(rest.shift()) * 1000
    else if (upper === 'PX') options.expiresAt = now + integer(rest.shift())
    else if (upper === 'EXAT') options.expiresAt = integer(rest.shift()) * 1000
    else if (upper === 'PXAT') options.expiresAt = integer(rest.shift())
    else if (upper === 'NX' || upper === 'XX') options.condition = upper
    else if (upper === 'KEEPTTL') options.keepExpiry = true
    else if (upper === 'GET') options.answerOld = true
    else throw new RedisError('ERR syntax error')
  }
  return options
}
