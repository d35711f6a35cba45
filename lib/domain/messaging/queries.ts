import { sql } from 'drizzle-orm'
import { accounts, users } from '#drizzle/schema/accounts.ts'
import { appointments } from '#drizzle/schema/appointments.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import { messages } from '#drizzle/schema/events.ts'
import { customers, employees, invitations } from '#drizzle/schema/people.ts'
import { workflowSteps, workflows } from '#drizzle/schema/workflows.ts'
import { iso, json, jsonArray } from '#lib/db/json.ts'
import { entrance } from '#lib/db/query.ts'
import { bookingOfMessage } from './bookings/queries.ts'
import type { ClaimedMessage } from './claimed.ts'
import { optedOut, toStopped } from './opt-outs.ts'
import type { LinkedAppointment } from './schema.ts'

/** Seconds until the next try, after the first, second, … that failed; then it has failed for good. */
export const RETRY_SECONDS = [60, 300, 1800, 7200, 21_600] as const

const address = sql`nullif(concat_ws(', ', l.address, l.city, l.state, l.postal_code), '')`

const occurrence = {
  uid: sql`b.uid`,
  version: sql`b.version`,
  status: sql`b.status`,
  startTime: iso(sql`b.start_time`),
  endTime: iso(sql`b.end_time`),
}

/** An appointment `b` with the names of what it points at, for its customer. */
const shownAppointment = json({
  ...occurrence,
  timeZone: sql`b.time_zone`,
  totalAmount: sql`b.total_amount`,
  currency: sql`b.currency`,
  confirmBy: iso(
    sql`case when b.status = 'pending' and b.confirm_by < b.start_time then b.confirm_by end`,
  ),
  cancellationReason: sql`b.cancellation_reason`,
  notes: sql`b.notes`,
  service: sql`s.name`,
  employee: sql`e.name`,
  location: sql`case when l.id is null then null else ${json({
    name: sql`l.name`,
    address,
    timeZone: sql`l.time_zone`,
  })} end`,
  customer: sql`case when k.id is null then null else ${json({
    name: sql`k.name`,
    email: sql`k.email`,
    timeZone: sql`k.time_zone`,
  })} end`,
})

/** What `shownAppointment` reads, joined to an appointment `b`. */
const shownJoins = sql`
  left join ${services} s on s.account_id = b.account_id and s.id = b.service_id
  left join ${employees} e on e.account_id = b.account_id and e.id = b.employee_id
  left join ${locations} l on l.account_id = b.account_id and l.id = b.location_id
  left join ${customers} k on k.account_id = b.account_id and k.id = b.customer_id`

/** The business `a`, as its customers see it. */
export const sender = json({
  name: sql`a.name`,
  email: sql`a.email`,
  phone: sql`a.phone`,
  timeZone: sql`a.time_zone`,
  locale: sql`a.locale`,
})

const seriesOfMessage = sql`case when c.data ? 'seriesId' then ${jsonArray(
  json(occurrence),
  sql`from ${appointments} b where b.account_id = c.account_id
    and b.series_id = (c.data ->> 'seriesId')::int and b.hidden_at is null
    and (not c.data ? 'ids' or c.data -> 'ids' @> to_jsonb(b.id)) order by b.start_time`,
)} else '[]'::json end`

/** The invitation that a claimed message `c` asks into an account by. */
const invitationOfMessage = sql`case when c.subject = 'invitation' then (select ${json({
  id: sql`i.id`,
  name: sql`ie.name`,
  role: sql`ie.role`,
  inviter: sql`(select ${json({ name: users.name, email: users.email })} from ${users}
    where ${users.id} = i.user_id)`,
  expiresAt: iso(sql`i.expires_at`),
  isOpen: sql`i.ended_at is null`,
})} from ${invitations} i join ${employees} ie on ie.account_id = i.account_id
    and ie.id = i.employee_id
  where i.account_id = c.account_id and i.id = c.subject_id) end`

const delays = sql.raw(`array[${RETRY_SECONDS.join()}]`)

/** The step of a workflow that a claimed message `c` is of, as long as it still is. */
const stepOfMessage = sql`case when c.kind = 'workflow' then (select ${json({
  template: sql`st.template`,
  sender: sql`st.sender`,
  subject: sql`st.subject`,
  body: sql`st.body`,
  isHtml: sql`st.is_html`,
  includeCalendarEvent: sql`st.include_calendar_event`,
})} from ${workflowSteps} st join ${workflows} w on w.account_id = st.account_id
    and w.id = st.workflow_id and w.active and w.trigger = c.data ->> 'trigger'
  where st.account_id = c.account_id and st.id = (c.data ->> 'stepId')::int) end`

/** Which messages are taken. */
export interface Claiming {
  /** Those whose providers are configured. */
  channels: readonly ('email' | 'sms')[]
  /** Those of these kinds alone, where some are named. */
  kinds: readonly string[] | null
  /** One account's alone, or everybody's. */
  accountId: number | null
  /** Of the account those alone that a request at this very instant has queued. */
  ownOnly: boolean
  limit: number
  now: string
}

/**
 * Takes up to `limit` messages that are due and reads what their templates need. Their next try is set
 * at once, so that nobody else takes them while they are sent and they come up again if the sender
 * dies. Rows that another sender holds are passed over.
 */
export const claimMessages = entrance<Claiming, ClaimedMessage[]>(
  p => sql`with due as (
      select account_id, id from ${messages}
      where status = 'queued' and channel = any(${p.channels}::text[])
        and next_at <= ${p.now}::timestamptz
        and (${p.accountId}::int is null or account_id = ${p.accountId}::int)
        and (${p.kinds}::text[] is null or kind = any(${p.kinds}::text[]))
        and (not ${p.ownOnly}::boolean or created_at = ${p.now}::timestamptz)
      order by next_at limit ${p.limit}::int for update skip locked
    ), c as (
      update ${messages} m set attempts = m.attempts + 1, next_at = ${p.now}::timestamptz
        + (${delays})[least(m.attempts + 1, ${sql.raw(String(RETRY_SECONDS.length))})] * interval '1 second'
      from due where m.account_id = due.account_id and m.id = due.id returning m.*
    )
    select ${jsonArray(
      json({
        accountId: sql`c.account_id`,
        id: sql`c.id`,
        channel: sql`c.channel`,
        subject: sql`c.subject`,
        kind: sql`c.kind`,
        recipient: sql`c.recipient`,
        data: sql`c.data`,
        attempts: sql`c.attempts`,
        createdAt: iso(sql`c.created_at`),
        sender,
        appointment: sql`case when b.id is null then null else ${shownAppointment} end`,
        series: seriesOfMessage,
        booking: bookingOfMessage(),
        step: stepOfMessage,
        invitation: invitationOfMessage,
        optedOut: optedOut(sql`${p.now}::timestamptz`),
        toStopped,
        handedOver: sql`c.handed_over`,
      }),
      sql`from c join ${accounts} a on a.id = c.account_id
        left join ${appointments} b on c.subject = 'appointment'
          and b.account_id = c.account_id and b.id = c.subject_id
        ${shownJoins} order by c.created_at, c.id`,
    )}`,
)

/** What became of a claimed message. `attempts` tells a late answer from that of a later try. */
export interface Outcome {
  accountId: number
  id: number
  attempts: number
  status: 'queued' | 'sent' | 'failed'
  error: string | null
  providerId: string | null
  /** Whether it is not known what became of it, so that its words are to be looked up first. */
  isOpen: boolean
}

/** Notes what became of messages; `outcomes` is JSON of `Outcome[]`. */
export const recordOutcomes = entrance<{ outcomes: string; now: string }, unknown>(
  p => sql`update ${messages} m set status = r.status, error = r.error,
      provider_id = coalesce(r."providerId", m.provider_id),
      handed_over = case when r."isOpen" then m.handed_over end,
      sent_at = case when r."providerId" is null then m.sent_at else ${p.now}::timestamptz end
    from jsonb_to_recordset(${p.outcomes}::jsonb) as r("accountId" int, id int, attempts int,
      status text, error text, "providerId" text, "isOpen" boolean)
    where m.account_id = r."accountId" and m.id = r.id and m.status = 'queued'
      and (r.status = 'sent' or m.attempts = r.attempts)`,
)

/** Keeps the words of text messages before they are handed over; `rows` is JSON. */
export const keepWords = entrance<{ rows: string }, unknown>(
  p => sql`update ${messages} m set handed_over = r.text
    from jsonb_to_recordset(${p.rows}::jsonb) as r("accountId" int, id int, text text)
    where m.account_id = r."accountId" and m.id = r.id`,
)

/** Which of a provider's ids are those of messages that we know to be sent. */
export const knownIds = entrance<{ ids: readonly string[] }, string[]>(
  p =>
    sql`select ${jsonArray(
      sql`provider_id`,
      sql`from ${messages} where provider_id = any(${p.ids}::text[])`,
    )}`,
)

const terms = json({
  subdomain: sql`a.subdomain`,
  policy: sql`a.booking_policy`,
  weekStart: sql`a.week_start`,
  isSeat: sql`b.session_id is not null`,
  persons: sql`b.persons`,
  hasEmployee: sql`b.employee_id is not null`,
})

/** An appointment and its business by the appointment's public identifier. */
export const shownByUid = entrance<{ uid: string }, LinkedAppointment | null>(
  p => sql`select ${json({ appointment: shownAppointment, sender, terms })}
    from ${appointments} b join ${accounts} a on a.id = b.account_id ${shownJoins}
    where b.uid = ${p.uid} and b.hidden_at is null`,
)
