/** Where one who has signed in goes, unless they were on their way somewhere. */
export const HOME = '/home'

/** No address that anybody has. */
const BASE = 'https://here.invalid'

function parse(path: string): URL | undefined {
  try {
    return new URL(path, BASE)
  } catch {
    return undefined
  }
}

/**
 * Where to go after signing in: a path of ours, whatever a link says. What a browser would take for
 * another site (`//host`, `/\host`, `/.//host`) leads home.
 */
export function nextOf(asked: string | undefined): string {
  const url = asked?.startsWith('/') ? parse(asked) : undefined
  if (url?.origin !== BASE || url.pathname.startsWith('//')) return HOME
  return url.pathname + url.search + url.hash
}

/** The address of a page that leads on to `next`, unless that is where it leads anyway. */
export const leadingTo = (page: string, next: string): string =>
  next === HOME ? page : `${page}?next=${encodeURIComponent(next)}`
