import type { System } from '#lib/core/context.ts'
import { Tenant } from '#lib/db/tenant.ts'
import { stopwatch } from './clock.ts'
import { type Bindings, depsOf } from './deps.ts'

/** What outlives the call that began it. */
type Lifetime = Pick<ExecutionContext, 'waitUntil'>

/** The caller that jobs run as, at `now`: no limits, and the audit log names it `job`. */
export function systemOf(env: Bindings, now: Date, lifetime: Lifetime): System {
  const { db, settings, ports } = depsOf(env)
  const requestId = crypto.randomUUID()
  const admission = () => Promise.resolve()
  return {
    kind: 'system',
    now,
    elapsed: stopwatch(),
    requestId,
    via: 'api',
    db,
    settings,
    ports,
    admission,
    after: work => lifetime.waitUntil(work().catch(e => console.error(e))),
    enter: accountId =>
      new Tenant(db, accountId, { userId: null, via: 'job', requestId, now, admission }),
  }
}
