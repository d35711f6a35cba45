/**
 * Somebody who can host. Turns are given in proportion to `weight`. `assigned` counts the turns that
 * were had, `calibration` is what was credited on joining (see `calibrate`), so that both together
 * are a host's turns.
 */
export interface Host {
  readonly id: number
  readonly weight: number
  readonly assigned: number
  readonly calibration: number
  /** Hosts every meeting and takes no turns. */
  readonly isFixed?: boolean
  /** Goes first among hosts whose turn it is equally; 0 where nothing is said. */
  readonly priority?: number
}

/** What a host is to be from now on. */
export type HostShare = Pick<Host, 'id' | 'weight' | 'isFixed'>

const turnsOf = (host: Host): number => host.assigned + host.calibration
const takesTurns = (host: HostShare): boolean => !host.isFixed && host.weight > 0

/**
 * Whose turn it is among those who take turns and are available; undefined when nobody is.
 *
 * After T turns a host of weight w is due w·T/W of them, W being the sum of all weights. Of the hosts
 * who would not run ahead of their due by another turn, the one goes next whose due reaches their
 * next turn first: the smallest (n + 1) / w. Each turn so has a window to be given in, and choosing
 * by the earliest end of a window keeps all of them (S. Baruah et al., "Proportionate Progress",
 * 1996, for one resource): while everybody is available, nobody is ever a whole turn off their due.
 * Equal ends: the higher priority, then the lower id.
 *
 * Who was not available takes their turns later. A weight of 0 gets turns only where nobody else
 * could: then the one who had the fewest.
 */
export function nextHost(
  hosts: readonly Host[],
  available: ReadonlySet<number>,
): number | undefined {
  const turning = hosts.filter(takesTurns)
  const free = turning.filter(host => available.has(host.id))
  if (free.length === 0) {
    const spare = hosts.filter(host => !host.isFixed && available.has(host.id))
    return first(spare, turnsOf)
  }
  const weights = sum(turning, host => host.weight)
  const turns = sum(turning, turnsOf)
  const due = free.filter(host => turnsOf(host) * weights < host.weight * (turns + 1))
  return first(due.length > 0 ? due : free, host => (turnsOf(host) + 1) / host.weight)
}

/**
 * The calibration of each of `wanted`, in their order, when they become the hosts. Who goes on as
 * before keeps theirs. Who is new, or has another weight, is credited with what their weight had been
 * due by now: they neither catch up nor wait.
 * @param current the hosts until now, whether they stay or not
 */
export function calibrate(current: readonly Host[], wanted: readonly HostShare[]): number[] {
  const known = new Map(current.map(host => [host.id, host]))
  const unchanged = (share: HostShare): Host | undefined => {
    const host = known.get(share.id)
    const isSame = host && host.weight === share.weight && !host.isFixed === !share.isFixed
    return isSame ? host : undefined
  }
  const staying = wanted
    .map(unchanged)
    .filter(host => host !== undefined)
    .filter(takesTurns)
  const weights = sum(staying, host => host.weight)
  const turnsByWeight = weights === 0 ? 0 : sum(staying, turnsOf) / weights
  return wanted.map(share => {
    const host = unchanged(share)
    if (host) return host.calibration
    const had = known.get(share.id)?.assigned ?? 0
    return takesTurns(share) ? share.weight * turnsByWeight - had : 0
  })
}

function first(hosts: readonly Host[], rank: (host: Host) => number): number | undefined {
  const [best] = hosts.toSorted(
    (a, b) => rank(a) - rank(b) || (b.priority ?? 0) - (a.priority ?? 0) || a.id - b.id,
  )
  return best?.id
}

const sum = (hosts: readonly Host[], value: (host: Host) => number): number =>
  hosts.reduce((total, host) => total + value(host), 0)
