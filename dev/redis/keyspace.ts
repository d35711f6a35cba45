import { RedisError } from '../redis-backend.ts'

/** The kinds of value, by the name that TYPE gives them. */
export interface Values {
  string: { text: string }
  hash: Map<string, string>
  set: Set<string>
  zset: Map<string, number>
  list: string[]
}
/** What a key can hold. */
export type Kind = keyof Values

type Entry = { [K in Kind]: { kind: K; value: Values[K]; expiresAt?: number } }[Kind]

/** The keys of the in-process Redis. `now` is in milliseconds since 1970. */
export class Keyspace {
  private readonly entries = new Map<string, Entry>()

  constructor(readonly now: () => number) {}

  /** The value of a key that must be of this kind, undefined when there is none. */
  find<K extends Kind>(key: string, kind: K): Values[K] | undefined {
    const entry = this.live(key)
    if (!entry) return undefined
    if (entry.kind !== kind)
      throw new RedisError('WRONGTYPE Operation against a key holding the wrong kind of value')
    return entry.value as Values[K]
  }

  /** The same, made with `create` when there is none. */
  findOrCreate<K extends Kind>(key: string, kind: K, create: () => Values[K]): Values[K] {
    const found = this.find(key, kind)
    if (found) return found
    const value = create()
    this.put(key, kind, value)
    return value
  }

  put<K extends Kind>(key: string, kind: K, value: Values[K], expiresAt?: number): void {
    this.entries.set(key, { kind, value, expiresAt } as Entry)
  }

  remove(key: string): boolean {
    return this.live(key) !== undefined && this.entries.delete(key)
  }

  /** A collection that has become empty is a key that does not exist. */
  removeIfEmpty(key: string, size: number): void {
    if (size === 0) this.entries.delete(key)
  }

  move(from: string, to: string): void {
    const entry = this.live(from)
    if (!entry) throw new RedisError('ERR no such key')
    this.entries.delete(from)
    this.entries.set(to, entry)
  }

  kind(key: string): Kind | 'none' {
    return this.live(key)?.kind ?? 'none'
  }

  exists(key: string): boolean {
    return this.live(key) !== undefined
  }

  expiry(key: string): number | undefined {
    return this.live(key)?.expiresAt
  }

  setExpiry(key: string, expiresAt: number | undefined): void {
    const entry = this.live(key)
    if (entry) entry.expiresAt = expiresAt
  }

  keys(): string[] {
    return [...this.entries.keys()].filter(key => this.exists(key))
  }

  clear(): void {
    this.entries.clear()
  }

  private live(key: string): Entry | undefined {
    const entry = this.entries.get(key)
    if (entry?.expiresAt === undefined || entry.expiresAt > this.now()) return entry
    this.entries.delete(key)
    return undefined
  }
}

/** Reads an integer argument. */
export function integer(text: string | undefined): number {
  if (!/^[+-]?\d+$/.test(text ?? ''))
    throw new RedisError('ERR value is not an integer or out of range')
  return Number(text)
}

/** An argument that has to be there. */
export function required(text: string | undefined): string {
  if (text === undefined) throw new RedisError('ERR wrong number of arguments')
  return text
}

/** The elements from `start` to `stop`, both included, counted from the end when negative. */
export function range<T>(items: T[], start: string | undefined, stop: string | undefined): T[] {
  const at = (text: string | undefined) => {
    const index = integer(text)
    return index < 0 ? items.length + index : index
  }
  return items.slice(Math.max(0, at(start)), at(stop) + 1)
}

/** Arguments that come in twos (`field value field value`). */
export function pairs(args: string[]): [string, string][] {
  if (args.length === 0 || args.length % 2 === 1)
    throw new RedisError('ERR wrong number of arguments')
  return Array.from({ length: args.length / 2 }, (_, index) => [
    required(args[index * 2]),
    required(args[index * 2 + 1]),
  ])
}
