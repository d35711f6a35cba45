import { ApiError, type Detail } from '#lib/core/errors.ts'
import type { EventFacts, EventTypeFacts, TakenFacts } from './facts.ts'
import type { HostFacts } from './host-facts.ts'
import { standInAt } from './stand-ins.ts'

/** Who of those who take turns is wanted: the one with an address, else those with some ids. */
export interface HostsNamed {
  teamMemberEmail?: string | undefined
  routedTeamMemberIds?: readonly number[] | undefined
  /** Leaves the address out of account. */
  skipContactOwner?: boolean | undefined
}

const refuse = (details: readonly Detail[]): never => {
  throw new ApiError('NOT_FOUND', 'Host does not exist', details)
}

/**
 * The ids of the hosts who are named; undefined where nobody is.
 * @throws NOT_FOUND for somebody who does not host the event type
 */
export function namedHosts(
  hosts: readonly HostFacts[],
  { teamMemberEmail, routedTeamMemberIds = [], skipContactOwner = false }: HostsNamed,
): ReadonlySet<number> | undefined {
  const known = new Set(hosts.map(h => h.userId))
  const unknown = routedTeamMemberIds.flatMap((id, at) =>
    known.has(id)
      ? []
      : [{ field: `routedTeamMemberIds.${at}`, message: 'does not host this event type' }],
  )
  if (unknown.length > 0) refuse(unknown)
  if (teamMemberEmail !== undefined && !skipContactOwner) {
    const email = teamMemberEmail.toLowerCase()
    const host = hosts.find(h => h.email.toLowerCase() === email)
    const message = 'nobody with this address hosts this event type'
    return new Set([host?.userId ?? refuse([{ field: 'teamMemberEmail', message }])])
  }
  return routedTeamMemberIds.length > 0 ? new Set(routedTeamMemberIds) : undefined
}

type Hosting = Pick<EventFacts, 'hosts' | 'standIns' | 'named'>

/** Whether a host is one of those who take turns. */
export const takesTurns = (type: EventTypeFacts, host: HostFacts): boolean =>
  type.schedulingType === 'roundRobin' && !host.isFixed

/** Who may be asked to host: all but those who take turns and are not among those who are named. */
export const hostsAsked = (
  type: EventTypeFacts,
  { hosts, named }: Pick<EventFacts, 'hosts' | 'named'>,
): HostFacts[] => hosts.filter(h => !named || !takesTurns(type, h) || named.has(h.userId))

/** Whether a meeting with seats is hosted by somebody whom who books may be led to. */
export function isWithNamed(
  type: EventTypeFacts,
  facts: Hosting,
  { start, hostIds }: Pick<TakenFacts, 'start' | 'hostIds'>,
): boolean {
  if (!facts.named) return true
  const turning = hostsAsked(type, facts).filter(h => takesTurns(type, h))
  if (turning.length === 0) return true
  const wanted = turning.flatMap(h => [h.userId, standInAt(facts, h, start)?.userId])
  return hostIds.some(id => wanted.includes(id))
}
