import { type Base, instantIn } from '#lib/core/context.ts'
import type { Statement } from '#lib/db/client.ts'
import { retryDelaySeconds } from './backoff.ts'
import { type ClaimedDelivery, claimDeliveries, readClaimed } from './claim.ts'
import { type LaneLimits, Lanes } from './lanes.ts'
import { type DeliveryOutcome, recordDeliveries } from './outcomes.ts'
import { Courier, type TryOutcome } from './send.ts'

/**
 * How many deliveries are claimed in the first trip, and in others, how many finished ones are noted at
 * the latest, and how many are held for each that may be under way. The first is short, so that sending
 * begins soon.
 */
const FIRST = 100
const BATCH = 600
const NOTED = 300
const HELD_FOR_EACH = 25

/** So many that a run ends within a Worker's 10,000 outgoing requests, the trips included. */
const MAX_DELIVERIES = 8000

/**
 * Of what is under way at once, how much goes to one webhook, to one that is failing, and to all that
 * are failing: those never take the room of those that are not.
 */
const PART_TO_ONE = 3
const PART_TO_ONE_FAILING = 12
const PART_TO_FAILING = 3

/** What is finished is noted after so long, and the rest later: nothing waits for a slow receiver. */
const GRACE_MS = 200

/** When a run takes nothing more; what is under way by then ends within its 10 s. */
const RUN_MS = 30_000

/** How long what was not tried, because its receiver was silent, is put off. */
const RELEASED_SECONDS = 5

/** Which deliveries a run works off, and how many at most. */
export interface DeliveryScope {
  /** Those of one account; of all where it is left out. */
  accountId?: number
  limit?: number
}

/**
 * Sends what is due, batch after batch, until nothing is or the run has done its share: the next of
 * a subject as soon as the one before it has arrived. One trip for each batch, and one to begin with;
 * where much is due, it is claimed ahead of what is sent.
 * A failed one is tried again by lib/events/backoff.ts. Runs may overlap: each delivery is taken once.
 */
export async function deliverEvents(base: Base, scope: DeliveryScope = {}): Promise<void> {
  const run = new Run(base, scope)
  await run.work()
}

class Run {
  readonly #lanes: Lanes<ClaimedDelivery, DeliveryOutcome>
  readonly #courier: Courier
  #released: DeliveryOutcome[] = []
  /** Webhooks that have not answered: they are left alone until the next run. */
  readonly #silent = new Set<number>()
  readonly #mostHeld: number
  #left: number
  /** What was noted may have made room for the next of its subject, and nothing was claimed since. */
  #mayFollow = false

  constructor(
    private readonly base: Base,
    private readonly scope: DeliveryScope,
  ) {
    this.#left = scope.limit ?? MAX_DELIVERIES
    this.#mostHeld = HELD_FOR_EACH * base.settings.deliveriesAtOnce
    this.#courier = new Courier(base)
    this.#lanes = new Lanes(limitsOf(base.settings.deliveriesAtOnce), delivery =>
      this.#send(delivery),
    )
  }

  async work(): Promise<void> {
    const timer = setTimeout(() => this.#close(), RUN_MS)
    try {
      let isMore = await this.#exchange([], FIRST)
      while (isMore || this.#isOpen)
        isMore = isMore ? await this.#runAhead() : await this.#exchange(await this.#finished())
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether something is under way or to be noted, or may be due that was not a moment ago. */
  get #isOpen(): boolean {
    return this.#lanes.size > 0 || this.#released.length > 0 || (this.#mayFollow && this.#left > 0)
  }

  /** Takes nothing more, and puts back what was not begun. */
  #close(): void {
    this.#left = 0
    this.#release(this.#lanes.drop())
  }

  /** What is to be noted by now. */
  async #finished(): Promise<DeliveryOutcome[]> {
    const outcomes = await this.#lanes.take(NOTED, GRACE_MS)
    return [...outcomes, ...this.#released.splice(0)]
  }

  /** Claims, and notes what is finished, side by side: sending waits for neither. */
  async #runAhead(): Promise<boolean> {
    const noted = this.#finished().then(outcomes => this.#exchange(outcomes, 0))
    const [isMore] = await Promise.all([this.#exchange([]), noted])
    return isMore
  }

  /**
   * Notes outcomes and claims what is due by then, in one trip, and begins to send it.
   * @returns whether more may be due
   */
  async #exchange(outcomes: readonly DeliveryOutcome[], batch = BATCH): Promise<boolean> {
    const most = Math.min(batch, this.#left)
    const room = Math.min(most, this.#mostHeld - this.#lanes.size)
    const statements = [
      ...(outcomes.length > 0 ? [recordDeliveries(outcomes, instantIn(this.base))] : []),
      ...(room > 0 ? [this.#claim(room)] : []),
    ]
    if (statements.length === 0) return most > 0
    this.#mayFollow = room <= 0
    const results = await this.base.db.trip(statements)
    if (room <= 0) return most > 0
    const claimed = readClaimed(results.at(-1))
    this.#left -= claimed.length
    this.#lanes.add(claimed)
    return claimed.length === room && this.#left > 0
  }

  /** Nothing is claimed of a webhook that has not taken what was claimed before. */
  #claim(limit: number): Statement {
    const busy = new Set([...this.#silent, ...this.#lanes.stalled.map(d => d.webhook.id)])
    const { accountId } = this.scope
    return claimDeliveries(accountId, { limit, now: instantIn(this.base), busy: [...busy] })
  }

  async #send(delivery: ClaimedDelivery): Promise<DeliveryOutcome> {
    const { webhook } = delivery
    const outcome = await this.#courier.send(delivery).catch((error): TryOutcome => {
      console.error(`Delivery ${delivery.id} of account ${delivery.accountId}`, error)
      return { status: null, durationMs: 0, error: 'Could not be sent', isSilent: false }
    })
    // Who does not answer one request would keep each of the others waiting as long.
    if (outcome.isSilent) {
      this.#silent.add(webhook.id)
      this.#release(this.#lanes.drop(laneOf(delivery)))
    }
    return this.#judge(delivery, outcome)
  }

  #judge(delivery: ClaimedDelivery, outcome: TryOutcome): DeliveryOutcome {
    const { status: responseCode, durationMs, error } = outcome
    const { accountId, id, attempts, webhook } = delivery
    const tried = {
      ...{ accountId, webhookId: webhook.id, id, attempts },
      ...{ responseCode, durationMs, error },
    }
    if (error === null) return { ...tried, status: 'delivered', nextAt: null }
    const delay = retryDelaySeconds(attempts, random())
    if (delay === undefined) return { ...tried, status: 'failed', nextAt: null }
    return { ...tried, status: 'pending', nextAt: instantIn(this.base, delay) }
  }

  #release(deliveries: readonly ClaimedDelivery[]): void {
    for (const { accountId, id, attempts, webhook } of deliveries)
      this.#released.push({
        ...{ accountId, webhookId: webhook.id, id, attempts, status: 'released' },
        ...{ responseCode: null, durationMs: null, error: null },
        nextAt: instantIn(this.base, RELEASED_SECONDS),
      })
  }
}

function limitsOf(total: number): LaneLimits<ClaimedDelivery, DeliveryOutcome> {
  const part = (n: number) => Math.ceil(total / n)
  return {
    total,
    lane: laneOf,
    perLane: ({ webhook }) => part(webhook.isFailing ? PART_TO_ONE_FAILING : PART_TO_ONE),
    isGood: ({ status }) => status === 'delivered',
    isSlow: ({ webhook }) => webhook.isFailing,
    slowTotal: part(PART_TO_FAILING),
  }
}

const laneOf = ({ accountId, webhook }: ClaimedDelivery): string => `${accountId}:${webhook.id}`

/** From 0 to 1. */
const random = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
