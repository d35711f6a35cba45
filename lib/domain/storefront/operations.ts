import type { Visitor } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import { Json } from '#lib/core/json.ts'
import { accountBySubdomain } from '#lib/db/entrances.ts'
import { storefront } from './queries.ts'
import type { Storefront } from './schema.ts'

/**
 * A business as anybody may see it: what it offers, where, and by whom.
 * @throws NOT_FOUND when no business has the subdomain
 */
export async function getStorefront(
  v: Visitor,
  { subdomain }: { subdomain: string },
): Promise<Storefront> {
  const [rows] = await v.db.trip([accountBySubdomain.with({ subdomain })])
  const text = rows?.[0]?.[0] ?? notFound('Business')
  const { accountId } = new Json<{ accountId: number }>(text).read()
  return v.enter(accountId).read(storefront, {})
}
