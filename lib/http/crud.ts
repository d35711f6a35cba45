import { Hono } from 'hono'
import type { Resource } from '#lib/core/crud.ts'
import { ById, MaybeById, type Paging } from '#lib/core/schemas.ts'
import { member } from './callers.ts'
import type { AppEnv } from './exchange.ts'
import { created, list, ok } from './reply.ts'
import { json, query } from './validate.ts'

/**
 * The routes of a resource at one path: list (or one, by `?id`), create, change and delete by `?id`.
 * Appointments, customers, employees, resources and districts change by PUT, the others by PATCH.
 */
export const crudRoutes = (r: Resource, change: 'PATCH' | 'PUT' = 'PATCH') =>
  new Hono<AppEnv>()
    .get('/', member, query(r.Filter.extend(MaybeById.shape)), c => {
      const { id, ...filter } = c.req.valid('query') as { id?: number } & Paging
      return id === undefined
        ? list(c, () => r.list(c.var.ctx, filter))
        : ok(c, () => r.find(c.var.ctx, { id }))
    })
    .post('/', member, json(r.New), c =>
      created(c, () => r.create(c.var.ctx, c.req.valid('json') as never)),
    )
    .on(change, '/', member, query(ById), json(r.Change), c =>
      ok(c, () => r.update(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('query') })),
    )
    .delete('/', member, query(ById), c => ok(c, () => r.remove(c.var.ctx, c.req.valid('query'))))
