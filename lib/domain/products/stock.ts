import { sql } from 'drizzle-orm'
import { products, stockMovements } from '#drizzle/schema/products.ts'
import type { Member } from '#lib/core/context.ts'
import { into, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import type { StockMovement } from './schema.ts'

/** A change of a stock: set to `stock`, else by `delta`. */
export interface Move {
  productId: number
  stock?: number | undefined
  delta?: number | undefined
  reason: StockMovement['reason']
  note?: string | null | undefined
  expectedStock?: number | undefined
}

interface Noted {
  reason: string
  note: string | null
  userId: number
  via: string
  now: string
}

const columns = into(
  stockMovements,
  stockMovements.productId,
  stockMovements.quantity,
  stockMovements.stock,
  stockMovements.reason,
  stockMovements.note,
  stockMovements.userId,
  stockMovements.via,
  stockMovements.createdAt,
)

const notedBy = (m: Member) => ({
  userId: m.userId,
  via: m.via,
  now: m.now.toISOString(),
})

/** Locks the product, so that the next statement sees what stands there and nobody moves it between. */
const lockProduct = query<{ id: number; expected: number | null }, unknown>(
  p => sql`with was as (
    select ${products.stock} as stock from ${products}
    where ${products.accountId} = ${p.account} and ${products.id} = ${p.id}::int
      and ${products.deletedAt} is null for no key update
  ) select must(exists(select from was), 'products_gone'),
    must(coalesce((select stock from was) = ${p.expected}::int, ${p.expected}::int is null),
      'products_expected')`,
)

/** Changes the figure and notes by how much; below zero it falls to `products_stock`. */
const moveLocked = query<Noted & { id: number; to: number | null; by: number | null }, unknown>(
  p => sql`with was as (
    select ${products.stock} as stock from ${products}
    where ${products.accountId} = ${p.account} and ${products.id} = ${p.id}::int
  ), moved as (
    update ${products} set stock = coalesce(${p.to}::int, stock + ${p.by}::int),
      updated_at = ${p.now}::timestamptz
    where ${products.accountId} = ${p.account} and ${products.id} = ${p.id}::int
    returning ${products.id} as id, ${products.stock} as stock
  ) insert into ${columns}
    select ${p.account}::int, moved.id, moved.stock - was.stock, moved.stock, ${p.reason},
      ${p.note}::text, ${p.userId}::int, ${p.via}, ${p.now}::timestamptz
    from moved, was where moved.stock <> was.stock`,
)

/**
 * Changes a stock and notes the change; one that changes nothing is not noted. Fails with
 * `products_stock` when more would go than is there, with `products_expected` when there are not as
 * many as was expected. Several of one write go in the order of their products.
 */
export function moveStock(write: Write, m: Member, move: Move): void {
  const { productId: id, stock, delta, reason, note, expectedStock } = move
  write.run(lockProduct, { id, expected: expectedStock ?? null })
  const noted = { reason, note: note ?? null, ...notedBy(m) }
  write.run(moveLocked, { id, to: stock ?? null, by: delta ?? null, ...noted })
}

const beginWith = query<Noted, unknown>(
  p => sql`insert into ${columns}
    select ${p.account}::int, ${products.id}, ${products.stock}, ${products.stock}, ${p.reason},
      ${p.note}::text, ${p.userId}::int, ${p.via}, ${p.now}::timestamptz
    from ${products} where ${products.accountId} = ${p.account}
      and ${products.id} = currval('products_id_seq')::int and ${products.stock} <> 0`,
)

/** Notes the stock that the product of this batch begins with. */
export const beginStock = (write: Write, m: Member): void => {
  write.run(beginWith, { reason: 'initial', note: null, ...notedBy(m) })
}
