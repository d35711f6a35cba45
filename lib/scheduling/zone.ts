import { DAY, formatWallClock, pad } from './dates.ts'

/**
 * A stretch of time with one UTC offset. `start` and `end` are UTC minutes, `offset` is minutes
 * east of UTC, and `[localStart, localEnd)` the wall-clock minutes that **first** occur in it:
 * where clocks go back, the repeated part belongs to the stretch before, so one list's local
 * ranges never overlap; where clocks go forward, they leave a gap.
 */
export interface Stretch {
  start: number
  end: number
  offset: number
  localStart: number
  localEnd: number
}

interface Block {
  start: number
  end: number
  /** `[start, offset, start, offset, …]`, the first start being the block's. */
  changes: number[]
}

interface Zone {
  format: (milliseconds: number) => string
  blocks: Map<number, Block>
  last: Block | undefined
}

/** Offsets are found and kept per block of 2^17 minutes, about 91 days. */
const BLOCK = 2 ** 17
/** Probes stand 2^13 minutes (5.7 days) apart; no zone since 1970 changed twice within that. */
const STEP = 2 ** 13
/** Two days: no local date is further from its UTC date, even where a day was skipped. */
const MARGIN = 2 * DAY
const MAX_ZONES = 1000
const MAX_BLOCKS = 400

// Pure memo: what is kept follows from the name alone. Bounded, because names come from callers.
const zones = new Map<string, Zone>()

/**
 * Minutes east of UTC at an instant. Whole minutes, as every zone has had since 1972; the odd
 * seconds of earlier local mean times are rounded. Throws a RangeError for an unknown zone.
 */
export function offsetAt(zone: string, minutes: number): number {
  const { changes } = blockAt(zoneOf(zone), minutes)
  let i = changes.length - 2
  while (i > 0 && changes[i]! > minutes) i -= 2
  return changes[i + 1]!
}

/** The day number of the local date at an instant. */
export function localDay(zone: string, minutes: number): number {
  return Math.floor((minutes + offsetAt(zone, minutes)) / DAY)
}

/**
 * The instant at which the zone's clocks first show this wall-clock time. A time they skip gives
 * the instant of the change; one they show twice gives the first. `minuteOfDay` may be 1440 or
 * more and then means the days after.
 */
export function toUtc(zone: string, day: number, minuteOfDay: number): number {
  const local = day * DAY + minuteOfDay
  for (const { localStart, localEnd, offset } of timeline(zone, local, local)) {
    if (local < localEnd) return Math.max(local, localStart) - offset
  }
  throw new RangeError(`No instant in ${zone} for local minute ${local}`)
}

/**
 * The stretches that cover `[from, to]` and at least two days on both sides, in order. Stretches
 * with the same offset are one. Cost grows with the window: a few microseconds a year.
 */
export function timeline(zone: string, from: number, to: number): Stretch[] {
  const known = zoneOf(zone)
  const stop = to + MARGIN
  const out: Stretch[] = []
  let reached = Number.NEGATIVE_INFINITY
  for (let block = blockAt(known, from - MARGIN); ; block = blockAt(known, block.end)) {
    for (let i = 0; i < block.changes.length; i += 2) {
      const start = block.changes[i]!
      const offset = block.changes[i + 1]!
      const end = i + 2 < block.changes.length ? block.changes[i + 2]! : block.end
      const last = out.at(-1)
      if (last?.offset === offset) {
        last.end = end
        last.localEnd = end + offset
      } else {
        if (last) reached = Math.max(reached, last.localEnd)
        const localStart = Math.max(reached, start + offset)
        out.push({ start, end, offset, localStart, localEnd: end + offset })
      }
    }
    if (block.end > stop) return out
  }
}

/** `2026-03-08T17:00:00.000Z`, to the millisecond. */
export function formatUtc(minutes: number): string {
  return `${formatWallClock(minutes)}Z`
}

/** `2026-03-08T09:00:00.000-08:00`: the same instant as the zone's clocks show it. */
export function formatLocal(zone: string, minutes: number): string {
  const offset = offsetAt(zone, minutes)
  return formatWallClock(minutes + offset) + offsetText(offset)
}

const offsetTexts = new Map<number, string>()

function offsetText(offset: number): string {
  const known = offsetTexts.get(offset)
  if (known !== undefined) return known
  const size = Math.abs(offset)
  const text = `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
  offsetTexts.set(offset, text)
  return text
}

function zoneOf(name: string): Zone {
  const known = zones.get(name)
  if (known) return known
  const { format } = formatter(name)
  const zone = { format, blocks: new Map<number, Block>(), last: undefined }
  if (zones.size >= MAX_ZONES) zones.clear()
  zones.set(name, zone)
  return zone
}

/** One formatter a zone: making one costs a hundred times what using it does. */
function formatter(name: string): Intl.DateTimeFormat {
  try {
    // Some engines take "+05:30" for a zone; it is not one, it never changes its clocks.
    if (/^[A-Za-z]/.test(name)) {
      return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
    }
  } catch {
    // The engine's message varies; the one below is ours.
  }
  throw new RangeError(`Unknown time zone: "${name}"`)
}

function blockAt(zone: Zone, minutes: number): Block {
  const { last } = zone
  if (last && minutes >= last.start && minutes < last.end) return last
  const number = Math.floor(minutes / BLOCK)
  let block = zone.blocks.get(number)
  if (!block) {
    block = readBlock(zone, number * BLOCK)
    if (zone.blocks.size >= MAX_BLOCKS) zone.blocks.clear()
    zone.blocks.set(number, block)
  }
  zone.last = block
  return block
}

function readBlock(zone: Zone, start: number): Block {
  const end = start + BLOCK
  let offset = probe(zone, start)
  const changes = [start, offset]
  for (let at = start; at < end; at += STEP) {
    // The last probe is the next block's first minute, less one: its own change is not ours.
    const next = Math.min(at + STEP, end - 1)
    const found = probe(zone, next)
    if (found === offset) continue
    const change = findChange(zone, at, next, offset)
    offset = found
    changes.push(change, offset)
  }
  return { start, end, changes }
}

/** The first minute in `(from, to]` at which the offset is no longer `before`. */
function findChange(zone: Zone, from: number, to: number, before: number): number {
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (probe(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

/** Reads the offset off the end of `3/8/2026, GMT-08:00`; UTC itself may read `GMT` alone. */
function probe(zone: Zone, minutes: number): number {
  const text = zone.format(minutes * 60_000)
  const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
  if (!match) throw new RangeError(`No UTC offset in "${text}"`)
  const size = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0) + Number(match[4] ?? 0) / 60
  // `+ 0` so that a zone at GMT-00:00 does not get a negative zero.
  return Math.round(match[1] === '-' ? -size : size) + 0
}
