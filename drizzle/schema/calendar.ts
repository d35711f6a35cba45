import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
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
import { members, ofAccount } from './accounts.ts'
import { instant, lower, owned, ownedKey, stamps, within } from './columns.ts'
import { table } from './lazy.ts'

/** Weekly hours of a user with overrides by date; local wall-clock in `time_zone`. */
export const schedules = table(
  'schedules',
  {
    ...owned(),
    userId: integer('user_id').notNull(),
    name: text().notNull(),
    timeZone: text('time_zone').notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    availability: jsonb().notNull(),
    overrides: jsonb().notNull().default([]),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'schedules'),
    foreignKey({
      name: 'schedules_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    uniqueIndex('schedules_default').on(t.accountId, t.userId).where(sql`is_default`),
  ],
)

/** Users who are booked together or in turn. */
export const teams = table(
  'teams',
  {
    ...owned(),
    name: text().notNull(),
    slug: text().notNull(),
    bio: text(),
    logoUrl: text('logo_url'),
    timeZone: text('time_zone').notNull(),
    weekStart: smallint('week_start').notNull().default(0),
    isPrivate: boolean('is_private').notNull().default(false),
    hideBranding: boolean('hide_branding').notNull().default(false),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'teams'),
    ofAccount(t, 'teams'),
    uniqueIndex('teams_slug').on(t.accountId, t.slug),
  ],
)

/** A user's place in a team. */
export const teamMembers = table(
  'team_members',
  {
    ...owned(),
    teamId: integer('team_id').notNull(),
    userId: integer('user_id').notNull(),
    role: text({ enum: ['MEMBER', 'ADMIN', 'OWNER'] })
      .notNull()
      .default('MEMBER'),
    accepted: boolean().notNull().default(true),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    ownedKey(t, 'team_members'),
    within(t, t.teamId, teams, 'team_members_team_fk').onDelete('cascade'),
    foreignKey({
      name: 'team_members_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    uniqueIndex('team_members_once').on(t.accountId, t.teamId, t.userId),
    index('team_members_user').on(t.accountId, t.userId),
  ],
)

/** A kind of meeting that others can book with one user or with several. Minutes and cents. */
export const eventTypes = table(
  'event_types',
  {
    ...owned(),
    userId: integer('user_id'),
    teamId: integer('team_id'),
    title: text().notNull(),
    slug: text().notNull(),
    description: text(),
    length: integer().notNull(),
    lengthOptions: jsonb('length_options').$type<number[]>().notNull().default([]),
    hidden: boolean().notNull().default(false),
    color: text(),
    customName: text('custom_name'),
    locations: jsonb().notNull().default([]),
    bookingFields: jsonb('booking_fields').notNull().default([]),
    metadata: jsonb().notNull().default({}),
    slotInterval: integer('slot_interval'),
    offsetStart: integer('offset_start').notNull().default(0),
    minimumBookingNotice: integer('minimum_booking_notice').notNull().default(120),
    beforeEventBuffer: integer('before_event_buffer').notNull().default(0),
    afterEventBuffer: integer('after_event_buffer').notNull().default(0),
    bookingWindow: jsonb('booking_window'),
    bookingLimitsCount: jsonb('booking_limits_count').notNull().default({}),
    bookingLimitsDuration: jsonb('booking_limits_duration').notNull().default({}),
    maximumActiveBookings: integer('maximum_active_bookings'),
    /** Whether who has that many is offered to move one of them. */
    offerReschedule: boolean('offer_reschedule').notNull().default(false),
    onlyShowFirstAvailableSlot: boolean('only_show_first_available_slot').notNull().default(false),
    requiresConfirmation: boolean('requires_confirmation').notNull().default(false),
    confirmationNotice: jsonb('confirmation_notice'),
    recurrence: jsonb(),
    seatsPerTimeSlot: integer('seats_per_time_slot'),
    seatsShowAttendees: boolean('seats_show_attendees').notNull().default(false),
    seatsShowAvailabilityCount: boolean('seats_show_availability_count').notNull().default(true),
    disableGuests: boolean('disable_guests').notNull().default(false),
    disableCancelling: boolean('disable_cancelling').notNull().default(false),
    disableRescheduling: jsonb('disable_rescheduling'),
    allowReschedulingPastBookings: boolean('allow_rescheduling_past_bookings')
      .notNull()
      .default(false),
    allowReschedulingCancelledBookings: boolean('allow_rescheduling_cancelled_bookings')
      .notNull()
      .default(false),
    requiresBookerEmailVerification: boolean('requires_booker_email_verification')
      .notNull()
      .default(false),
    hideOrganizerEmail: boolean('hide_organizer_email').notNull().default(false),
    successRedirectUrl: text('success_redirect_url'),
    interfaceLanguage: text('interface_language'),
    price: integer().notNull().default(0),
    currency: text().notNull().default('usd'),
    scheduleId: integer('schedule_id'),
    schedulingType: text('scheduling_type', { enum: ['roundRobin', 'collective'] }),
    instantExpirySeconds: integer('instant_expiry_seconds').notNull().default(90),
    /** Counts the choices of a host, so that two at once cannot both be the same turn. */
    turn: integer().notNull().default(0),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'event_types'),
    foreignKey({
      name: 'event_types_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    within(t, t.teamId, teams, 'event_types_team_fk').onDelete('cascade'),
    within(t, t.scheduleId, schedules, 'event_types_schedule_fk'),
    // Whichever account it is in: a user's pages are found by their username and the slug.
    uniqueIndex('event_types_slug').on(t.userId, t.slug),
    uniqueIndex('event_types_team_slug').on(t.accountId, t.teamId, t.slug),
    // A visitor names an event type by its id alone.
    uniqueIndex('event_types_id').on(t.id),
    check('event_types_length', sql`length between 1 and 1440`),
    check('event_types_owner', sql`(user_id is null) <> (team_id is null)`),
  ],
)

/**
 * Who can host an event type of a team. `assigned` counts the turns they had; `calibration` is what a
 * newcomer is credited with, so that they do not get every turn until they have caught up.
 */
export const eventTypeHosts = table(
  'event_type_hosts',
  {
    accountId: integer('account_id').notNull(),
    eventTypeId: integer('event_type_id').notNull(),
    userId: integer('user_id').notNull(),
    isFixed: boolean('is_fixed').notNull().default(false),
    weight: integer().notNull().default(100),
    priority: smallint().notNull().default(2),
    scheduleId: integer('schedule_id'),
    assigned: integer().notNull().default(0),
    calibration: doublePrecision().notNull().default(0),
  },
  t => [
    primaryKey({ name: 'event_type_hosts_pkey', columns: [t.accountId, t.eventTypeId, t.userId] }),
    within(t, t.eventTypeId, eventTypes, 'event_type_hosts_event_type_fk').onDelete('cascade'),
    within(t, t.scheduleId, schedules, 'event_type_hosts_schedule_fk'),
    foreignKey({
      name: 'event_type_hosts_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    index('event_type_hosts_user').on(t.accountId, t.userId),
    check('event_type_hosts_weight', sql`weight between 0 and 10000`),
  ],
)

/** When a user is away. The days are theirs; instants are UTC. */
export const outOfOffice = table(
  'out_of_office',
  {
    ...owned(),
    uuid: uuid().notNull().defaultRandom(),
    userId: integer('user_id').notNull(),
    startTime: instant('start_time').notNull(),
    endTime: instant('end_time').notNull(),
    reason: text({ enum: ['unspecified', 'vacation', 'travel', 'sick', 'public_holiday'] })
      .notNull()
      .default('unspecified'),
    notes: text(),
    toUserId: integer('to_user_id'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'out_of_office'),
    foreignKey({
      name: 'out_of_office_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    foreignKey({
      name: 'out_of_office_to_member_fk',
      columns: [t.accountId, t.toUserId],
      foreignColumns: [members.accountId, members.userId],
    }),
    index('out_of_office_user').on(t.accountId, t.userId, t.endTime),
    check('out_of_office_times', sql`end_time > start_time`),
    check('out_of_office_self', sql`to_user_id is null or to_user_id <> user_id`),
  ],
)

/** A form that asks, and leads on by the answers. */
export const routingForms = table(
  'routing_forms',
  {
    ...owned(),
    userId: integer('user_id').notNull(),
    teamId: integer('team_id'),
    name: text().notNull(),
    slug: text().notNull(),
    description: text(),
    position: integer().notNull().default(0),
    disabled: boolean().notNull().default(false),
    fields: jsonb().notNull().default([]),
    routes: jsonb().notNull().default([]),
    settings: jsonb().notNull().default({}),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'routing_forms'),
    foreignKey({
      name: 'routing_forms_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    within(t, t.teamId, teams, 'routing_forms_team_fk').onDelete('cascade'),
    uniqueIndex('routing_forms_slug').on(t.accountId, lower(t.slug)),
    // A visitor may name a form by its id alone.
    uniqueIndex('routing_forms_id').on(t.id),
  ],
)

/** What was answered to a routing form, and where that led. */
export const routingFormResponses = table(
  'routing_form_responses',
  {
    ...owned(),
    formId: integer('form_id').notNull(),
    uid: text().notNull(),
    response: jsonb().notNull(),
    chosenRouteId: text('chosen_route_id'),
    bookingUid: text('booking_uid'),
    createdAt: instant('created_at').notNull(),
  },
  t => [
    ownedKey(t, 'routing_form_responses'),
    within(t, t.formId, routingForms, 'routing_form_responses_form_fk').onDelete('cascade'),
    uniqueIndex('routing_form_responses_uid').on(t.uid),
    index('routing_form_responses_form').on(t.accountId, t.formId, t.id),
  ],
)
