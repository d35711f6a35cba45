import { PgTable, pgTable } from 'drizzle-orm/pg-core'

/** What `sql` asks of each table that it is given: its name, and its schema, which ours do not name. */
const NAME = Symbol.for('drizzle:Name')
const SCHEMA = Symbol.for('drizzle:Schema')

/** Stands for a table that is made when more of it than its name is first asked for. */
function standIn(name: string, make: () => object): object {
  let made: object | undefined
  const table = () => {
    made ??= make()
    return made
  }
  return new Proxy(Object.create(PgTable.prototype), {
    get(_, key) {
      if (key === NAME) return name
      return key === SCHEMA ? undefined : Reflect.get(table(), key)
    },
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
  apply: (make, self, given) => standIn(given[0], () => Reflect.apply(make, self, given)),
})
