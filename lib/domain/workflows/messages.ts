import { type SQL, sql } from 'drizzle-orm'
import { accounts, users } from '#drizzle/schema/accounts.ts'
import { appointments } from '#drizzle/schema/appointments.ts'
import { bookingAttendees, bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { customers, employees } from '#drizzle/schema/people.ts'
import { workflowEventTypes, workflowSteps, workflows } from '#drizzle/schema/workflows.ts'
import { iso } from '#lib/db/json.ts'
import { ownerOf } from '#lib/db/owner.ts'
import { seatHolder } from '#lib/domain/attendees/queries.ts'
import { newMessages } from '../messaging/queue.ts'

const w = workflows
const s = workflowSteps
const b = bookings
const p = appointments
const a = bookingAttendees
const e = eventTypes
const k = customers
const m = employees

/** What a workflow is about. */
export type Subject = 'booking' | 'appointment'

const textTo = (number: SQL): SQL =>
  sql`case when ${s.action} like 'whatsapp%' then 'whatsapp:' else '' end || ${number}`
const byText = (whom: 'attendee' | 'number'): SQL =>
  sql`${s.action} in (${sql.raw(`'sms_${whom}', 'whatsapp_${whom}'`)})`

const reader = (name: SQL, timeZone: SQL, locale: SQL): SQL =>
  sql`jsonb_build_object('name', ${name}, 'timeZone', ${timeZone}, 'locale', ${locale})`

/** The address or number that a step names itself. */
const named = (timeZone: SQL, locale: SQL): SQL => sql`
  select case when ${s.action} = 'email_address' then 'email' else 'sms' end as channel,
    case when ${s.action} = 'email_address' then ${s.recipient}
      else ${textTo(sql`${s.recipient}`)} end as recipient,
    'other' as role, ${reader(sql`''::text`, timeZone, locale)} as reader, null::jsonb as seat
  where ${s.action} in ('email_address', 'sms_number', 'whatsapp_number')`

const attendeeReader = reader(
  sql`${a.name}`,
  sql`${a.timeZone}`,
  sql`coalesce(${e.interfaceLanguage}, ${a.locale})`,
)
/** Whom a step about a booking goes to: of a seat its holder, and each address or number once. */
const bookingReaders = (onlySeat: SQL): SQL => {
  const attendees = (channel: SQL, recipient: SQL, when: SQL) => sql`(
    select distinct on (lower(${recipient})) ${channel} as channel, ${recipient} as recipient,
      'attendee' as role, ${attendeeReader} as reader, ${seatHolder(a)} as seat
    from ${a} where ${when} and ${a.accountId} = ${b.accountId} and ${a.bookingId} = ${b.id}
      and (${onlySeat}::text is null or ${a.seatUid} = ${onlySeat}::text)
      and ${recipient} is not null order by lower(${recipient}), ${a.id})`
  return sql`${attendees(sql`'email'`, sql`${a.email}`, sql`${s.action} = 'email_attendee'`)}
    union all ${attendees(sql`'sms'`, textTo(sql`${a.phoneNumber}`), byText('attendee'))}
    union all select 'email', ${users.email}, 'host',
      ${reader(sql`${users.name}`, sql`${users.timeZone}`, sql`${users.locale}`)}, null
      from ${bookingHosts} join ${users} on ${users.id} = ${bookingHosts.userId}
      where ${s.action} = 'email_host' and ${bookingHosts.accountId} = ${b.accountId}
        and ${bookingHosts.bookingId} = ${b.id}
    union all ${named(sql`${accounts.timeZone}`, sql`${accounts.locale}`)}`
}

/** Whom a step about an appointment goes to; the host is its employee, else the owner. */
const appointmentReaders = (): SQL => {
  const zone = sql`coalesce(${p.timeZone}, ${k.timeZone}, ${accounts.timeZone})`
  const customer = reader(sql`${k.name}`, zone, sql`coalesce(${k.language}, ${accounts.locale})`)
  const host = (name: 'name' | 'email') =>
    sql`coalesce(${m[name]}, ${ownerOf(p.accountId)} ->> '${sql.raw(name)}')`
  return sql`select 'email' as channel, ${k.email} as recipient, 'attendee' as role,
      ${customer} as reader, null::jsonb as seat
      where ${s.action} = 'email_attendee' and ${k.email} is not null
    union all select 'sms', ${textTo(sql`${k.phone}`)}, 'attendee', ${customer}, null
      where ${byText('attendee')} and ${k.phone} is not null
    union all select 'email', ${host('email')}, 'host', ${reader(
      host('name'),
      sql`coalesce(${m.timeZone}, ${accounts.timeZone})`,
      sql`${accounts.locale}`,
    )}, null where ${s.action} = 'email_host'
    union all ${named(sql`${accounts.timeZone}`, sql`${accounts.locale}`)}`
}

/** Rows of a subject with the steps of the workflows that are for them. */
const SUBJECTS = {
  booking: {
    table: b,
    from: sql`join ${b} on ${b.accountId} = ${w.accountId}
        and (${w.onAllEventTypes} or exists (select from ${workflowEventTypes}
          where ${workflowEventTypes.accountId} = ${w.accountId}
            and ${workflowEventTypes.workflowId} = ${w.id}
            and ${workflowEventTypes.eventTypeId} = ${b.eventTypeId}))
      left join ${e} on ${e.accountId} = ${b.accountId} and ${e.id} = ${b.eventTypeId}`,
    readers: bookingReaders,
  },
  appointment: {
    table: p,
    from: sql`join ${p} on ${p.accountId} = ${w.accountId} and ${w.onAppointments}
      left join ${k} on ${k.accountId} = ${p.accountId} and ${k.id} = ${p.customerId}
      left join ${m} on ${m.accountId} = ${p.accountId} and ${m.id} = ${p.employeeId}`,
    readers: appointmentReaders,
  },
} as const

/** Which messages are to be made of the workflows of a subject. */
export interface Making {
  /** ISO 8601. */
  now: SQL
  /** Which workflows and which rows of the subject; each of their tables is named with its account. */
  where: SQL
  /** What the message is about beyond its step and reader: the same is queued once. */
  stamp: SQL
  /** JSON that is added to what the message says. */
  data?: SQL
  /** Just the holder of this seat, of those who come; null for all. */
  seat?: SQL
}

/**
 * Inserts the messages of all steps of the workflows that are for some rows: one for each reader. The
 * first of several under the same stamp is kept.
 */
export function insertMessages(
  subject: Subject,
  { now, where, stamp, data = sql`'{}'::jsonb`, seat: onlySeat = sql`null` }: Making,
): SQL {
  const { table, from, readers } = SUBJECTS[subject]
  return sql`insert into ${newMessages}
    select ${table.accountId}, x.channel, 'workflow', x.recipient, ${sql.raw(`'${subject}'`)},
      ${table.id}, jsonb_strip_nulls(jsonb_build_object('stepId', ${s.id}, 'trigger', ${w.trigger},
        'role', x.role, 'reader', x.reader, 'seat', x.seat,
        'bookingIds', jsonb_build_array(${table.id}))) || ${data},
      'workflow:' || ${s.id} || ${sql.raw(`':${subject}:'`)} || ${stamp} || ':' || lower(x.recipient),
      ${now}::timestamptz, ${now}::timestamptz
    from ${w} join ${accounts} on ${accounts.id} = ${w.accountId}
      join ${s} on ${s.accountId} = ${w.accountId} and ${s.workflowId} = ${w.id}
      ${from}, lateral (${readers(onlySeat)}) x
    where ${w.active} and ${where}
    order by ${table.startTime}, ${table.id}, ${s.stepNumber}
    on conflict do nothing returning 1`
}

/** The start of a subject's row, as messages that are due by the clock keep it. */
export const startOf = (subject: Subject): SQL => iso(SUBJECTS[subject].table.startTime)
