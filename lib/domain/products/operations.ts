import { sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { productCategories, products } from '#drizzle/schema/products.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { crud } from '#lib/core/crud.ts'
import type { Json, Page } from '#lib/core/json.ts'
import type { Paging } from '#lib/core/schemas.ts'
import { lister } from '#lib/db/list.ts'
import { ActiveFilter, NewCategory } from '../catalog/schema.ts'
import { movementList, openProduct, productCategoryList, productList } from './queries.ts'
import {
  NewProduct,
  type Product,
  type ProductCategory,
  ProductFilter,
  type StockChange,
  type StockMovement,
} from './schema.ts'
import { beginStock, moveStock } from './stock.ts'

/** Categories of products. Deleting one leaves its products without a category. */
export const productCategory = crud<ProductCategory>()({
  noun: 'product_category',
  label: 'Product category',
  table: productCategories,
  New: NewCategory,
  Filter: ActiveFilter,
  list: productCategoryList,
  read: 'products.read',
  write: 'products.write',
  slug: { index: 'product_categories_slug', column: productCategories.slug },
})

const companyCurrency = (m: Member) =>
  sql`(select ${accounts.currency} from ${accounts} where ${accounts.id} = ${m.accountId})`

/** What is sold over the counter. A deleted product is kept for what was sold of it. */
export const product = crud<Product>()({
  noun: 'product',
  label: 'Product',
  table: products,
  New: NewProduct,
  Filter: ProductFilter,
  list: productList,
  closed: { needs: 'stock.read', record: openProduct },
  read: 'products.read',
  write: 'products.write',
  defaults: m => ({ currency: companyCurrency(m) }),
  // The stock of a product that is there moves by the ledger alone.
  columns: ({ stock, ...columns }, id) => (id === undefined ? { stock, ...columns } : columns),
  before: (write, id, { stock }, m) => {
    if (id !== undefined && typeof stock === 'number')
      moveStock(write, m, { productId: id, stock, reason: 'count' })
  },
  links: (write, id, _newest, _input, m) => {
    if (id === undefined) beginStock(write, m)
  },
  soft: true,
})

/**
 * Sets the stock of a product, or adds to it or takes from it, and notes why.
 * @throws CONFLICT when fewer are there than would go, or not as many as was expected
 * @throws NOT_FOUND when the product is not the account's
 */
export async function updateProductStock(m: Member, change: StockChange): Promise<Json<Product>> {
  requirePermission(m, 'products.write')
  const { productId: id } = change
  const write = m.tenant.write('product.stock', id)
  const reason = change.reason ?? (change.stock === undefined ? 'adjustment' : 'count')
  moveStock(write, m, { ...change, reason })
  return write.commit(write.answer(product.viewOf(m).byId.one, { id }))
}

const movementPages = lister<StockMovement>(movementList)

/** Changes of stocks, the newest first, with who made them: no visitor sees as much, so staff do not. */
export async function listStockMovements(
  m: Member,
  filter: Paging & Record<string, unknown>,
): Promise<Page<StockMovement>> {
  requirePermission(m, 'stock.read')
  return movementPages(m.tenant, filter)
}
