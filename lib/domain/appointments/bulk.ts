import type { Member } from '#lib/core/context.ts'
import { ApiError, type Detail } from '#lib/core/errors.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { updateAppointment } from './changes.ts'
import type { AppointmentChange, BulkChange } from './schema.ts'

/** What came of a bulk change, appointment by appointment. */
export interface BulkResult {
  updated: number
  updatedIds: number[]
  failed: { id: number; error: string; message: string; details?: readonly Detail[] }[]
}

/**
 * Changes up to 100 appointments alike, each by the rules of changing one and whatever becomes of the
 * others; the result names those that could not be changed, and why.
 */
export async function updateAppointments(
  m: Member,
  { ids, status, changes }: BulkChange,
): Promise<BulkResult> {
  // The key is for all of them: it is claimed first, and the whole result is kept under it.
  if (m.tenant.actor.claim) await m.tenant.trip([])
  const each: Member = { ...m, tenant: m.tenant.keyless() }
  const change: AppointmentChange = { ...changes, ...(status && { status }) }
  const result: BulkResult = { updated: 0, updatedIds: [], failed: [] }
  for (const id of ids) {
    const error = await refusalOf(() => updateAppointment(each, { id, ...change }))
    if (error) result.failed.push({ id, ...error })
    else result.updatedIds.push(id)
  }
  result.updated = result.updatedIds.length
  return result
}

/** Why a change was refused; undefined when it was made. A fault of ours is thrown on. */
async function refusalOf(work: () => Promise<unknown>) {
  try {
    await work()
    return undefined
  } catch (thrown) {
    const error = meaningOf(thrown)
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const { code, message, details } = error
    return { error: code, message, ...(details ? { details } : {}) }
  }
}
