import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { members, ofAccount } from './accounts.ts'
import { eventTypes } from './calendar.ts'
import { instant, owned, ownedKey, stamps, within } from './columns.ts'
import { table } from './lazy.ts'

/** What is sent to whom when something happens to a booking or an appointment, or before or after. */
export const workflows = table(
  'workflows',
  {
    ...owned(),
    userId: integer('user_id').notNull(),
    name: text().notNull(),
    active: boolean().notNull().default(true),
    trigger: text().notNull(),
    /** Minutes before or after, for the triggers that have an offset. */
    offsetMinutes: integer('offset_minutes'),
    /** The unit in which the offset was said. */
    offsetUnit: text('offset_unit', { enum: ['minute', 'hour', 'day'] }),
    onAllEventTypes: boolean('on_all_event_types').notNull().default(false),
    onAppointments: boolean('on_appointments').notNull().default(false),
    /** When it was made, switched on, or given another trigger: what fell due before is not made up. */
    since: instant('since').notNull(),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'workflows'),
    ofAccount(t, 'workflows'),
    foreignKey({
      name: 'workflows_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    index('workflows_trigger').on(t.accountId, t.trigger).where(sql`active`),
    index('workflows_clock').on(t.trigger, t.accountId).where(sql`active and offset_minutes > 0`),
  ],
)

/** One message of a workflow. `recipient` is an address or a number where the action names neither. */
export const workflowSteps = table(
  'workflow_steps',
  {
    ...owned(),
    workflowId: integer('workflow_id').notNull(),
    stepNumber: smallint('step_number').notNull(),
    action: text().notNull(),
    recipient: text(),
    template: text().notNull(),
    sender: text(),
    subject: text(),
    body: text(),
    isHtml: boolean('is_html').notNull().default(false),
    /** Whether who books is asked for a number, because the step needs one. */
    phoneRequired: boolean('phone_required').notNull().default(false),
    includeCalendarEvent: boolean('include_calendar_event').notNull().default(false),
  },
  t => [
    ownedKey(t, 'workflow_steps'),
    within(t, t.workflowId, workflows, 'workflow_steps_workflow_fk').onDelete('cascade'),
    index('workflow_steps_workflow').on(t.accountId, t.workflowId, t.stepNumber),
  ],
)

/** The event types that a workflow is for. */
export const workflowEventTypes = table(
  'workflow_event_types',
  {
    accountId: integer('account_id').notNull(),
    workflowId: integer('workflow_id').notNull(),
    eventTypeId: integer('event_type_id').notNull(),
  },
  t => [
    primaryKey({
      name: 'workflow_event_types_pkey',
      columns: [t.accountId, t.workflowId, t.eventTypeId],
    }),
    within(t, t.workflowId, workflows, 'workflow_event_types_workflow_fk').onDelete('cascade'),
    within(t, t.eventTypeId, eventTypes, 'workflow_event_types_event_type_fk').onDelete('cascade'),
  ],
)
