import { Paging } from '#lib/core/schemas.ts'
import { category, extra, service } from '#lib/domain/catalog/operations.ts'
import { tax } from '#lib/domain/company/operations.ts'
import {
  listStockMovements,
  product,
  productCategory,
  updateProductStock,
} from '#lib/domain/products/operations.ts'
import { MovementFilter, StockChange } from '#lib/domain/products/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { crudRoutes } from '#lib/http/crud.ts'
import { list, ok } from '#lib/http/reply.ts'
import { json, query } from '#lib/http/validate.ts'

export default createApp('/api/services')
  .route('/services', crudRoutes(service))
  .route('/categories', crudRoutes(category))
  .route('/extras', crudRoutes(extra))
  .route('/taxes', crudRoutes(tax))
  .route('/product-categories', crudRoutes(productCategory))
  .route('/products', crudRoutes(product))
  .post('/products/stock', member, json(StockChange), c =>
    ok(c, () => updateProductStock(c.var.ctx, c.req.valid('json'))),
  )
  .get('/products/stock-movements', member, query(Paging.extend(MovementFilter.shape)), c =>
    list(c, () => listStockMovements(c.var.ctx, c.req.valid('query'))),
  )
