import { describe, expect, it } from 'vitest'
import { retryDelaySeconds } from './backoff.ts'

const SECONDS = [5, 30, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]

describe('retryDelaySeconds', () => {
  it('is 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h at most', () => {
    expect(SECONDS.map((_, i) => retryDelaySeconds(i + 1, 0))).toEqual(SECONDS)
  })

  it('spreads the tries by up to 15 % of the delay, towards the earlier', () => {
    const earliest = SECONDS.map((_, i) => retryDelaySeconds(i + 1, 1))
    expect(earliest).toEqual(SECONDS.map(seconds => seconds * 0.85))
    expect(retryDelaySeconds(4, 0.5)).toBeCloseTo(1800 * 0.925)
  })

  it('ends after the ninth try', () => {
    expect(retryDelaySeconds(9, 0)).toBeUndefined()
    expect(retryDelaySeconds(40, 0.5)).toBeUndefined()
  })
})
