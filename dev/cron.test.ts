import { describe, expect, it } from 'vitest'
import { matchesCron } from './cron.ts'

const at = (instant: string) => new Date(instant)

describe('matchesCron', () => {
  it('matches every minute', () => {
    expect(matchesCron('* * * * *', at('2026-11-20T19:46:00Z'))).toBe(true)
  })
  it('counts steps from the beginning of the field', () => {
    expect(matchesCron('*/15 * * * *', at('2026-11-20T19:45:00Z'))).toBe(true)
    expect(matchesCron('*/15 * * * *', at('2026-11-20T19:46:00Z'))).toBe(false)
  })
  it('takes numbers, lists and ranges', () => {
    expect(matchesCron('0 3,5 20-22 11 *', at('2026-11-20T05:00:00Z'))).toBe(true)
    expect(matchesCron('0 3,5 20-22 11 *', at('2026-11-20T04:00:00Z'))).toBe(false)
    expect(matchesCron('0 3,5 20-22 11 *', at('2026-11-23T05:00:00Z'))).toBe(false)
  })
  it('has Sunday as day 1, as Cloudflare counts', () => {
    expect(matchesCron('0 0 * * 1', at('2026-11-22T00:00:00Z'))).toBe(true)
    expect(matchesCron('0 0 * * 2', at('2026-11-22T00:00:00Z'))).toBe(false)
  })
  it('refuses what it cannot read', () => {
    expect(() => matchesCron('* * * *', at('2026-11-22T00:00:00Z'))).toThrow('five fields')
    expect(() => matchesCron('MON * * * *', at('2026-11-22T00:00:00Z'))).toThrow('MON')
  })
})
