import type { Claim } from '#lib/core/idempotency.ts'
import type { Cells, Statement } from './client.ts'
import type { Queue } from './query.ts'

/** Who acts on an account, for the audit log and for what must happen before a write. */
export interface Actor {
  userId: number | null
  via: string
  requestId: string
  now: Date
  /** Resolves once the rate limit let the request pass. */
  admission(): Promise<void>
  /** The request's Idempotency-Key, if it has one. */
  claim?: Claim | undefined
  /** Told what a write has queued something for, once it is committed. */
  onQueued?: ((queues: ReadonlySet<Queue>) => void) | undefined
}

/** What a write has to know of the account that it changes: who acts on it, and the way there. */
export interface Acting {
  readonly accountId: number
  readonly actor: Actor
  /** Runs statements in one trip. */
  trip(statements: readonly Statement[]): Promise<Cells[]>
}
