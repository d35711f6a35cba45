import { invoice } from '#lib/domain/invoices/operations.ts'
import { createApp } from '#lib/http/app.ts'
import { crudRoutes } from '#lib/http/crud.ts'

export default createApp('/api/services').route('/invoices', crudRoutes(invoice))
