import type { Commands } from './keys.ts'
import { integer, type Keyspace, pairs, range, required } from './keyspace.ts'

/** Commands on hashes. */
export function hashCommands(keyspace: Keyspace): Commands {
  const find = (key: string | undefined) => keyspace.find(required(key), 'hash')
  const create = (key: string | undefined) =>
    keyspace.findOrCreate(required(key), 'hash', () => new Map())
  const set = (key: string | undefined, args: string[]) => {
    const fields = pairs(args)
    const hash = create(key)
    const before = hash.size
    for (const [field, value] of fields) hash.set(field, value)
    return hash.size - before
  }
  return {
    HSET: (key, ...args) => set(key, args),
    HMSET: (key, ...args) => {
      set(key, args)
      return 'OK'
    },
    HSETNX: (key, field, value) =>
      find(key)?.has(required(field)) ? 0 : set(key, [required(field), required(value)]),
    HGET: (key, field) => find(key)?.get(required(field)) ?? null,
    HMGET: (key, ...fields) => fields.map(field => find(key)?.get(field) ?? null),
    HGETALL: key => [...(find(key) ?? [])].flat(),
    HDEL: (key, ...fields) => {
      const hash = find(key)
      if (!hash) return 0
      const removed = fields.filter(field => hash.delete(field)).length
      keyspace.removeIfEmpty(required(key), hash.size)
      return removed
    },
    HEXISTS: (key, field) => (find(key)?.has(required(field)) ? 1 : 0),
    HLEN: key => find(key)?.size ?? 0,
    HKEYS: key => [...(find(key)?.keys() ?? [])],
    HVALS: key => [...(find(key)?.values() ?? [])],
    HINCRBY: (key, field, amount) => {
      const hash = create(key)
      const sum = integer(hash.get(required(field)) ?? '0') + integer(amount)
      hash.set(required(field), String(sum))
      return sum
    },
  }
}

/** Commands on sets. */
export function setCommands(keyspace: Keyspace): Commands {
  const find = (key: string | undefined) => keyspace.find(required(key), 'set')
  return {
    SADD: (key, ...members) => {
      const set = keyspace.findOrCreate(required(key), 'set', () => new Set())
      const before = set.size
      for (const member of members) set.add(member)
      return set.size - before
    },
    SREM: (key, ...members) => {
      const set = find(key)
      if (!set) return 0
      const removed = members.filter(member => set.delete(member)).length
      keyspace.removeIfEmpty(required(key), set.size)
      return removed
    },
    SMEMBERS: key => [...(find(key) ?? [])],
    SISMEMBER: (key, member) => (find(key)?.has(required(member)) ? 1 : 0),
    SMISMEMBER: (key, ...members) => members.map(member => (find(key)?.has(member) ? 1 : 0)),
    SCARD: key => find(key)?.size ?? 0,
  }
}

/** Commands on lists. */
export function listCommands(keyspace: Keyspace): Commands {
  const find = (key: string | undefined) => keyspace.find(required(key), 'list')
  const create = (key: string | undefined) => keyspace.findOrCreate(required(key), 'list', () => [])
  const take = (key: string | undefined, end: 'shift' | 'pop', count: string | undefined) => {
    const list = find(key)
    if (!list) return null
    const wanted = Math.min(list.length, count === undefined ? 1 : integer(count))
    const items = Array.from({ length: wanted }, () => list[end]() ?? null)
    keyspace.removeIfEmpty(required(key), list.length)
    return count === undefined ? (items[0] ?? null) : items
  }
  return {
    LPUSH: (key, ...items) => create(key).unshift(...items.reverse()),
    RPUSH: (key, ...items) => create(key).push(...items),
    LPOP: (key, count) => take(key, 'shift', count),
    RPOP: (key, count) => take(key, 'pop', count),
    LRANGE: (key, start, stop) => range(find(key) ?? [], start, stop),
    LLEN: key => find(key)?.length ?? 0,
    LTRIM: (key, start, stop) => {
      const list = find(key)
      if (!list) return 'OK'
      list.splice(0, list.length, ...range(list, start, stop))
      keyspace.removeIfEmpty(required(key), list.length)
      return 'OK'
    },
  }
}
