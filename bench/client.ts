import { Agent, request } from 'node:http'

/** A request to a Worker. */
export interface Ask {
  method: 'GET' | 'POST'
  path: string
  key: string
  body?: string
  headers?: Record<string, string>
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Lets go of all connections. */
export const closeConnections = (): void => agent.destroy()

/** Sends a request over a connection that is kept; anything but `status` is an error. */
export function send(port: number, ask: Ask, status: number): Promise<string> {
  const { method, path, key, body } = ask
  const headers: Record<string, string | number> = { 'cal-api-key': key, ...ask.headers }
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    headers['content-length'] = Buffer.byteLength(body)
  }
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        if (answer.statusCode === status) resolve(text)
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Milliseconds of each of `count` runs of `work`, `clients` at a time, and of all together. */
export async function time(
  count: number,
  clients: number,
  work: () => Promise<unknown>,
): Promise<{ each: number[]; all: number }> {
  const each: number[] = []
  let left = count
  const client = async () => {
    while (left-- > 0) {
      const start = performance.now()
      await work()
      each.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  return { each, all: performance.now() - start }
}
