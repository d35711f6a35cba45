/** So many requests to a provider at once. */
const AT_ONCE = 5

/** Maps a few at a time, in order. */
export async function mapSome<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < items.length; i += AT_ONCE)
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))))
  return results
}
