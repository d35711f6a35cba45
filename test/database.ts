import pg from 'pg'
import { platform } from './platform.ts'

/** Runs one statement straight in the database of a platform, for what no endpoint shows or makes. */
export async function queryDatabase<R extends object = Record<string, string>>(
  text: string,
  params: readonly unknown[] = [],
  { databaseUrl }: { databaseUrl: string } = platform(),
): Promise<R[]> {
  const connection = new pg.Client({ connectionString: databaseUrl })
  await connection.connect()
  try {
    return (await connection.query<R>(text, [...params])).rows
  } finally {
    await connection.end()
  }
}

/** Notes that an account's readers with an e-mail address want no reminders: of account and address. */
export const OPT_OUT = `insert into message_opt_outs (account_id, channel, address_hash, created_at)
  values ($1, 'email', opt_out_hash($1, $2), now())`

/**
 * Kept beside the data: who did what, and when a key was last used; and sums of what is there, which a
 * job may write down in fewer rows at any time.
 */
const ASIDE = ['audit_log', 'rollups']

/**
 * What an account owns, as a hash by table: equal before and after means that nothing was changed,
 * added or removed.
 */
export async function fingerprint(accountId: number): Promise<Record<string, string>> {
  const tables = await queryDatabase<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id' and table_name <> all($1)
     order by 1`,
    [ASIDE],
  )
  const row = `to_jsonb(t) - 'last_used_at'`
  const hash = (name: string, condition: string) =>
    `select '${name}' as name, md5(coalesce(string_agg((${row})::text, '|' order by (${row})::text), ''))
       || ' of ' || count(*) as hash from "${name}" t where ${condition}`
  const parts = [
    ...tables.map(({ name }) => hash(name, 't.account_id = $1')),
    hash('accounts', 't.id = $1'),
    hash('users', 't.id in (select user_id from members where account_id = $1)'),
  ]
  const hashes = await queryDatabase<{ name: string; hash: string }>(parts.join(' union all '), [
    accountId,
  ])
  return Object.fromEntries(hashes.map(({ name, hash }) => [name, hash]))
}

/** Waits until nothing of an account is on its way any more: sending it changes its row. */
export async function messagesSettled(accountId: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const [row] = await queryDatabase(
      `select (select count(*) from messages where account_id = $1 and status = 'queued')
         + (select count(*) from deliveries where account_id = $1 and status = 'pending') as n`,
      [accountId],
    )
    if (Number(row?.n) === 0) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`Messages of account ${accountId} are still queued`)
}
