import { RedisError } from '../redis-backend.ts'
import type { Commands } from './keys.ts'
import { type Keyspace, pairs, range, required } from './keyspace.ts'

/** Commands on sorted sets. */
export function sortedSetCommands(keyspace: Keyspace): Commands {
  const find = (key: string | undefined) => keyspace.find(required(key), 'zset')
  const create = (key: string | undefined) =>
    keyspace.findOrCreate(required(key), 'zset', () => new Map())
  const removeAll = (key: string | undefined, members: string[]) => {
    const scores = find(key)
    if (!scores) return 0
    const removed = members.filter(member => scores.delete(member)).length
    keyspace.removeIfEmpty(required(key), scores.size)
    return removed
  }
  const between = (key: string | undefined, low: string | undefined, high: string | undefined) =>
    sorted(find(key)).filter(([, score]) => isAbove(score, low) && isBelow(score, high))
  return {
    ZADD: (key, ...args) => {
      const entries = pairs(args)
      const scores = create(key)
      const before = scores.size
      for (const [score, member] of entries) scores.set(member, readScore(score))
      return scores.size - before
    },
    ZINCRBY: (key, amount, member) => {
      const scores = create(key)
      const sum = (scores.get(required(member)) ?? 0) + readScore(amount)
      scores.set(required(member), sum)
      return String(sum)
    },
    ZSCORE: (key, member) => find(key)?.get(required(member))?.toString() ?? null,
    ZREM: (key, ...members) => removeAll(key, members),
    ZCARD: key => find(key)?.size ?? 0,
    ZCOUNT: (key, low, high) => between(key, low, high).length,
    ZRANGE: (key, start, stop, withScores) =>
      listMembers(range(sorted(find(key)), start, stop), withScores),
    ZREVRANGE: (key, start, stop, withScores) =>
      listMembers(range(sorted(find(key)).reverse(), start, stop), withScores),
    ZRANGEBYSCORE: (key, low, high, withScores) => listMembers(between(key, low, high), withScores),
    ZREMRANGEBYSCORE: (key, low, high) =>
      removeAll(
        key,
        between(key, low, high).map(([member]) => member),
      ),
  }
}

function sorted(scores: Map<string, number> | undefined): [string, number][] {
  return [...(scores ?? [])].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
}

function listMembers(entries: [string, number][], withScores: string | undefined): string[] {
  if (withScores?.toUpperCase() === 'WITHSCORES')
    return entries.flatMap(([member, score]) => [member, String(score)])
  if (withScores !== undefined) throw new RedisError('ERR syntax error')
  return entries.map(([member]) => member)
}

function readScore(text: string | undefined): number {
  const word = required(text).toLowerCase().replace(/^\+/, '')
  if (word === 'inf') return Number.POSITIVE_INFINITY
  if (word === '-inf') return Number.NEGATIVE_INFINITY
  const score = Number(word)
  if (word === '' || Number.isNaN(score)) throw new RedisError('ERR value is not a valid float')
  return score
}

/** A bound that begins with `(` is not itself included. */
function isAbove(score: number, bound: string | undefined): boolean {
  const text = required(bound)
  return text.startsWith('(') ? score > readScore(text.slice(1)) : score >= readScore(text)
}

function isBelow(score: number, bound: string | undefined): boolean {
  const text = required(bound)
  return text.startsWith('(') ? score < readScore(text.slice(1)) : score <= readScore(text)
}
