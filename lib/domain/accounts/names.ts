import { freeSlug } from '#lib/core/text.ts'

/** First segments of the paths of our own pages, which a user's page would hide. */
const RESERVED = [
  'a',
  'api',
  'assets',
  'auth',
  'b',
  'book',
  'businesses',
  'confirm',
  'connect-and-join',
  'docs',
  'e',
  'embed',
  'favicon.ico',
  'forgot',
  'forms',
  'health',
  'home',
  'invitation',
  'mcp',
  'oauth',
  'openapi.json',
  'portal',
  'reset',
  'robots.txt',
  'settings',
  'signin',
  'signout',
  'signup',
  'team',
  'unsubscribe',
]

const reserved = new Set(RESERVED)

/**
 * The first segment of the path of a user's pages, as a pattern: none of those of our own pages. So
 * a path below one of them that has no page is not taken for a user's.
 */
export const USERNAME_SEGMENT = `(?!(?:${RESERVED.join('|').replaceAll('.', '\\.')})(?:/|$))[A-Za-z0-9][A-Za-z0-9._-]*`

/** Whether a username, in lower case, is kept for pages of ours. */
export const isReserved = (username: string): boolean => reserved.has(username)

/** The longest username. */
const MAX_USERNAME = 40

/** A username as the beginning of an e-mail address suggests it; it may be taken. */
export const usernameFrom = (slug: string): string => slug.slice(0, MAX_USERNAME).replace(/-+$/, '')

/** The first of `base`, `base-2`, … that is neither taken nor kept for pages of ours. */
export const freeUsername = (base: string, taken: readonly string[]): string =>
  freeSlug(base, [...taken, ...RESERVED])
