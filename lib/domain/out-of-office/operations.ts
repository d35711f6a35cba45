import { outOfOffice } from '#drizzle/schema/calendar.ts'
import type { Member } from '#lib/core/context.ts'
import { removal } from '#lib/core/crud.ts'
import { invalid, notFound } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { lister } from '#lib/db/list.ts'
import type { Write } from '#lib/db/write.ts'
import { lockAccount } from '#lib/domain/accounts/queries.ts'
import { ownerOf, ownFilter, ownUser, requireUser } from '#lib/domain/teams/reach.ts'
import {
  emitOutOfOffice,
  isChangeable,
  newOutOfOfficeRecord,
  outOfOfficeList,
  outOfOfficeRecord,
  requireNoCircle,
  requireStandIn,
} from './queries.ts'
import type { NewOutOfOffice, OutOfOffice, OutOfOfficeChange, OutOfOfficeFilter } from './schema.ts'

const page = lister<OutOfOffice>(outOfOfficeList)
const NOUN = 'Out of office entry'

/** The absences that a member sees: everybody's, or their own. */
export const listOutOfOffice = async (
  m: Member,
  filter: OutOfOfficeFilter,
): Promise<Page<OutOfOffice>> => {
  return page(m.tenant, { ...filter, own: ownFilter(m) })
}

/**
 * One absence.
 * @throws NOT_FOUND when it does not exist, or the member does not see it
 */
export async function findOutOfOffice(
  m: Member,
  { id }: { id: number },
): Promise<Json<OutOfOffice>> {
  const record = await m.tenant.text(outOfOfficeRecord, { id, own: ownUser(m, 'calendar.read') })
  return existing(record, NOUN)
}

const timesOf = ({ start, end }: { start?: Date | undefined; end?: Date | undefined }) => ({
  startTime: start?.toISOString(),
  endTime: end?.toISOString(),
})

/**
 * Bookings that are led to somebody else may not come back. Goes with `lockAccount`: two absences at once
 * could close a circle.
 */
function guardCircle(write: Write, id: number | null): void {
  write.run(requireNoCircle, { id })
}

/**
 * Notes that a user is away, and emits OOO_CREATED.
 * @throws CONFLICT when they are away then already, or `toUserId` would lead bookings in a circle;
 * NOT_FOUND when either user is not of this account
 */
export async function createOutOfOffice(
  m: Member,
  input: NewOutOfOffice,
): Promise<Json<OutOfOffice>> {
  const { userId: asked, reason, notes, toUserId = null } = input
  const userId = ownerOf(m, asked)
  if (toUserId === userId) invalid({ field: 'toUserId', message: 'must be somebody else' })
  const at = m.now.toISOString()
  const write = m.tenant.write('out_of_office.create')
  write.run(requireUser, { userId })
  if (toUserId !== null) write.run(lockAccount, {}).run(requireStandIn, { id: null, toUserId })
  const times = { startTime: input.start.toISOString(), endTime: input.end.toISOString() }
  const own = { userId, toUserId, reason, notes, ...times }
  write.insert(outOfOffice, { ...own, createdAt: at, updatedAt: at })
  if (toUserId !== null) guardCircle(write, null)
  write.run(emitOutOfOffice, { type: 'OOO_CREATED', now: at })
  return write.commit(write.answer(newOutOfOfficeRecord, {}))
}

async function requireChangeable(m: Member, id: number): Promise<void> {
  const own = ownUser(m, 'calendar.write')
  if (!(await m.tenant.read(isChangeable, { id, own }))) notFound(NOUN)
}

/**
 * Changes an absence; what is left out stays.
 * @throws CONFLICT as for a new one
 */
export async function updateOutOfOffice(
  m: Member,
  { id, ...input }: OutOfOfficeChange & { id: number },
): Promise<Json<OutOfOffice>> {
  await requireChangeable(m, id)
  const { reason, notes, toUserId } = input
  const write = m.tenant.write('out_of_office.update', id)
  write.run(lockAccount, {})
  if (toUserId) write.run(requireStandIn, { id, toUserId })
  const change = { ...timesOf(input), reason, notes, toUserId, updatedAt: m.now.toISOString() }
  write.change(outOfOffice, id, change, 'out_of_office_gone')
  guardCircle(write, id)
  return write.commit(write.answer(outOfOfficeRecord, { id, own: null }))
}

/** Deletes an absence: the user is there again. */
export async function deleteOutOfOffice(m: Member, { id }: { id: number }): Promise<Deleted> {
  await requireChangeable(m, id)
  const write = m.tenant.write('out_of_office.delete', id)
  write.run(removal(outOfOffice), { id })
  return write.commit({ id, deleted: true })
}
