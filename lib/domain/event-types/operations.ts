import { eventTypes } from '#drizzle/schema/calendar.ts'
import type { Member } from '#lib/core/context.ts'
import { removal } from '#lib/core/crud.ts'
import { invalid, notFound } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { freeSlug, slugify } from '#lib/core/text.ts'
import { lister } from '#lib/db/list.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import {
  ownerOf,
  ownFilter,
  ownUser,
  requireManaged,
  requireUser,
} from '#lib/domain/teams/reach.ts'
import { columnsOf } from './columns.ts'
import {
  type EventTypeFacts,
  eventTypeFacts,
  eventTypeList,
  eventTypeRecord,
  newEventTypeRecord,
  ownerFacts,
} from './queries.ts'
import {
  type Duplicate,
  type EventType,
  type EventTypeChange,
  type EventTypeFilter,
  FOR_TEAMS,
  type NewEventType,
  teamFieldsOf,
} from './schema.ts'
import { copyEventType, guardSchedules, setAllMembers, setHosts } from './writes.ts'

const page = lister<EventType>(eventTypeList)
const SLUG_TAKEN = new Set(['event_types_slug', 'event_types_team_slug'])
const TURN_TAKEN = new Set(['event_types_turn'])
const NONE = new Set<string>()

/** The event types that a member sees: everybody's, or their own and those of their teams. */
export const listEventTypes = async (
  m: Member,
  filter: EventTypeFilter,
): Promise<Page<EventType>> => page(m.tenant, { ...filter, own: ownFilter(m) })

/**
 * One event type.
 * @throws NOT_FOUND when it does not exist, or the member does not see it
 */
export async function findEventType(m: Member, { id }: { id: number }): Promise<Json<EventType>> {
  const record = await m.tenant.text(eventTypeRecord, { id, own: ownUser(m, 'calendar.read') })
  return existing(record, 'Event type')
}

/** Meeting rooms are made at a provider: 503 where the deployment does not know its own. */
function requireRooms(m: Member, { locations = [] }: EventTypeChange): void {
  if (locations.some(({ type }) => type === 'integrations:daily')) m.ports.video().roomUrl('')
}

/** What is known of an event type that the member may change: else 404, or 403 when they see it. */
async function changeable(m: Member, id: number): Promise<EventTypeFacts> {
  const own = ownUser(m, 'calendar.write')
  const facts = (await m.tenant.read(eventTypeFacts, { id, own })) ?? notFound('Event type')
  requireManaged(m, facts.isManaged)
  return facts
}

/**
 * The slug of a new event type: as it was chosen, else one from the title that is free; `lost` were not,
 * since another account of the user's has them.
 */
async function slugFor(
  m: Member,
  owner: { userId: number | null; teamId: number | null },
  title: string,
  chosen: string | undefined,
  lost: readonly string[] = [],
): Promise<string> {
  const base = slugify(chosen ?? title)
  if (owner.teamId === null && chosen !== undefined) return base
  const own = ownUser(m, 'calendar.write')
  const { team, slugs } = await m.tenant.read(ownerFacts, { ...owner, own, base })
  if (owner.teamId !== null) requireManaged(m, (team ?? notFound('Team')).isManaged)
  return chosen === undefined ? freeSlug(base, [...slugs, ...lost]) : base
}

/**
 * Makes an event type of a user or, with `teamId`, of a team, which all its members host unless
 * `hosts` says otherwise.
 * @throws CONFLICT when `slug` is given and taken; NOT_FOUND for a user, team or schedule that does
 * not exist, a host who is not in the team and a schedule that is somebody else's
 */
export function createEventType(m: Member, input: NewEventType): Promise<Json<EventType>> {
  requireRooms(m, input)
  const { title, slug: chosen, hosts } = input
  const teamId = input.teamId ?? null
  const userId = teamId === null ? ownerOf(m, input.userId) : null
  const { length = invalid({ field: 'length', message: 'required' }), ...columns } =
    columnsOf(input)
  const lost: string[] = []
  return lookingAgain(chosen === undefined ? SLUG_TAKEN : NONE, async () => {
    const slug = await slugFor(m, { userId, teamId }, title, chosen, lost)
    lost.push(slug)
    const at = m.now.toISOString()
    const schedulingType = teamId === null ? undefined : (columns.schedulingType ?? 'roundRobin')
    const write = m.tenant.write('event_type.create')
    if (userId !== null) write.run(requireUser, { userId })
    const own = { userId, teamId, title, slug, length, schedulingType }
    write.insert(eventTypes, { ...columns, ...own, createdAt: at, updatedAt: at })
    if (teamId !== null && hosts) setHosts(write, null, hosts, [])
    else if (teamId !== null) setAllMembers(write, teamId)
    guardSchedules(write, null)
    return write.commit(write.answer(newEventTypeRecord, {}))
  })
}

/**
 * Changes an event type; what is left out stays. `hosts` replaces them: who stays keeps their turns,
 * who is new begins with a fair share.
 * @throws CONFLICT when the slug is taken; NOT_FOUND and FORBIDDEN for what is not the member's to
 * change
 */
export function updateEventType(
  m: Member,
  { id, ...input }: EventTypeChange & { id: number },
): Promise<Json<EventType>> {
  requireRooms(m, input)
  return lookingAgain(TURN_TAKEN, async () => {
    const facts = await changeable(m, id)
    requireSense(facts, input)
    const { hosts } = facts.teamId === null ? {} : input
    const slug = input.slug === undefined ? undefined : slugify(input.slug)
    const change = { ...columnsOf(input), slug, updatedAt: m.now.toISOString() }
    const write = m.tenant.write('event_type.update', id)
    if (hosts) {
      const { turn } = facts
      write.change(eventTypes, id, { ...change, turn: turn + 1 }, 'event_types_turn', { turn })
      setHosts(write, id, hosts, facts.hosts)
    } else write.change(eventTypes, id, change, 'event_types_gone')
    if (hosts || input.scheduleId) guardSchedules(write, id)
    return write.commit(write.answer(eventTypeRecord, { id, own: null }))
  })
}

/** Refuses what does not go with what is there. */
function requireSense(facts: EventTypeFacts, input: EventTypeChange): void {
  const [foreign] = facts.teamId === null ? teamFieldsOf(input) : []
  if (foreign) invalid({ field: foreign, message: FOR_TEAMS })
  const seats = input.seats === undefined ? facts.hasSeats : input.seats !== null
  const recurs = input.recurrence === undefined ? facts.hasRecurrence : input.recurrence !== null
  if (!seats || !recurs) return
  if (input.recurrence) invalid({ field: 'recurrence', message: 'does not go with seats' })
  if (input.seats) invalid({ field: 'seats', message: 'does not go with recurrence' })
}

/**
 * Copies an event type under another slug, with its hosts and workflows; another team that takes it
 * hosts it with all of its members.
 * @throws CONFLICT when the slug is taken
 */
export async function duplicateEventType(m: Member, input: Duplicate): Promise<Json<EventType>> {
  const { id, title, length, teamId = null } = input
  const original = await changeable(m, id)
  const isMoved = teamId !== null && teamId !== original.teamId
  const slug = slugify(input.slug)
  if (isMoved) await slugFor(m, { userId: null, teamId }, title, slug)
  const now = m.now.toISOString()
  const description = input.description ?? null
  const write = m.tenant.write('event_type.duplicate', id)
  const copy = { id, slug, title, description, length: length ?? null, teamId, now }
  copyEventType(write, copy, !isMoved)
  return write.commit(write.answer(newEventTypeRecord, {}))
}

/** Deletes an event type. Its bookings stay, without one. */
export async function deleteEventType(m: Member, { id }: { id: number }): Promise<Deleted> {
  await changeable(m, id)
  const write = m.tenant.write('event_type.delete', id)
  write.run(removal(eventTypes), { id })
  return write.commit({ id, deleted: true })
}
