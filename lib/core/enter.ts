import { lookUp, type Query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { bounded } from './bounded.ts'
import type { Base } from './context.ts'
import { notFound } from './errors.ts'

/** What an entrance (lib/db/entrances.ts) leads to. */
interface Found {
  accountId: number
}

/**
 * Enters the account that an entrance leads to.
 * @returns what it leads to, with the handle on the account
 * @throws NOT_FOUND, by the word for it, where it leads nowhere
 */
export async function enterBy<P extends object, F extends Found>(
  base: Base,
  entrance: Query<P, F | null>,
  params: P,
  noun: string,
): Promise<F & { tenant: Tenant }> {
  const found = (await lookUp(base.db, entrance, params)) ?? notFound(noun)
  return { ...found, tenant: base.enter(found.accountId) }
}

/** Enters the account of what never changes hands, by its id: an isolate asks once for each. */
export const enteringById = (entrance: Query<{ id: number }, Found | null>, noun: string) => {
  const known = bounded<number>(10_000)
  return async (base: Base, id: number): Promise<Tenant> => {
    const accountId = known.get(String(id))
    if (accountId !== undefined) return base.enter(accountId)
    const { tenant } = await enterBy(base, entrance, { id }, noun)
    known.set(String(id), tenant.accountId)
    return tenant
  }
}
