import { parentPort, workerData } from 'node:worker_threads'
import { Failure, messageOf } from './failure.ts'
import { connectRedis } from './redis-client.ts'
import { RedisFaults } from './redis-fault.ts'
import { createMemoryRedis } from './redis-memory.ts'
import type { FromThread, RedisThreadOptions, ToThread } from './redis-thread.ts'
import { startUpstashEndpoint } from './upstash.ts'

// The thread that redis-thread.ts starts: Redis's REST interface on an event loop of its own.
const { token, redisUrl, trips } = workerData as RedisThreadOptions
const send = (message: FromThread) => parentPort?.postMessage(message)

async function main(): Promise<void> {
  const backend = redisUrl ? await connectRedis(redisUrl) : createMemoryRedis()
  const faults = new RedisFaults()
  const count = () => Atomics.add(trips, 0, 1)
  const endpoint = await startUpstashEndpoint({ backend, token, faults, count })
  parentPort?.on('message', async (message: ToThread) => {
    if (message.kind === 'stop') {
      await endpoint.stop()
      send({ kind: 'stopped' })
      parentPort?.close()
    } else {
      const request = new Request('http://redis/fault', { method: 'POST', body: message.body })
      const answer = await faults.order(request)
      send({ kind: 'ordered', id: message.id, status: answer.status, body: await answer.text() })
    }
  })
  send({ kind: 'ready', url: endpoint.url })
}

main().catch(error =>
  send({ kind: 'failed', message: messageOf(error), forPeople: error instanceof Failure }),
)
