import { describe, expect, it } from 'vitest'
import { clip } from './text.ts'

describe('clip', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 3, 'too'],
    ['two 👋 hands', 6, 'two 👋'],
    ['half a 👋', 8, 'half a '],
  ])('of %j at %i is %j, never half of a character', (text, max, clipped) => {
    expect(clip(text, max)).toBe(clipped)
  })
})
