import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.ts'

/** An HTTP server on 127.0.0.1. */
export interface LoopbackServer {
  port: number
  stop(): Promise<void>
}

/** A reply of a loopback service; `body` is sent as JSON. */
export interface JsonReply {
  status: number
  body: unknown
}

/**
 * Serves JSON on a free port of 127.0.0.1. `answer` gets the request and its whole body and must
 * not throw: a thrown error becomes a plain 500.
 */
export async function serveJson(
  answer: (request: IncomingMessage, body: string) => Promise<JsonReply>,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      answer(request, Buffer.concat(chunks).toString('utf8')).then(
        reply => sendJson(response, reply),
        error => sendJson(response, { status: 500, body: { message: String(error) } }),
      )
    })
  })
  // workerd keeps its connections open; closing them first would race with its next request.
  server.keepAliveTimeout = 120_000
  const port = await listen(server, 0)
  return {
    port,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function sendJson(response: ServerResponse, reply: JsonReply): void {
  const text = JSON.stringify(reply.body)
  response
    .writeHead(reply.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    .end(text)
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export function findFreePort(): Promise<number> {
  return probePort(0, '127.0.0.1')
}

/** A process that was just ended lets go of its port a moment later. */
const PORT_PATIENCE_MILLISECONDS = 500

/** The line for the person whose port cannot be had. */
export const portTaken = (port: number, reason = 'is taken'): Failure =>
  new Failure(
    `Port ${port} ${reason}: stop the program that uses it, or choose another, for example PORT=${port + 1} npm start`,
  )

/** Fails with a line for the person when `port` cannot be listened on. */
export async function requireFreePort(port: number): Promise<void> {
  const deadline = Date.now() + PORT_PATIENCE_MILLISECONDS
  for (const host of ['127.0.0.1', '::1']) {
    try {
      await probeUntil(deadline, port, host)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      // A machine without IPv6 has no ::1 to be taken.
      if (host === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue
      throw portTaken(port, code === 'EACCES' ? 'needs more rights than you have' : 'is taken')
    }
  }
}

async function probeUntil(deadline: number, port: number, host: string): Promise<void> {
  for (;;) {
    try {
      await probePort(port, host)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > deadline)
        throw error
      await sleep(50)
    }
  }
}

function probePort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createSocketServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const found = (server.address() as AddressInfo).port
      server.close(() => resolve(found))
    })
  })
}
