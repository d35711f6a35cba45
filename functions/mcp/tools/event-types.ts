import { ById, id } from '#lib/core/schemas.ts'
import {
  createEventType,
  deleteEventType,
  duplicateEventType,
  findEventType,
  listEventTypes,
  updateEventType,
} from '#lib/domain/event-types/operations.ts'
import {
  Duplicate,
  EventTypeChange,
  EventTypeFilter,
  NewEventType,
} from '#lib/domain/event-types/schema.ts'
import { DELETED } from '#lib/mcp/output.ts'
import { creates, deletes, reads, type Tools, updates } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** Kinds of meetings that can be booked. */
export const tools: Tools = {
  list_event_types: reads(
    'List the event types (kinds of meetings) that can be booked, with their ids and lengths.',
    EventTypeFilter,
    listEventTypes,
    ANSWER.eventTypes,
  ),
  get_event_type: reads('Read one event type whole.', ById, findEventType, ANSWER.eventType),
  create_event_type: creates(
    'Make an event type of the user, or of a team with teamId. Lengths and buffers are in minutes.',
    NewEventType,
    createEventType,
    ANSWER.eventType,
  ),
  update_event_type: updates(
    'Change an event type; what is left out stays. Bookings that were made keep their length.',
    EventTypeChange.safeExtend({ id }),
    updateEventType,
    ANSWER.eventType,
  ),
  delete_event_type: deletes(
    'Delete an event type. Its bookings stay; nobody can book it any more.',
    ById,
    deleteEventType,
    DELETED,
  ),
  duplicate_event_type: creates(
    'Copy an event type under another slug, with its hosts and workflows.',
    Duplicate,
    duplicateEventType,
    ANSWER.eventType,
  ),
}
