import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { customers, employees } from '#drizzle/schema/people.ts'
import { entrance, query } from './query.ts'

describe('a query on the tables of one account', () => {
  it('is refused when it names a table of accounts without its account_id', () => {
    const all = query<object, unknown>(() => sql`select ${customers.name} from ${customers}`)
    expect(() => all.with({ account: 1 })).toThrow('reads customers without its account_id')
  })

  it('is refused when just one of its tables is tied, or the other is within a part of it', () => {
    const staff = sql`exists (select from ${employees} where ${employees.id} = ${customers.id})`
    const one = query<object, unknown>(
      p => sql`select from ${customers} where ${customers.accountId} = ${p.account} and ${staff}`,
    )
    expect(() => one.with({ account: 1 })).toThrow('reads employees without its account_id')
  })

  it('is made when each is tied, and one across accounts as it is', () => {
    const tied = query<{ id: number }, unknown>(
      p => sql`select ${customers.name} from ${customers}
        where ${customers.accountId} = ${p.account} and ${customers.id} = ${p.id}::int`,
    )
    expect(tied.with({ account: 7, id: 3 }).params).toEqual([7, 3])
    const across = entrance<object, unknown>(() => sql`select from ${customers}`)
    expect(across.with({}).params).toEqual([])
  })
})
