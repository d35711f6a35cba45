/** What the platform gives the gateway: the route table and one binding per function. */
interface GatewayEnv {
  /** Path patterns and the Worker behind each, as in wrangler.toml without the host. */
  ROUTES: [pattern: string, worker: string][]
  /** Answers `/_dev/…`; it lives in Node. */
  DEV: Fetcher
}

interface Route {
  path: string
  isPrefix: boolean
  worker: string
}

let routes: Route[] | undefined

/**
 * Stands in for Cloudflare's route matching on the local platform: the most specific pattern
 * wins. `X-Test-Client` sets the address that a request seems to come from.
 */
export default {
  fetch(request: Request, env: GatewayEnv & Record<string, Fetcher>) {
    routes ??= sortRoutes(env.ROUTES)
    const path = pathOf(request.url)
    if (path === '/_dev' || path.startsWith('/_dev/')) return env.DEV.fetch(request)
    for (const route of routes) {
      if (!(route.isPrefix ? path.startsWith(route.path) : path === route.path)) continue
      return env[route.worker]?.fetch(withClientAddress(request))
    }
    return new Response('No function has this path\n', { status: 404 })
  },
}

/** Longest first: a longer pattern is the more specific one. */
function sortRoutes(table: [string, string][]): Route[] {
  return table
    .map(([pattern, worker]) => ({
      path: pattern.replace(/\*$/, ''),
      isPrefix: pattern.endsWith('*'),
      worker,
    }))
    .sort((a, b) => b.path.length - a.path.length || Number(a.isPrefix) - Number(b.isPrefix))
}

/** Cheaper than URL, and exact for the absolute addresses that a server receives. */
function pathOf(url: string): string {
  const start = url.indexOf('/', 'https://'.length)
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

function withClientAddress(request: Request): Request {
  const headers = new Headers(request.headers)
  const address = headers.get('x-test-client') ?? headers.get('cf-connecting-ip') ?? '127.0.0.1'
  headers.set('cf-connecting-ip', address)
  return new Request(request, { headers })
}
