import type { Visitor } from '#lib/core/context.ts'
import type { HostsNamed } from './named.ts'
import { enterByEventType } from './read.ts'
import type { SlotsQuery } from './schema.ts'
import { type SlotsByDay, slotsOf } from './slots.ts'

/** The slots of an event type, for anybody who would book it. */
export async function listOpenSlots(
  v: Visitor,
  {
    eventTypeId,
    ...asked
  }: Pick<SlotsQuery, 'start' | 'end' | 'timeZone' | 'duration'> &
    HostsNamed & { eventTypeId: number },
): Promise<SlotsByDay> {
  const tenant = await enterByEventType(v, eventTypeId)
  return slotsOf(v, tenant, eventTypeId, asked)
}
