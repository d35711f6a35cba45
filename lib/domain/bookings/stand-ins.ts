import type { EventFacts } from './facts.ts'
import type { AwayFacts, HostFacts } from './host-facts.ts'

type People = Pick<EventFacts, 'hosts' | 'standIns'>

/** Somebody among the hosts, or those who take over from them. */
const find = ({ hosts, standIns }: People, userId: number): HostFacts | undefined =>
  hosts.find(h => h.userId === userId) ?? standIns.find(h => h.userId === userId)

/**
 * Who hosts in the place of a host at an instant: they themselves or, while they are away, whoever
 * takes over from them. Undefined when nobody does. The turn remains that of the host.
 */
export function standInAt(people: People, host: HostFacts, start: number): HostFacts | undefined {
  const seen = new Set<number>()
  let who: HostFacts | undefined = host
  while (who && !seen.has(who.userId)) {
    const absence: AwayFacts | undefined = who.away.find(a => a.start <= start && start < a.end)
    if (!absence)
      return who === host ? host : { ...who, isFixed: host.isFixed, turnOf: host.userId }
    seen.add(who.userId)
    who = absence.toUserId === null ? undefined : find(people, absence.toUserId)
  }
  return undefined
}

/** Who hosts at an instant in the places of some hosts, each person once. */
export function hostsAt(people: People, places: readonly HostFacts[], start: number): HostFacts[] {
  const found = new Map<number, HostFacts>()
  for (const place of places) {
    const who = standInAt(people, place, start) ?? place
    if (!found.has(who.userId)) found.set(who.userId, who)
  }
  return [...found.values()]
}

/** The host on whose turn somebody hosts. */
export const turnOf = ({ turnOf, userId }: HostFacts): number => turnOf ?? userId

/**
 * When a host is free in `[from, to)`, or else whoever takes over from them: who begins within an
 * absence is met by the stand-in. `startsOf` answers when one person is free while they are there.
 */
export function coveredStarts(
  people: People,
  host: HostFacts,
  startsOf: (who: HostFacts, from: number, to: number) => number[],
  from: number,
  to: number,
  seen: readonly number[] = [],
): number[] {
  const own = startsOf(host, from, to)
  const covered = host.away.flatMap(({ start, end, toUserId }) => {
    const standIn = toUserId === null ? undefined : find(people, toUserId)
    const [first, last] = [Math.max(from, start), Math.min(to, end)]
    if (!standIn || first >= last || seen.includes(standIn.userId)) return []
    return coveredStarts(people, standIn, startsOf, first, last, [...seen, host.userId])
  })
  return covered.length === 0 ? own : [...new Set([...own, ...covered])].sort((a, b) => a - b)
}
