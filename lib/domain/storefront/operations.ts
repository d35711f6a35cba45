import type { Visitor } from '#lib/core/context.ts'
import { enterBy } from '#lib/core/enter.ts'
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
  const { tenant } = await enterBy(v, accountBySubdomain, { subdomain }, 'Business')
  return tenant.read(storefront, {})
}
