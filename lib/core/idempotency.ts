import type { Cells, Statement } from '#lib/db/client.ts'
import { ApiError, invalid } from './errors.ts'
import { randomText } from './text.ts'

/** How the answer around a result is written: the status, and what stands before and after it. */
export interface Envelope {
  status: number
  prefix: string
  suffix: string
}

/** The answer that an earlier request with the same key was given, thrown to be repeated. */
export class Replay extends Error {
  constructor(
    readonly status: number,
    readonly contentType: string,
    readonly body: string,
  ) {
    super('replay')
  }
}

/** An earlier request with the same key has no answer yet. */
export class UnderWay extends ApiError {
  constructor() {
    super('CONFLICT', 'The first request with this Idempotency-Key is still running')
  }
}

/** The most characters that a key has. */
export const MAX_KEY = 255

const KEPT_MS = 24 * 60 * 60 * 1000
const LEASE_MS = 60 * 1000
const JSON_TYPE = 'application/json'

const CLAIM = `with claimed as (
  insert into idempotency_keys as k (scope, key, fingerprint, token, lease_until, expires_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (scope, key) do update
    set fingerprint = excluded.fingerprint, token = excluded.token,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at,
        status = null, content_type = null, body = null
    where k.expires_at <= $7
       or (k.status is null and k.lease_until <= $7 and k.fingerprint = excluded.fingerprint)
  returning token
)
select token, null, null, null, null from claimed
union all
select null, fingerprint, status::text, content_type, body from idempotency_keys
where scope = $1 and key = $2 and not exists (select from claimed)`

const TELL = `update idempotency_keys set status = 200, content_type = $4, body = $5
where scope = $1 and key = $2 and token = $3`

const STORE = `update idempotency_keys set status = $3, content_type = $4, body = $5
where scope = $1 and key = $2 and token = $6 and status is null`

/**
 * One request's hold on its Idempotency-Key. The key is claimed in the request's first trip and its
 * answer stored in the batch that writes, so a crash can neither lose a change nor repeat it.
 */
export class Claim {
  made = false
  stored = false
  envelope: Envelope = { status: 200, prefix: '', suffix: '' }
  protected readonly token = randomText(12)
  constructor(
    protected readonly scope: string,
    protected readonly key: string,
    private readonly fingerprint: string,
    private readonly now: Date,
  ) {}

  /** Claims the key, or reads what is known of it. */
  statement(): Statement {
    const at = this.now.getTime()
    const lease = new Date(at + LEASE_MS).toISOString()
    const end = new Date(at + KEPT_MS).toISOString()
    const now = this.now.toISOString()
    return {
      text: CLAIM,
      params: [this.scope, this.key, this.fingerprint, this.token, lease, end, now],
    }
  }

  /** Reads the claim's result: goes on, repeats the first answer, or refuses. */
  settle(cells: Cells): void {
    // Whoever claimed it after our statement began is not seen by it, only waited for: no row.
    const [token, fingerprint, status, contentType, body] = cells[0] ?? [null, this.fingerprint]
    if (token === this.token) {
      this.made = true
      return
    }
    if (fingerprint !== this.fingerprint)
      invalid({ field: 'Idempotency-Key', message: 'was used before for another request' })
    if (status == null) throw new UnderWay()
    if (body == null) this.refuseUntold()
    throw new Replay(Number(status), contentType ?? JSON_TYPE, body)
  }

  /** The first request was carried out, and nothing is kept of its answer. */
  protected refuseUntold(): never {
    throw new ApiError(
      'CONFLICT',
      'The first request with this Idempotency-Key was carried out; its answer held a secret, which is shown once',
    )
  }

  /**
   * Stores the answer in the batch that makes the change; once it is committed, `stored` is to be
   * set. `result` is JSON text, or a statement whose one cell is.
   */
  storing(result: string | Statement): Statement {
    const { status, prefix, suffix } = this.envelope
    const guard = [this.scope, this.key, this.token]
    if (typeof result === 'string') {
      const body = prefix + result + suffix
      return { text: mustStore(0, '$4'), params: [...guard, body, status, JSON_TYPE] }
    }
    const n = result.params.length
    return {
      text: `with answer(j) as (${result.text}) ${mustStore(n, `$${n + 4}::text || (select j::text from answer) || $${n + 7}::text`)}`,
      params: [...result.params, ...guard, prefix, status, JSON_TYPE, suffix],
    }
  }

  /** Notes in the batch that the request was carried out, without its answer, which holds a secret. */
  noting(): Statement {
    const { status } = this.envelope
    const params = [this.scope, this.key, this.token, null, status, JSON_TYPE]
    return { text: mustStore(0, '$4::text'), params }
  }

  /** Stores an answer that no batch stored: a refusal, or a result made after the commit. */
  keeping(status: number, contentType: string, body: string): Statement {
    return {
      text: STORE,
      params: [this.scope, this.key, status, contentType, body, this.token],
    }
  }

  /** Gives the key back after a fault of ours, so that it can be tried again. */
  releasing(): Statement {
    return {
      text: 'delete from idempotency_keys where scope = $1 and key = $2 and token = $3 and status is null',
      params: [this.scope, this.key, this.token],
    }
  }
}

/** An earlier press was carried out, and has not told yet what came of it. */
export class Untold extends UnderWay {}

/**
 * A press of a button, of which is kept what the page after it says. That is known once the work is done:
 * the batch that makes the change notes just that it was made, so that no other press makes it again.
 */
export class PressClaim extends Claim {
  override storing(): Statement {
    return this.noting()
  }

  protected override refuseUntold(): never {
    throw new Untold()
  }

  /** Keeps what other presses are told of it, as JSON text. */
  telling(body: string): Statement {
    return { text: TELL, params: [this.scope, this.key, this.token, JSON_TYPE, body] }
  }
}

/** Aborts the batch when another request has taken the key over meanwhile. */
const mustStore = (n: number, body: string): string => `${n ? ', ' : 'with '}stored as (
  update idempotency_keys set body = ${body}, status = $${n + 5}, content_type = $${n + 6}
  where scope = $${n + 1} and key = $${n + 2} and token = $${n + 3} and status is null returning 1
) select must(exists(select from stored), 'idempotency_keys_claim')`
