import { category, extra, service } from '#lib/domain/catalog/operations.ts'
import { tax } from '#lib/domain/company/operations.ts'
import { createApp } from '#lib/http/app.ts'
import { crudRoutes } from '#lib/http/crud.ts'

export default createApp('/api/services')
  .route('/services', crudRoutes(service))
  .route('/categories', crudRoutes(category))
  .route('/extras', crudRoutes(extra))
  .route('/taxes', crudRoutes(tax))
