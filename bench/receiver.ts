// A receiver of webhooks in a process of its own, so that its CPU can be told from others'. Paths that
// end in a number are answered after so many milliseconds.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  const answer = () => response.writeHead(200, { 'content-length': 0 }).end()
  const delay = Number(request.url?.split('/').at(-1))
  request.resume().on('end', () => (delay ? setTimeout(answer, delay) : answer()))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
