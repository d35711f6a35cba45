import {
  type AnyPgColumn,
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant, lower, owned, ownedKey, stamps, within } from './columns.ts'
import { table } from './lazy.ts'

/** What a business asks of those who book with it. */
export interface BookingPolicy {
  /** Whether public bookings are approved at once. */
  autoConfirm: boolean
  /** For how long a public booking holds its time unconfirmed; null: until it begins. */
  confirmWithinMinutes: number | null
  /** How long before its start something can still be booked. */
  minNoticeMinutes: number
  /** How far ahead something can be booked. */
  horizonDays: number
  /** How long before its start customers can still cancel. */
  cancellationWindowMinutes: number
  /** In cents. */
  cancellationFee: number
  /** Whether customers may move what they booked. */
  allowCustomerReschedule: boolean
}

/** Days on which the whole business is closed, both ends included, in its own time zone. */
export interface Closure {
  startDate: string
  endDate: string
  reason?: string | null
}

/** A business: the tenant that every owned row belongs to. Its settings are the company settings. */
export const accounts = table(
  'accounts',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    subdomain: text().notNull(),
    plan: text({ enum: ['free', 'pro', 'enterprise'] })
      .notNull()
      .default('free'),
    email: text(),
    phone: text(),
    website: text(),
    logoUrl: text('logo_url'),
    description: text(),
    address: text(),
    timeZone: text('time_zone').notNull(),
    currency: text().notNull().default('usd'),
    weekStart: smallint('week_start').notNull().default(0),
    locale: text().notNull().default('en'),
    bookingPolicy: jsonb('booking_policy').$type<BookingPolicy>().notNull(),
    branding: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    closures: jsonb().$type<Closure[]>().notNull().default([]),
    taxNumber: text('tax_number'),
    invoicePrefix: text('invoice_prefix').notNull().default('INV'),
    /** What addresses are hashed with that are kept to be known again, and not to be read. */
    addressKey: uuid('address_key').notNull().defaultRandom(),
    ...stamps(),
  },
  t => [uniqueIndex('accounts_subdomain').on(lower(t.subdomain))],
)

/** A person who signs in. Passwords are kept as `pbkdf2-sha256$rounds$salt$hash`. */
export const users = table(
  'users',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    email: text().notNull(),
    username: text().notNull(),
    name: text().notNull(),
    passwordHash: text('password_hash'),
    timeZone: text('time_zone').notNull(),
    bio: text(),
    avatarUrl: text('avatar_url'),
    timeFormat: smallint('time_format').notNull().default(12),
    weekStart: smallint('week_start').notNull().default(0),
    locale: text().notNull().default('en'),
    ...stamps(),
  },
  t => [
    uniqueIndex('users_email').on(lower(t.email)),
    uniqueIndex('users_username').on(lower(t.username)),
  ],
)

/** An owned row goes with an account that exists. */
export const ofAccount = (table: { accountId: AnyPgColumn }, name: string) =>
  foreignKey({
    name: `${name}_account_fk`,
    columns: [table.accountId],
    foreignColumns: [accounts.id],
  })

/** Someone whose time can be booked, whether they sign in (a member) or not (an employee). */
export const people = table('people', { ...owned() }, t => [
  ownedKey(t, 'people'),
  ofAccount(t, 'people'),
])

/** A user's place in an account. */
export const members = table(
  'members',
  {
    accountId: integer('account_id').notNull(),
    userId: integer('user_id').notNull(),
    personId: integer('person_id').notNull(),
    role: text({ enum: ['owner', 'admin', 'manager', 'staff'] }).notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    primaryKey({ name: 'members_pkey', columns: [t.accountId, t.userId] }),
    within(t, t.personId, people, 'members_person_fk'),
    foreignKey({ name: 'members_user_fk', columns: [t.userId], foreignColumns: [users.id] }),
    ofAccount(t, 'members'),
    index('members_user').on(t.userId),
    uniqueIndex('members_person').on(t.accountId, t.personId),
  ],
)

/** A key for programs. Only the SHA-256 of the part after `cal_` is kept. */
export const apiKeys = table(
  'api_keys',
  {
    ...owned(),
    userId: integer('user_id').notNull(),
    note: text(),
    hash: text().notNull(),
    hint: text().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  t => [
    ownedKey(t, 'api_keys'),
    uniqueIndex('api_keys_hash').on(t.hash),
    foreignKey({
      name: 'api_keys_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
  ],
)

/** A signed-in browser. Only the SHA-256 of the cookie's value is kept. */
export const webSessions = table(
  'web_sessions',
  {
    ...owned(),
    userId: integer('user_id').notNull(),
    hash: text().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  t => [
    ownedKey(t, 'web_sessions'),
    uniqueIndex('web_sessions_hash').on(t.hash),
    foreignKey({
      name: 'web_sessions_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
  ],
)

/**
 * The first answer given under an Idempotency-Key, kept for 24 hours. `scope` is the account, or the
 * address and target of a visitor. Without an answer the request is still running (until
 * `lease_until`, after which another may take it over).
 */
export const idempotencyKeys = table(
  'idempotency_keys',
  {
    scope: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    token: text().notNull(),
    leaseUntil: instant('lease_until').notNull(),
    expiresAt: instant('expires_at').notNull(),
    status: smallint(),
    contentType: text('content_type'),
    body: text(),
  },
  t => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.scope, t.key] }),
    index('idempotency_keys_expires').on(t.expiresAt),
  ],
)

/** Who changed what and when; written in the same batch as the change. */
export const auditLog = table(
  'audit_log',
  {
    accountId: integer('account_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    userId: integer('user_id'),
    via: text().notNull(),
    action: text().notNull(),
    subjectId: integer('subject_id'),
    requestId: text('request_id').notNull(),
  },
  t => [
    primaryKey({ name: 'audit_log_pkey', columns: [t.accountId, t.id] }),
    ofAccount(t, 'audit_log'),
  ],
)
