const AT_ONCE = 8

/** Does the work for every item, a few at a time: more at once would only wait for each other. */
export async function together<T>(items: readonly T[], work: (item: T) => Promise<unknown>) {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
