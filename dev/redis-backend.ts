/** What a Redis command answers, as RESP2 has it. */
export type RedisReply = string | number | null | RedisReply[]

/** An error reply: the message begins with its code (`ERR`, `WRONGTYPE`, `NOSCRIPT`). */
export class RedisError extends Error {
  override name = 'RedisError'
}

/** What the REST facade stands in front of. */
export interface RedisBackend {
  /** Runs one command, EVAL included; rejects with a RedisError when Redis refuses it. */
  call(command: string[]): Promise<RedisReply>
  /** Runs commands without any other in between; one that is refused does not undo the rest. */
  transaction(commands: string[][]): Promise<(RedisReply | RedisError)[]>
  stop(): Promise<void>
}
