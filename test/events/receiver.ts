import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { undescribedEvent } from '../described.ts'

/** A request that a receiver got. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  json: { triggerEvent: string; createdAt: string; payload: Record<string, unknown> }
  at: number
}

/** How a receiver answers: a status, or by hand. */
export type Answer = (request: Received, response: ServerResponse) => number | undefined

/** A receiver of webhooks on this machine, as a subscriber would run one. */
export interface Receiver {
  url: string
  received: Received[]
  /** What came to one path, oldest first. */
  at(path: string): Received[]
  /** Fails when something came that is not as the description of the API has it. */
  stop(): Promise<void>
}

/** Starts a receiver that answers 200, or what `answer` says. */
export async function startReceiver(answer: Answer = () => 200): Promise<Receiver> {
  const received: Received[] = []
  const wrong = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const path = request.url ?? ''
      const json = JSON.parse(body) as Received['json']
      const got = { path, headers: request.headers, body, json, at: Date.now() }
      received.push(got)
      if ('payload' in json) wrong.add(undescribedEvent(json))
      const status = answer(got, response)
      if (status !== undefined) response.writeHead(status).end('what a receiver says')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: path => received.filter(r => r.path === path),
    stop: () =>
      new Promise((resolve, reject) => {
        wrong.delete('')
        const faults = [...wrong].join('\n')
        server.close(() => (faults ? reject(new Error(faults)) : resolve()))
        server.closeAllConnections()
      }),
  }
}

/** The signature as a receiver computes it, with another library than ours. */
export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex')

/** Waits until something holds; fails after `ms`. */
export async function until<T>(what: () => T | Promise<T>, ms = 5000): Promise<NonNullable<T>> {
  const end = Date.now() + ms
  for (;;) {
    const found = await what()
    if (found) return found
    if (Date.now() > end) throw new Error(`Not so within ${ms} ms: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
