// The bare loop in Node, in a process of its own: what it is asked for over HTTP, as a Worker is.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type Order, sendPlainly } from './loop.ts'

const server = createServer(async (request, response) => {
  await sendPlainly((await json(request)) as Order)
  response.setHeader('content-type', 'application/json').end('{"trips":0}')
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
