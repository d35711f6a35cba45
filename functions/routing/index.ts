import { routingForm } from '#lib/domain/routing-forms/resource.ts'
import { createApp } from '#lib/http/app.ts'
import { crudRoutes } from '#lib/http/crud.ts'

/** Leads: the forms that they fill in, and where their answers lead. */
export default createApp('/api/routing').route('/forms', crudRoutes(routingForm))
