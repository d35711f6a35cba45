import { customer } from '#lib/domain/customers/operations.ts'
import { employee } from '#lib/domain/staff/operations.ts'
import { createApp } from '#lib/http/app.ts'
import { crudRoutes } from '#lib/http/crud.ts'

export default createApp('/api/services')
  .route('/customers', crudRoutes(customer, 'PUT'))
  .route('/employees', crudRoutes(employee, 'PUT'))
