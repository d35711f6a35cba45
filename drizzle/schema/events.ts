import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  json,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { instant, owned, ownedKey } from './columns.ts'
import { table } from './lazy.ts'

/**
 * What happened, written in the batch that made it happen. Events of one subject are ordered by
 * `version`, the subject's own count of changes. `event_type_id` is no foreign key: what happened
 * stays true when the event type is gone.
 */
export const events = table(
  'events',
  {
    accountId: integer('account_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    uid: uuid().notNull().defaultRandom(),
    type: text().notNull(),
    subject: text().notNull(),
    subjectId: integer('subject_id').notNull(),
    version: integer().notNull(),
    eventTypeId: integer('event_type_id'),
    // Not jsonb: the fields keep their order.
    payload: json().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    primaryKey({ name: 'events_pkey', columns: [t.accountId, t.id] }),
    ofAccount(t, 'events'),
    index('events_created').using('brin', t.createdAt),
  ],
)

/**
 * A message to send, written in the batch that calls for it and sent afterwards, so that neither a
 * slow provider nor a crash can delay, fail or lose it. `dedupe` names what the message is about:
 * the same message is queued once.
 */
export const messages = table(
  'messages',
  {
    ...owned(),
    channel: text({ enum: ['email', 'sms'] }).notNull(),
    kind: text().notNull(),
    recipient: text().notNull(),
    /** What its text is about, if anything; read when it is sent. */
    subject: text({ enum: ['appointment', 'booking', 'invitation'] }),
    subjectId: integer('subject_id'),
    data: jsonb().notNull().default({}),
    dedupe: text().notNull(),
    status: text({ enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: smallint().notNull().default(0),
    nextAt: instant('next_at').notNull(),
    error: text(),
    providerId: text('provider_id'),
    /**
     * The words that were handed to a provider that knows no repetition, from before that until what
     * became of them is known: they are looked up there before anything is sent again.
     */
    handedOver: text('handed_over'),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
  },
  t => [
    ownedKey(t, 'messages'),
    ofAccount(t, 'messages'),
    uniqueIndex('messages_dedupe').on(t.accountId, t.dedupe),
    index('messages_due').on(t.nextAt).where(sql`status = 'queued'`),
    check('messages_subject', sql`(subject is null) = (subject_id is null)`),
  ],
)

/**
 * Who wants no reminders and workflow messages of a business. It is said of an address or a number,
 * not of a customer: so it outlives their record, and is true of one that is made anew. Of the address
 * nothing is kept but what `opt_out_hash` makes of it.
 */
export const messageOptOuts = table(
  'message_opt_outs',
  {
    accountId: integer('account_id').notNull(),
    channel: text({ enum: ['email', 'sms'] }).notNull(),
    addressHash: text('address_hash').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    primaryKey({ name: 'message_opt_outs_pkey', columns: [t.accountId, t.channel, t.addressHash] }),
    ofAccount(t, 'message_opt_outs'),
    check('message_opt_outs_hash', sql`address_hash ~ '^[0-9a-f]{64}$'`),
  ],
)

/** Until which instant a job has dealt with what falls due by the clock: each run takes up there. */
export const jobRuns = table(
  'job_runs',
  { job: text().notNull(), until: instant('until').notNull() },
  t => [primaryKey({ name: 'job_runs_pkey', columns: [t.job, t.until] })],
)
