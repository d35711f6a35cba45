/** A cache that never holds more than `max` entries; a full one begins anew. */
export interface Bounded<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
}

/** Makes a cache for what requests can ask for in more ways than there is memory. */
export function bounded<V>(max = 500): Bounded<V> {
  const entries = new Map<string, V>()
  return {
    get: key => entries.get(key),
    set: (key, value) => {
      if (entries.size >= max && !entries.has(key)) entries.clear()
      entries.set(key, value)
    },
  }
}
