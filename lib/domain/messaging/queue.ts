import { sql } from 'drizzle-orm'
import { messages } from '#drizzle/schema/events.ts'
import { into, queueing } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import type { NewMessage } from './schema.ts'

/** What a message is inserted by: the account, how and as what it goes to whom, about what, and when. */
export const newMessages = into(
  messages,
  messages.channel,
  messages.kind,
  messages.recipient,
  messages.subject,
  messages.subjectId,
  messages.data,
  messages.dedupe,
  messages.nextAt,
  messages.createdAt,
)

const insertMessages = queueing<{ rows: string; now: string }>(
  'messages',
  p => sql`insert into ${newMessages}
    select ${p.account}::int, 'email', m.kind, m.recipient, m.subject, m."subjectId",
      coalesce(m.data, '{}'), m.dedupe, ${p.now}::timestamptz, ${p.now}::timestamptz
    from jsonb_to_recordset(${p.rows}::jsonb)
      as m(kind text, recipient text, subject text, "subjectId" int, dedupe text, data jsonb)
    on conflict do nothing returning 1`,
)

/**
 * Queues a message in the write that causes it: it exists when the change does, and a message that
 * was queued before under the same `dedupe` is left alone. `sendMessages` sends it afterwards.
 */
export const queueMessage = (write: Write, now: Date, message: NewMessage): void =>
  queueMessages(write, now, [message])

/** Queues several messages of one write in one statement. */
export function queueMessages(write: Write, now: Date, list: readonly NewMessage[]): void {
  if (list.length === 0) return
  write.run(insertMessages, { rows: JSON.stringify(list), now: now.toISOString() })
}
