import { Json } from '#lib/core/json.ts'
import type { Acting, Actor } from './actor.ts'
import type { Cells, Db, Statement } from './client.ts'
import type { Query } from './query.ts'
import { Write } from './write.ts'

/**
 * One account's view of the database, and the only way to the tables it owns. Every query it runs
 * names the account (lib/db/query.ts refuses those that do not).
 */
export class Tenant implements Acting {
  constructor(
    readonly db: Db,
    readonly accountId: number,
    readonly actor: Actor,
  ) {}

  /** One round trip: the value of a query. */
  async read<P extends object, R>(query: Query<P, R>, params: P): Promise<R> {
    return JSON.parse(await this.cell(query, params)) as R
  }

  /** One round trip: the JSON text of a query, unread. */
  async text<P extends object, R>(query: Query<P, R>, params: P): Promise<Json<R>> {
    return new Json<R>(await this.cell(query, params))
  }

  /** One round trip: every row of a statement as text cells. */
  async rows<P extends object>(query: Query<P, unknown>, params: P): Promise<Cells> {
    const [cells] = await this.trip([query.with({ ...params, account: this.accountId })])
    return cells ?? []
  }

  private async cell<P extends object>(query: Query<P, unknown>, params: P): Promise<string> {
    return (await this.rows(query, params))[0]?.[0] ?? 'null'
  }

  /** Runs statements in one trip; the request's first trip also claims its Idempotency-Key. */
  async trip(statements: readonly Statement[]): Promise<Cells[]> {
    const { claim } = this.actor
    if (!claim || claim.made) return this.db.trip(statements)
    await this.actor.admission()
    const [claimed = [], ...results] = await this.db.trip([claim.statement(), ...statements])
    claim.settle(claimed)
    return results
  }

  /** The same without the request's Idempotency-Key: what it writes leaves no copy under the key. */
  keyless(): Tenant {
    return new Tenant(this.db, this.accountId, { ...this.actor, claim: undefined })
  }

  /**
   * Begins a write: everything added to it takes effect in one round trip or not at all.
   * @param action what happens, as `noun.verb`, for the audit log
   */
  write(action: string, subjectId?: number): Write {
    return new Write(this, action, subjectId)
  }
}
