import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { outOfOffice } from '#drizzle/schema/calendar.ts'
import { momentInCompany } from '#lib/db/days.ts'
import { json, jsonIf } from '#lib/db/json.ts'
import { isUserLetIn } from '#lib/db/let-in.ts'
import type { ListSpec, Order } from '#lib/db/list.ts'
import { from, named, query } from '#lib/db/query.ts'
import { ownedBy, userIds } from '#lib/domain/teams/reach.ts'
import { emitFrom } from '#lib/events/emit.ts'
import type { OutOfOffice } from './schema.ts'

const o = outOfOffice
const other = named(outOfOffice, 'other')
const target = named(users, 'target')

/** The id of the absence that this batch just inserted. */
const newest = sql.raw(`currval('out_of_office_id_seq')::int`)

const user = json({ id: users.id, name: users.name, email: users.email })
const toUser = jsonIf(target.id, { id: target.id, name: target.name, email: target.email })

const joins = sql`join ${users} on ${users.id} = ${o.userId}
  left join ${from(target)} on ${target.id} = ${o.toUserId}`

const record = json<OutOfOffice>({
  id: o.id,
  uuid: o.uuid,
  userId: o.userId,
  start: o.startTime,
  end: o.endTime,
  reason: o.reason,
  notes: o.notes,
  toUserId: o.toUserId,
  user,
  toUser,
  createdAt: o.createdAt,
  updatedAt: o.updatedAt,
})

const byStart: Order = { by: o.startTime, type: 'timestamptz' }

/** How absences are listed; `own` leaves those of others out. */
export const outOfOfficeList: ListSpec = {
  table: o,
  record,
  joins,
  // By the name of the field here, and by the one that lists of appointments have.
  orders: { start: byStart, startTime: byStart },
  filters: {
    own: given => ownedBy(o, sql`${given.own}`),
    userId: given => sql`${o.userId} = ${given.userId}::int`,
    from: given => sql`${o.endTime} > ${momentInCompany(given, 'from', 0)}`,
    to: given => sql`${o.startTime} < ${momentInCompany(given, 'to', 1)}`,
  },
  names: { userId: userIds },
  search: sql`coalesce(${o.notes}, '')`,
}

interface Which {
  id: number
  own: number | null
}

/** One absence; null unless it is the user's or `own` is null. */
export const outOfOfficeRecord = query<Which, OutOfOffice>(
  p => sql`select ${record} from ${o} ${joins} where ${o.accountId} = ${p.account}
    and ${o.id} = ${p.id}::int and ${ownedBy(o, p.own)}`,
)

/** The absence that this batch just inserted. */
export const newOutOfOfficeRecord = query<object, OutOfOffice>(
  p => sql`select ${record} from ${o} ${joins} where ${o.accountId} = ${p.account}
    and ${o.id} = ${newest}`,
)

/** Whether a user may change an absence. */
export const isChangeable = query<Which, boolean>(
  p => sql`select to_json(exists (select from ${o} where ${o.accountId} = ${p.account}
    and ${o.id} = ${p.id}::int and ${ownedBy(o, p.own)}))`,
)

/**
 * Fails (404) where bookings would be led to somebody who left; not of an absence that leads there
 * already. `id` null means a new one.
 */
export const requireStandIn = query<{ id: number | null; toUserId: number }, unknown>(
  p => sql`select must(${isUserLetIn(p.account, sql`${p.toUserId}::int`)}
    or exists (select from ${o} where ${o.accountId} = ${p.account} and ${o.id} = ${p.id}::int
      and ${o.toUserId} = ${p.toUserId}::int), 'members_gone')`,
)

/**
 * Fails where bookings would be led in a circle: from who is away to who takes over, who is away at
 * a common time and leads them on, and so forth until they come back. `id` null means the absence
 * that this batch just inserted.
 */
export const requireNoCircle = query<{ id: number | null }, unknown>(
  p => sql`with recursive chain (start_id, user_id, during) as (
    select ${o.userId}, ${o.toUserId}, tstzrange(${o.startTime}, ${o.endTime}) from ${o}
      where ${o.accountId} = ${p.account} and ${o.id} = coalesce(${p.id}::int, ${newest})
    union
    select chain.start_id, ${other.toUserId},
      chain.during * tstzrange(${other.startTime}, ${other.endTime})
    from chain join ${from(other)} on ${other.accountId} = ${p.account}
      and ${other.userId} = chain.user_id
      and tstzrange(${other.startTime}, ${other.endTime}) && chain.during
    where chain.user_id <> chain.start_id
  ) select must(not exists (select from chain where user_id = start_id), 'out_of_office_cycle')`,
)

/** The reasons in the order of their numbers in OOO_CREATED, each with its sign. */
const REASONS = { unspecified: '🕒', vacation: '🏝️', travel: '✈️', sick: '🤒', public_holiday: '🎉' }
const REASON_ROWS = sql.join(
  Object.entries(REASONS).map(([reason, emoji], i) =>
    sql.raw(`(${i + 1}, '${reason}', '${emoji}')`),
  ),
  sql`, `,
)
const reasonOf = (field: SQL): SQL => sql`(select ${field}
  from (values ${REASON_ROWS}) as r(id, reason, emoji) where r.reason = ${o.reason})`

/** Tells of the absence that this batch just inserted. */
export const emitOutOfOffice = emitFrom<object>(p => ({
  subject: sql`'out_of_office'`,
  subjectId: o.id,
  version: sql`1`,
  payload: json({
    oooEntry: json({
      id: o.id,
      uuid: o.uuid,
      start: o.startTime,
      end: o.endTime,
      createdAt: o.createdAt,
      updatedAt: o.updatedAt,
      notes: o.notes,
      reason: reasonOf(json({ emoji: sql`r.emoji`, reason: sql`r.reason` })),
      reasonId: reasonOf(sql`r.id`),
      user,
      toUser,
    }),
  }),
  from: sql`from ${o} ${joins} where ${o.accountId} = ${p.account} and ${o.id} = ${newest}`,
}))
