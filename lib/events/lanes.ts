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

interface Lane<T> {
  readonly waiting: T[]
  running: number
  allowed: number
  /** Something was finished since it was taken last. */
  moves: boolean
  /** Nothing was, between the last two times. */
  stood: boolean
}

const newLane = <T>(): Lane<T> => ({
  waiting: [],
  running: 0,
  allowed: 1,
  moves: false,
  stood: false,
})

/**
 * Works on items side by side, so many at once and so many of one lane, the lanes taking turns. A lane
 * begins with one item, and takes twice as many after each that went well: one that is stuck holds up
 * nothing but itself.
 */
export class Lanes<T, R> {
  #finished: R[] = []
  readonly #lanes = new Map<string, Lane<T>>()
  /** Those in which something waits, whose turn it is first. */
  readonly #turns = new Set<Lane<T>>()
  /** How many finished ones are waited for. */
  #wanted = 1
  #wake = () => {}
  #waiting = 0
  #total = 0
  #slow = 0

  constructor(
    private readonly limits: LaneLimits<T, R>,
    private readonly work: (item: T) => Promise<R>,
  ) {}

  /** How many were added and not taken out again. */
  get size(): number {
    return this.#waiting + this.#total + this.#finished.length
  }

  /** What waits in lanes in which nothing was finished between the last two times of taking. */
  get stalled(): readonly T[] {
    return [...this.#turns].flatMap(lane => (lane.stood ? lane.waiting : []))
  }

  /** Adds items and begins with as many as may be under way. */
  add(items: readonly T[]): void {
    for (const item of items) {
      const lane = this.#laneOf(item)
      lane.waiting.push(item)
      this.#turns.add(lane)
    }
    this.#waiting += items.length
    this.#start()
  }

  /** Takes back what was not begun: of one lane, or of all. */
  drop(name?: string): T[] {
    const lanes = name === undefined ? [...this.#turns] : [this.#lanes.get(name)]
    const dropped: T[] = []
    for (const lane of lanes)
      if (lane) {
        dropped.push(...lane.waiting.splice(0))
        this.#turns.delete(lane)
      }
    this.#waiting -= dropped.length
    return dropped
  }

  /**
   * Waits until `count` are finished, or everything is; once something is, for `graceMs` at most.
   * @returns what was finished since the last time
   */
  async take(count: number, graceMs: number): Promise<R[]> {
    await this.#until(1)
    const grace = setTimeout(() => this.#wake(), graceMs)
    await this.#until(count)
    clearTimeout(grace)
    for (const lane of this.#lanes.values()) {
      lane.stood = !lane.moves
      lane.moves = false
    }
    return this.#finished.splice(0)
  }

  #laneOf(item: T): Lane<T> {
    const name = this.limits.lane(item)
    const lane = this.#lanes.get(name) ?? newLane<T>()
    this.#lanes.set(name, lane)
    return lane
  }

  /** Waits until so many are finished, or nothing is under way, or it is woken. */
  async #until(count: number): Promise<void> {
    this.#wanted = count
    if (this.#hasEnough) return
    await new Promise<void>(resolve => {
      this.#wake = resolve
    })
  }

  get #hasEnough(): boolean {
    return this.#finished.length >= this.#wanted || this.#total === 0
  }

  /** A lane that has had its turn goes to the end, where this very walk meets it again. */
  #start(): void {
    for (const lane of this.#turns) {
      if (this.#total >= this.limits.total) return
      const item = lane.waiting[0]
      if (item === undefined || !this.#hasRoom(lane, item)) continue
      this.#turns.delete(lane)
      lane.waiting.shift()
      this.#waiting--
      if (lane.waiting.length > 0) this.#turns.add(lane)
      this.#run(lane, item)
    }
  }

  #hasRoom(lane: Lane<T>, item: T): boolean {
    if (this.limits.isSlow(item) && this.#slow >= this.limits.slowTotal) return false
    return lane.running < lane.allowed
  }

  #learn(lane: Lane<T>, item: T, result: R): void {
    const twice = 2 * lane.allowed
    lane.allowed = this.limits.isGood(result) ? Math.min(this.limits.perLane(item), twice) : 1
    lane.moves = true
  }

  #count(lane: Lane<T>, item: T, by: 1 | -1): void {
    lane.running += by
    this.#total += by
    if (this.limits.isSlow(item)) this.#slow += by
  }

  async #run(lane: Lane<T>, item: T): Promise<void> {
    this.#count(lane, item, 1)
    try {
      const result = await this.work(item)
      this.#learn(lane, item, result)
      this.#finished.push(result)
    } finally {
      this.#count(lane, item, -1)
      this.#start()
      if (this.#hasEnough) this.#wake()
    }
  }
}
