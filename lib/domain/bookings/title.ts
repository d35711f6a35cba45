import type { EventTypeFacts } from './facts.ts'

/** Who meets: the host's name, and that of who booked. */
interface Meeting {
  host: string
  attendee: string
  isSeated: boolean
}

/**
 * `30 minute meeting between Ann and Bob`, or the event type's own wording. In a meeting with seats
 * nobody who comes is named, for the others read it too.
 */
export function titleOf(
  { title, customName }: Pick<EventTypeFacts, 'title' | 'customName'>,
  { host, attendee, isSeated }: Meeting,
): string {
  if (customName)
    return customName
      .replaceAll('{Event type title}', title)
      .replaceAll('{Organiser}', host)
      .replaceAll('{Scheduler}', isSeated ? 'the group' : attendee)
  return isSeated ? `${title} with ${host}` : `${title} between ${host} and ${attendee}`
}

/** The name by which hosts are meant of whom none is chosen yet. */
export const nameOf = (hosts: readonly { name: string }[]): string =>
  hosts.length === 1 ? hosts[0]!.name : 'the team'
