import { hashCommands, listCommands, setCommands } from './redis/collections.ts'
import { keyCommands } from './redis/keys.ts'
import { integer, Keyspace } from './redis/keyspace.ts'
import { createScriptRunner } from './redis/lua.ts'
import { sortedSetCommands } from './redis/sorted-sets.ts'
import { stringCommands } from './redis/strings.ts'
import { type RedisBackend, RedisError, type RedisReply } from './redis-backend.ts'

/**
 * A Redis in this process: strings, hashes, sets, sorted sets, lists, expiry and Lua. Every
 * command runs to its end before the next begins, so scripts and transactions are atomic. Its
 * content ends with the process: it holds rate limits and caches only.
 */
export function createMemoryRedis(now: () => number = Date.now): RedisBackend {
  const keyspace = new Keyspace(now)
  const commands = new Map(
    Object.entries({
      ...keyCommands(keyspace),
      ...stringCommands(keyspace),
      ...hashCommands(keyspace),
      ...setCommands(keyspace),
      ...sortedSetCommands(keyspace),
      ...listCommands(keyspace),
    }),
  )
  const call = ([name = '', ...args]: string[]): RedisReply => {
    const command = commands.get(name.toUpperCase())
    if (!command) throw new RedisError(`ERR unknown command '${name}'`)
    return command(...args)
  }
  const runScript = createScriptRunner(call)
  const run = (command: string[]): RedisReply => {
    const [name = '', script = '', keyCount, ...rest] = command
    if (name.toUpperCase() !== 'EVAL') return call(command)
    const count = integer(keyCount)
    return runScript(script, rest.slice(0, count), rest.slice(count))
  }
  // Expired keys that nobody asks for again would stay for ever.
  const sweep = setInterval(() => keyspace.keys(), 30_000).unref()
  return {
    call: async command => run(command),
    transaction: async list => list.map(command => attempt(() => run(command))),
    stop: async () => clearInterval(sweep),
  }
}

function attempt(run: () => RedisReply): RedisReply | RedisError {
  try {
    return run()
  } catch (error) {
    if (error instanceof RedisError) return error
    throw error
  }
}
