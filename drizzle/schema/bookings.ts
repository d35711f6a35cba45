import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { members } from './accounts.ts'
import { eventTypes } from './calendar.ts'
import { instant, owned, ownedKey, stamps, within } from './columns.ts'
import { table } from './lazy.ts'

/** A meeting of an event type. Its hosts' time is blocked by rows of `occupancies`, one a host. */
export const bookings = table(
  'bookings',
  {
    ...owned(),
    uid: text().notNull(),
    eventTypeId: integer('event_type_id'),
    /** The organizer; null while an instant meeting waits for its host. */
    userId: integer('user_id'),
    title: text().notNull(),
    description: text(),
    status: text({
      enum: ['accepted', 'pending', 'cancelled', 'rejected', 'awaiting_host'],
    }).notNull(),
    startTime: instant('start_time').notNull(),
    endTime: instant('end_time').notNull(),
    bufferBefore: integer('buffer_before').notNull().default(0),
    bufferAfter: integer('buffer_after').notNull().default(0),
    location: text(),
    meetingUrl: text('meeting_url'),
    responses: jsonb().notNull().default({}),
    metadata: jsonb().notNull().default({}),
    tracking: jsonb(),
    price: integer().notNull().default(0),
    currency: text().notNull().default('usd'),
    paid: boolean().notNull().default(false),
    cancellationReason: text('cancellation_reason'),
    rejectionReason: text('rejection_reason'),
    reschedulingReason: text('rescheduling_reason'),
    cancelledBy: text('cancelled_by'),
    rescheduledBy: text('rescheduled_by'),
    recurringEventId: text('recurring_event_id'),
    recurringIndex: smallint('recurring_index'),
    isSeated: boolean('is_seated').notNull().default(false),
    noShowHost: boolean('no_show_host').notNull().default(false),
    rating: smallint(),
    ratingFeedback: text('rating_feedback'),
    source: text().notNull(),
    /** SHA-256 of the token by which a host joins an instant meeting, until it expires. */
    joinHash: text('join_hash'),
    joinExpiresAt: instant('join_expires_at'),
    /** Which of the two instants of a meeting were told of. */
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    /** When the room at the provider of video meetings was given its present times, and its id. */
    roomAt: instant('room_at'),
    roomId: text('room_id'),
    /** The start of which everybody was reminded. */
    remindedFor: instant('reminded_for'),
    version: integer().notNull().default(0),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'bookings'),
    // A deleted event type leaves its bookings behind.
    within(t, t.eventTypeId, eventTypes, 'bookings_event_type_fk'),
    foreignKey({
      name: 'bookings_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    uniqueIndex('bookings_uid').on(t.uid),
    uniqueIndex('bookings_join').on(t.joinHash),
    uniqueIndex('bookings_room').on(t.roomId),
    index('bookings_to_room')
      .on(t.startTime)
      .where(sql`location = 'integrations:daily' and room_at is null`),
    index('bookings_start').on(t.accountId, t.startTime, t.id),
    index('bookings_event_type').on(t.accountId, t.eventTypeId, t.startTime),
    // Nobody joins a series that somebody else has made: who cancels the rest of one cancels all of it.
    uniqueIndex('bookings_series')
      .on(t.accountId, t.recurringEventId, t.recurringIndex)
      .where(sql`recurring_event_id is not null`),
    index('bookings_to_start')
      .on(t.startTime)
      .where(sql`status = 'accepted' and started_at is null`),
    index('bookings_to_end').on(t.endTime).where(sql`status = 'accepted' and ended_at is null`),
    index('bookings_to_remind')
      .on(t.startTime)
      .where(sql`status = 'accepted' and reminded_for is distinct from start_time`),
    index('bookings_to_expire').on(t.joinExpiresAt).where(sql`status = 'awaiting_host'`),
    check('bookings_times', sql`end_time > start_time`),
  ],
)

/** A recording of a meeting, or a transcript of it, that was told of: each once. */
export const bookingRecordings = table(
  'booking_recordings',
  {
    ...owned(),
    bookingId: integer('booking_id').notNull(),
    kind: text({ enum: ['recording', 'transcript'] }).notNull(),
    /** The provider's id of it. */
    externalId: text('external_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    ownedKey(t, 'booking_recordings'),
    within(t, t.bookingId, bookings, 'booking_recordings_booking_fk').onDelete('cascade'),
    uniqueIndex('booking_recordings_once').on(t.accountId, t.kind, t.externalId),
    index('booking_recordings_booking').on(t.accountId, t.bookingId),
  ],
)

/** Who hosts a booking. */
export const bookingHosts = table(
  'booking_hosts',
  {
    accountId: integer('account_id').notNull(),
    bookingId: integer('booking_id').notNull(),
    userId: integer('user_id').notNull(),
  },
  t => [
    primaryKey({ name: 'booking_hosts_pkey', columns: [t.accountId, t.bookingId, t.userId] }),
    within(t, t.bookingId, bookings, 'booking_hosts_booking_fk').onDelete('cascade'),
    foreignKey({
      name: 'booking_hosts_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    index('booking_hosts_user').on(t.accountId, t.userId),
  ],
)

/**
 * Who comes: known by their e-mail address, or by their telephone number (E.164) where they have none.
 * In a seated booking each has a seat of their own, known by `seat_uid`.
 */
export const bookingAttendees = table(
  'booking_attendees',
  {
    ...owned(),
    bookingId: integer('booking_id').notNull(),
    name: text().notNull(),
    email: text(),
    timeZone: text('time_zone').notNull(),
    locale: text().notNull().default('en'),
    phoneNumber: text('phone_number'),
    noShow: boolean('no_show').notNull().default(false),
    isGuest: boolean('is_guest').notNull().default(false),
    seatUid: text('seat_uid'),
    responses: jsonb(),
  },
  t => [
    ownedKey(t, 'booking_attendees'),
    within(t, t.bookingId, bookings, 'booking_attendees_booking_fk').onDelete('cascade'),
    uniqueIndex('booking_attendees_seat').on(t.seatUid),
    // Nobody comes twice to one booking.
    uniqueIndex('booking_attendees_address').on(t.accountId, t.bookingId, sql`lower(email)`),
    uniqueIndex('booking_attendees_number')
      .on(t.accountId, t.bookingId, t.phoneNumber)
      .where(sql`email is null`),
    check(
      'booking_attendees_reach',
      sql`email is not null or (phone_number is not null and phone_number ~ '^[+][1-9][0-9]{3,14}$')`,
    ),
  ],
)

/** A slot that is kept for somebody while they fill in a form. */
export const holds = table(
  'holds',
  {
    ...owned(),
    uid: text().notNull(),
    eventTypeId: integer('event_type_id').notNull(),
    userIds: jsonb('user_ids').$type<number[]>().notNull(),
    startTime: instant('start_time').notNull(),
    endTime: instant('end_time').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    ownedKey(t, 'holds'),
    within(t, t.eventTypeId, eventTypes, 'holds_event_type_fk').onDelete('cascade'),
    uniqueIndex('holds_uid').on(t.uid),
    index('holds_expires').on(t.expiresAt),
    check('holds_times', sql`end_time > start_time`),
  ],
)

/**
 * Codes by which those who book prove that an e-mail address is theirs. An address is in lower case;
 * of the code itself only a keyed hash is kept.
 */
export const bookingCodes = table(
  'booking_codes',
  {
    ...owned(),
    eventTypeId: integer('event_type_id').notNull(),
    email: text().notNull(),
    /** What the code is made from, together with the secret of the deployment. */
    nonce: text().notNull(),
    hash: text().notNull(),
    /** How often a wrong code was given. */
    tries: smallint().notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  t => [
    ownedKey(t, 'booking_codes'),
    within(t, t.eventTypeId, eventTypes, 'booking_codes_event_type_fk').onDelete('cascade'),
    uniqueIndex('booking_codes_address').on(t.accountId, t.eventTypeId, t.email),
    index('booking_codes_expires').on(t.expiresAt),
  ],
)
