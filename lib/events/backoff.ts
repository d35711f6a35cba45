/** How long to wait after the first, second, … try that failed, in seconds. */
const DELAYS_SECONDS = [5, 30, 300, 1800, 7200, 18_000, 36_000, 36_000] as const

/** How much earlier than that a try may come: receivers that failed together do not return together. */
const JITTER = 0.15

/**
 * The seconds until the next try; undefined after the last, when a delivery has failed for good.
 * @param attempt how many tries there were, the one that has just failed included
 * @param random from 0 to 1: how far the delay is spread
 */
export function retryDelaySeconds(attempt: number, random: number): number | undefined {
  const delay = DELAYS_SECONDS[attempt - 1]
  return delay === undefined ? undefined : delay * (1 - JITTER * random)
}
