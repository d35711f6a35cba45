import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOME, leadingTo, nextOf } from './next.ts'

const SITE = 'https://almanac.example'

describe('where to go after signing in', () => {
  it.each(['/settings/keys', '/oauth/authorize?client_id=a&state=b%20c', '/b/shop#top'])(
    'is the path that was asked for: %s',
    path => expect(nextOf(path)).toBe(path),
  )

  it.each([
    undefined,
    '',
    'settings',
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '//',
    'javascript:alert(1)',
  ])('is home for what is no path of ours: %s', asked => expect(nextOf(asked)).toBe(HOME))

  it('never leads a browser to another site', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '@',
      ':',
      'evil.example',
      '?',
      '#',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
        const next = nextOf(pieces.join(''))
        expect(new URL(next, SITE).origin).toBe(SITE)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('a page that leads on', () => {
  it('says where, but for home', () => {
    expect(leadingTo('/signin', HOME)).toBe('/signin')
    expect(leadingTo('/signin', '/a?b=c&d')).toBe('/signin?next=%2Fa%3Fb%3Dc%26d')
  })
})
