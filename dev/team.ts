import { addMember } from '#lib/domain/accounts/operations.ts'
import { withDatabase } from './database.ts'
import { operator } from './operator.ts'

const HOSTS = 20
const BUSY_EACH = 30

/**
 * For measurements: an event type of half an hour that twenty hosts take turns at, who work from nine to
 * five in New York and are busy for half an hour a day of the month from `firstDay` on, each at hours of
 * their own: 600 blocks. Answers its id.
 */
export async function makeTeamType(
  databaseUrl: string,
  { accountId }: { accountId: number },
  firstDay: string,
): Promise<number> {
  const { base, close } = operator(databaseUrl, new Date())
  const userIds: number[] = []
  try {
    for (let n = 0; n < HOSTS; n++) {
      const host = { name: `Host ${n}`, email: `host-${n}@almanac.test`, password: 'none of them' }
      const person = { ...host, timeZone: 'America/New_York', role: 'staff' } as const
      userIds.push((await addMember(base, base.enter(accountId), person)).userId)
    }
  } finally {
    await close()
  }
  return withDatabase(databaseUrl, async client => {
    const made = await client.query<{ id: number }>(
      `with t as (
         insert into teams (account_id, name, slug, time_zone, created_at, updated_at)
         values ($1, 'Many', 'many', 'UTC', now(), now()) returning id
       ), e as (
         insert into event_types (account_id, team_id, title, slug, length, scheduling_type,
           created_at, updated_at)
         select $1, id, 'Call', 'call', 30, 'roundRobin', now(), now() from t returning id
       ), h as (
         insert into event_type_hosts (account_id, event_type_id, user_id)
         select $1, e.id, u from e, unnest($2::int[]) u
       ) select id from e`,
      [accountId, userIds],
    )
    await client.query(
      `insert into occupancies (account_id, person_id, source, source_id, blocked)
       select account_id, person_id, 'offer', n, tstzrange(at, at + interval '30 minutes')
       from members, generate_series(0, $3::int - 1) n, lateral (select $4::date::timestamp
         at time zone 'UTC' + n * interval '1 day' + (14 + (user_id + n) % 8) * interval '1 hour' as at) a
       where account_id = $1 and user_id = any($2::int[])`,
      [accountId, userIds, BUSY_EACH, firstDay],
    )
    await client.query('vacuum analyze')
    return made.rows[0]!.id
  })
}
