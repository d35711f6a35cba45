import { sql } from 'drizzle-orm'
import { webhooks } from '#drizzle/schema/webhooks.ts'
import type { System } from '#lib/core/context.ts'
import { isSealed } from '#lib/core/seal.ts'
import { lostTo } from '#lib/db/meanings.ts'
import { entrance, lookUp } from '#lib/db/query.ts'
import { sealSecret } from '#lib/events/sign.ts'

/** Secrets that one run seals at most. */
const BATCH = 500

interface Kept {
  accountId: number
  id: number
  secret: string | null
  previousSecret: string | null
}

/** Webhooks with a secret that was kept before secrets were sealed. */
const plainSecrets = entrance<{ limit: number }, Kept[]>(
  p => sql`select coalesce(json_agg(x), '[]') from (
    select account_id as "accountId", id, secret, previous_secret as "previousSecret"
    from ${webhooks} where secret not like 'sealed:%' or previous_secret not like 'sealed:%'
    limit ${p.limit}::int) x`,
)

/** Seals the secrets of webhooks that were kept as they are; one that was changed meanwhile is left. */
export async function sealOldSecrets(system: System): Promise<void> {
  const found = await lookUp(system.db, plainSecrets, { limit: BATCH })
  for (const { accountId, id, ...was } of found) {
    const sealed = async (secret: string | null) =>
      secret === null || isSealed(secret)
        ? secret
        : sealSecret(system.settings.secret, accountId, secret)
    const change = {
      secret: await sealed(was.secret),
      previousSecret: await sealed(was.previousSecret),
    }
    const write = system.enter(accountId).write('webhook.seal', id)
    write.change(webhooks, id, change, 'webhooks_gone', was)
    await write.commit(undefined).catch(error => {
      if (lostTo(error) !== 'webhooks_gone') throw error
    })
  }
}
