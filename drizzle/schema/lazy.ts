import { PgTable, pgTable } from 'drizzle-orm/pg-core'

/** Stands for a table that is made when something of it is first asked for. */
function standIn(make: () => object): object {
  let made: object | undefined
  const table = () => {
    made ??= make()
    return made
  }
  return new Proxy(Object.create(PgTable.prototype), {
    get: (_, key) => Reflect.get(table(), key),
    has: (_, key) => Reflect.has(table(), key),
    ownKeys: () => Reflect.ownKeys(table()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(table(), key),
  })
}

/**
 * Drizzle's `pgTable`, put off: a function knows of most tables and uses few, and an isolate should not
 * make them all while it starts (docs/decisions/0013).
 */
export const table = new Proxy(pgTable, {
  apply: (make, self, given) => standIn(() => Reflect.apply(make, self, given)),
})
