import { sql } from 'drizzle-orm'
import { productCategories, products, stockMovements } from '#drizzle/schema/products.ts'
import { json, jsonIf } from '#lib/db/json.ts'
import { idsOf, type ListSpec } from '#lib/db/list.ts'
import type { Product, ProductCategory, StockMovement } from './schema.ts'

/** How product categories are listed. */
export const productCategoryList: Omit<ListSpec, 'table'> = {
  record: json<ProductCategory>({
    id: productCategories.id,
    name: productCategories.name,
    slug: productCategories.slug,
    description: productCategories.description,
    color: productCategories.color,
    position: productCategories.position,
    active: productCategories.active,
    createdAt: productCategories.createdAt,
    updatedAt: productCategories.updatedAt,
  }),
  orders: {
    position: { by: productCategories.position, type: 'int' },
    name: { by: productCategories.name, type: 'text' },
  },
  filters: { active: given => sql`${productCategories.active} = ${given.active}::boolean` },
  search: sql`${productCategories.name}`,
}

/** The very condition of the index products_low; null is no. */
const low = sql`(${products.trackStock} and ${products.stock} <= ${products.lowStockThreshold})`

const shown = {
  id: products.id,
  name: products.name,
  description: products.description,
  price: products.price,
  cost: products.cost,
  currency: products.currency,
  sku: products.sku,
  barcode: products.barcode,
  stock: products.stock,
  trackStock: products.trackStock,
  lowStockThreshold: products.lowStockThreshold,
  lowStock: sql`coalesce(${low}, false)`,
  categoryId: products.categoryId,
  category: jsonIf(productCategories.id, {
    id: productCategories.id,
    name: productCategories.name,
    slug: productCategories.slug,
  }),
  taxId: products.taxId,
  imageUrl: products.imageUrl,
  active: products.active,
  createdAt: products.createdAt,
  updatedAt: products.updatedAt,
}

const { cost: _, ...open } = shown

/** A product without what it costs the business. */
export const openProduct = json<Omit<Product, 'cost'>>(open)

/** How products are listed. */
export const productList: Omit<ListSpec, 'table'> = {
  record: json<Product>(shown),
  joins: sql`left join ${productCategories}
    on ${productCategories.accountId} = ${products.accountId}
    and ${productCategories.id} = ${products.categoryId}`,
  where: sql`${products.deletedAt} is null`,
  orders: {
    name: { by: products.name, type: 'text' },
    price: { by: products.price, type: 'int' },
    stock: { by: products.stock, type: 'int' },
  },
  filters: {
    active: given => sql`${products.active} = ${given.active}::boolean`,
    categoryId: given => sql`${products.categoryId} = ${given.categoryId}::int`,
    sku: given => sql`${products.sku} = ${given.sku}`,
    barcode: given => sql`${products.barcode} = ${given.barcode}`,
    lowStock: given =>
      sql`case when ${given.lowStock}::boolean then ${low} else ${low} is not true end`,
  },
  names: { categoryId: idsOf(productCategories) },
  search: sql`${products.name} || ' ' || coalesce(${products.sku}, '') || ' '
    || coalesce(${products.barcode}, '')`,
}

/** How the changes of stocks are listed. */
export const movementList: ListSpec = {
  table: stockMovements,
  record: json<StockMovement>({
    id: stockMovements.id,
    productId: stockMovements.productId,
    quantity: stockMovements.quantity,
    stock: stockMovements.stock,
    reason: stockMovements.reason,
    note: stockMovements.note,
    userId: stockMovements.userId,
    via: stockMovements.via,
    createdAt: stockMovements.createdAt,
  }),
  filters: {
    productId: given => sql`${stockMovements.productId} = ${given.productId}::int`,
    reason: given => sql`${stockMovements.reason} = ${given.reason}`,
  },
  names: { productId: idsOf(products) },
}
