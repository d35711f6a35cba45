import { freeSlug } from '#lib/core/text.ts'

/** First segments of the paths of our own pages, which a user's page would hide. */
const RESERVED = [
  'api',
  'assets',
  'auth',
  'b',
  'book',
  'confirm',
  'docs',
  'forgot',
  'forms',
  'health',
  'home',
  'oauth',
  'portal',
  'reset',
  'settings',
  'signin',
  'signout',
  'signup',
  'team',
]

const reserved = new Set(RESERVED)

/** Whether a username, in lower case, is kept for pages of ours. */
export const isReserved = (username: string): boolean => reserved.has(username)

/** The longest username. */
const MAX_USERNAME = 40

/** A username as the beginning of an e-mail address suggests it; it may be taken. */
export const usernameFrom = (slug: string): string => slug.slice(0, MAX_USERNAME).replace(/-+$/, '')

/** The first of `base`, `base-2`, … that is neither taken nor kept for pages of ours. */
export const freeUsername = (base: string, taken: readonly string[]): string =>
  freeSlug(base, [...taken, ...RESERVED])
