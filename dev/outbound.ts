/** Answers for the outside world; it lives in Node. */
interface OutboundEnv {
  EMULATORS: Fetcher
}

const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/

/**
 * Every outbound request of a local function comes through here. Loopback (the database, Redis,
 * webhook receivers of tests) is fetched from within the runtime, which costs far less than a way
 * through Node; everything else goes to the emulators and never leaves the machine.
 */
export default {
  async fetch(request: Request, env: OutboundEnv): Promise<Response> {
    if (LOOPBACK.test(request.url)) return fetch(request)
    const response = await env.EMULATORS.fetch(request)
    if (response.headers.has('x-broken-connection')) throw new Error('Network connection lost.')
    return response
  },
}
