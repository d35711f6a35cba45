import * as z from 'zod'
import type { Cents, Instant } from '#lib/core/kinds.ts'
import {
  cents,
  currency,
  id,
  optionalText,
  queryBoolean,
  queryId,
  text,
  url,
} from '#lib/core/schemas.ts'

const MAX_STOCK = 1_000_000_000

/** A stock keeping unit or barcode: printable, without spaces around it; empty is kept as null. */
const code = (max: number) =>
  optionalText(max).refine(s => s === null || !/\s{2}|[\p{Cc}]/u.test(s), {
    message: 'must be of one line',
  })

/** How many there are. */
const quantity = z.int().min(0).max(MAX_STOCK)

/** The body of a product. Money in cents. */
export const NewProduct = z.object({
  name: text(200).describe('Name of the product'),
  price: cents.describe('Price of one in cents'),
  description: optionalText(5000).optional(),
  sku: code(100).optional().describe('Stock keeping unit, unique among products'),
  barcode: code(64).optional().describe('EAN, UPC or another code that scanners read'),
  stock: quantity.optional().describe('How many there are; 0 where nothing is said'),
  trackStock: z
    .boolean()
    .optional()
    .describe('Whether the stock is kept and may not go below 0; true where nothing is said'),
  lowStockThreshold: quantity
    .nullable()
    .optional()
    .describe('A stock of this many or fewer is low; null: it is never'),
  cost: cents.nullable().optional().describe('What one costs the business, in cents'),
  currency: currency.optional().describe('ISO 4217 code; the company’s where nothing is said'),
  categoryId: id.nullable().optional().describe('A product category'),
  taxId: id.nullable().optional().describe('The tax that it is sold with'),
  imageUrl: url.nullable().optional(),
  active: z.boolean().optional().describe('Whether it is sold'),
})

/** Which products are asked for. */
export const ProductFilter = z.object({
  active: queryBoolean.optional(),
  categoryId: queryId.optional(),
  sku: z.string().trim().max(100).optional(),
  barcode: z.string().trim().max(64).optional(),
  lowStock: queryBoolean.optional().describe('Whether the stock is at or below its threshold'),
})

/** Why a stock changes, beside `initial`, which a product begins with. */
const MOVEMENT_REASONS = ['count', 'purchase', 'sale', 'return', 'damage', 'adjustment'] as const

/** Sets a stock, or adds to it and takes from it: one of `stock` and `delta`. */
export const StockChange = z
  .object({
    productId: id.describe('The product'),
    stock: quantity.optional().describe('How many there are now, as counted'),
    delta: z
      .int()
      .min(-MAX_STOCK)
      .max(MAX_STOCK)
      .refine(n => n !== 0, 'must not be 0')
      .optional()
      .describe('How many come (above 0) or go (below 0); what is not there cannot go'),
    reason: z
      .enum(MOVEMENT_REASONS)
      .optional()
      .describe('"count" where stock is set, "adjustment" otherwise, if nothing is said'),
    note: optionalText(500).optional().describe('Kept with the change'),
    expectedStock: quantity
      .optional()
      .describe('Changes nothing (409) unless there are this many before'),
  })
  .refine(c => (c.stock === undefined) !== (c.delta === undefined), {
    path: ['stock'],
    message: 'expected either stock or delta',
  })
export type StockChange = z.output<typeof StockChange>

/** Which changes of stocks are asked for. */
export const MovementFilter = z.object({
  productId: queryId.optional(),
  reason: z.enum(['initial', ...MOVEMENT_REASONS]).optional(),
})

/** A product category as it is answered. */
export interface ProductCategory {
  id: number
  name: string
  slug: string
  description: string | null
  /** `#rrggbb`. */
  color: string | null
  /** Order among categories, lowest first. */
  position: number
  active: boolean
  createdAt: Instant
  updatedAt: Instant
}

/** A product as it is answered. */
export interface Product {
  id: number
  name: string
  description: string | null
  /** Of one. */
  price: Cents
  /** What one costs the business; left out for who may not read the changes of stocks. */
  cost?: Cents | null
  /** ISO 4217, in lower case. */
  currency: string
  sku: string | null
  barcode: string | null
  stock: number
  trackStock: boolean
  lowStockThreshold: number | null
  /** Whether the stock is at or below its threshold. */
  lowStock: boolean
  categoryId: number | null
  category: Pick<ProductCategory, 'id' | 'name' | 'slug'> | null
  taxId: number | null
  imageUrl: string | null
  active: boolean
  createdAt: Instant
  updatedAt: Instant
}

/** A change of a stock as it is answered: `stock` is how many there were after it. */
export interface StockMovement {
  id: number
  productId: number
  quantity: number
  stock: number
  reason: 'initial' | (typeof MOVEMENT_REASONS)[number]
  note: string | null
  /** Who changed it; null: the platform. */
  userId: number | null
  via: string
  createdAt: Instant
}
