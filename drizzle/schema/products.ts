import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { instant, owned, ownedKey, shelf, stamps, within } from './columns.ts'
import { taxes } from './company.ts'
import { table } from './lazy.ts'

/** A shelf that products stand on. */
export const productCategories = table(
  'product_categories',
  {
    ...owned(),
    ...shelf(),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'product_categories'),
    ofAccount(t, 'product_categories'),
    uniqueIndex('product_categories_slug').on(t.accountId, t.slug),
  ],
)

/**
 * Something that is sold over the counter. Money in cents. `stock` is the sum of the product's
 * `stock_movements`, kept here so that the database can refuse what would take it below zero.
 */
export const products = table(
  'products',
  {
    ...owned(),
    name: text().notNull(),
    description: text(),
    price: integer().notNull(),
    cost: integer(),
    currency: text().notNull(),
    sku: text(),
    barcode: text(),
    stock: integer().notNull().default(0),
    trackStock: boolean('track_stock').notNull().default(true),
    lowStockThreshold: integer('low_stock_threshold'),
    categoryId: integer('category_id'),
    taxId: integer('tax_id'),
    imageUrl: text('image_url'),
    active: boolean().notNull().default(true),
    deletedAt: instant('deleted_at'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'products'),
    ofAccount(t, 'products'),
    within(t, t.categoryId, productCategories, 'products_category_fk'),
    within(t, t.taxId, taxes, 'products_tax_fk'),
    uniqueIndex('products_sku').on(t.accountId, t.sku).where(sql`deleted_at is null`),
    index('products_barcode').on(t.accountId, t.barcode).where(sql`barcode is not null`),
    index('products_category').on(t.accountId, t.categoryId),
    index('products_low')
      .on(t.accountId, t.id)
      .where(sql`track_stock and stock <= low_stock_threshold`),
    check('products_price', sql`price >= 0 and cost >= 0`),
    check('products_stock', sql`stock >= 0 or not track_stock`),
    check('products_stock_limit', sql`stock between -1000000000 and 1000000000`),
  ],
)

/** Each change of a stock, never changed itself: how many, why, who, and what was there after it. */
export const stockMovements = table(
  'stock_movements',
  {
    accountId: integer('account_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    productId: integer('product_id').notNull(),
    quantity: integer().notNull(),
    stock: integer().notNull(),
    reason: text({
      enum: ['initial', 'count', 'purchase', 'sale', 'return', 'damage', 'adjustment'],
    }).notNull(),
    note: text(),
    userId: integer('user_id'),
    via: text().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    ownedKey(t, 'stock_movements'),
    within(t, t.productId, products, 'stock_movements_product_fk'),
    index('stock_movements_product').on(t.accountId, t.productId, t.id),
    check('stock_movements_quantity', sql`quantity <> 0`),
  ],
)
