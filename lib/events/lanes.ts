/** How many of what may be under way at once. */
export interface LaneLimits<T, R> {
  total: number
  /** The lane that an item goes in, such as its receiver. */
  lane(item: T): string
  /** How many of an item's lane, once it has shown that it moves. */
  perLane(item: T): number
  /** Whether a result shows that. */
  isGood(result: R): boolean
  /** Whether an item counts among those that together may take `slowTotal`. */
  isSlow(item: T): boolean
  slowTotal: number
}

/**
 * Works on items side by side, so many at once and so many of one lane. A lane begins with one item,
 * and takes twice as many after each that went well: one that is stuck holds up nothing but itself.
 */
export class Lanes<T, R> {
  #waiting: T[] = []
  #finished: R[] = []
  readonly #running = new Map<string, number>()
  readonly #allowed = new Map<string, number>()
  /** Lanes in which something was finished since it was taken last, and before that. */
  #moving = new Set<string>()
  #moved: ReadonlySet<string> | undefined
  #total = 0
  #slow = 0
  #wake = () => {}

  constructor(
    private readonly limits: LaneLimits<T, R>,
    private readonly work: (item: T) => Promise<R>,
  ) {}

  /** How many were added and not taken out again. */
  get size(): number {
    return this.#waiting.length + this.#total + this.#finished.length
  }

  /** What waits in lanes in which nothing was finished between the last two times of taking. */
  get stalled(): readonly T[] {
    const stood = (item: T) => this.#moved?.has(this.limits.lane(item)) === false
    return this.#waiting.filter(stood)
  }

  /** Adds items and begins with as many as may be under way. */
  add(items: readonly T[]): void {
    this.#waiting.push(...items)
    this.#start()
  }

  /** Takes back what was not begun: of one lane, or of all. */
  drop(lane?: string): T[] {
    const isDropped = (item: T) => lane === undefined || this.limits.lane(item) === lane
    const dropped = this.#waiting.filter(isDropped)
    this.#waiting = this.#waiting.filter(item => !isDropped(item))
    return dropped
  }

  /**
   * Waits until `count` are finished, or everything is; once something is, for `graceMs` at most.
   * @returns what was finished since the last time
   */
  async take(count: number, graceMs: number): Promise<R[]> {
    while (this.#finished.length === 0 && this.#total > 0) await this.#change()
    const grace = new Promise<'over'>(resolve => setTimeout(resolve, graceMs, 'over'))
    while (this.#total > 0 && this.#finished.length < count)
      if ((await Promise.race([this.#change(), grace])) === 'over') break
    this.#moved = this.#moving
    this.#moving = new Set()
    return this.#finished.splice(0)
  }

  #change(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
    })
  }

  #start(): void {
    for (let i = 0; i < this.#waiting.length && this.#total < this.limits.total; ) {
      const item = this.#waiting[i]!
      if (this.#hasRoom(item)) {
        this.#waiting.splice(i, 1)
        this.#run(item)
      } else i++
    }
  }

  #hasRoom(item: T): boolean {
    const { isSlow, slowTotal } = this.limits
    if (isSlow(item) && this.#slow >= slowTotal) return false
    const lane = this.limits.lane(item)
    return (this.#running.get(lane) ?? 0) < (this.#allowed.get(lane) ?? 1)
  }

  #learn(item: T, result: R): void {
    const lane = this.limits.lane(item)
    const twice = 2 * (this.#allowed.get(lane) ?? 1)
    const next = this.limits.isGood(result) ? Math.min(this.limits.perLane(item), twice) : 1
    this.#allowed.set(lane, next)
  }

  #count(item: T, by: 1 | -1): void {
    const lane = this.limits.lane(item)
    this.#running.set(lane, (this.#running.get(lane) ?? 0) + by)
    this.#total += by
    if (this.limits.isSlow(item)) this.#slow += by
  }

  async #run(item: T): Promise<void> {
    this.#count(item, 1)
    try {
      const result = await this.work(item)
      this.#learn(item, result)
      this.#moving.add(this.limits.lane(item))
      this.#finished.push(result)
    } finally {
      this.#count(item, -1)
      this.#start()
      this.#wake()
    }
  }
}
