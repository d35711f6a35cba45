import type { Resource } from '#lib/core/crud.ts'
import {
  createRoutingForm,
  deleteRoutingForm,
  findRoutingForm,
  listRoutingForms,
  updateRoutingForm,
} from './operations.ts'
import { NewRoutingForm, RoutingFormChange, RoutingFormFilter } from './schema.ts'

/** Routing forms as a resource over REST. */
export const routingForm = {
  New: NewRoutingForm,
  Change: RoutingFormChange,
  Filter: RoutingFormFilter,
  list: listRoutingForms,
  find: findRoutingForm,
  create: createRoutingForm,
  update: updateRoutingForm,
  remove: deleteRoutingForm,
} satisfies Resource
