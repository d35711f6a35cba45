import { type Style, writeDay, writeTime } from '../times.ts'
import type { Variable } from '../variables.ts'
import type { Occasion } from './occasion.ts'

/** What the steps of workflows say where nothing is written out; variables stand in braces. */
export interface Words {
  subject: string
  heading: string
  lead: string
  /** A text message. */
  text: string
}

/** The templates but `custom`, which has no words of its own. */
export type Template = 'reminder' | 'cancelled' | 'rescheduled' | 'completed' | 'rating'

const WHEN = '{event_date}, {event_time} ({timezone})'

/** The words of each template. */
export const WORDS: Record<Template, Words> = {
  reminder: {
    subject: `Reminder: {event_name}, {event_date}`,
    heading: 'A reminder',
    lead: '{event_name} with {organizer_name} is coming up.',
    text: `Reminder: {event_name} with {organizer_name}, ${WHEN}. {cancel_url}`,
  },
  cancelled: {
    subject: 'Canceled: {event_name}, {event_date}',
    heading: 'It will not take place',
    lead: '{event_name} with {organizer_name} is canceled.',
    text: `Canceled: {event_name} with {organizer_name}, ${WHEN}.`,
  },
  rescheduled: {
    subject: 'Moved: {event_name}, {event_date}',
    heading: 'It has another time',
    lead: '{event_name} with {organizer_name} has been moved. This is how it stands now.',
    text: `Moved: {event_name} with {organizer_name} is now on ${WHEN}. {reschedule_url}`,
  },
  completed: {
    subject: 'Thank you: {event_name}',
    heading: 'Thank you for coming',
    lead: '{organizer_name} thanks you for {event_name} and would be glad to see you again.',
    text: 'Thank you for {event_name}. {organizer_name} would be glad to see you again.',
  },
  rating: {
    subject: 'How was {event_name}?',
    heading: 'How was it?',
    lead: 'You came to {event_name} with {organizer_name}. A word from you helps others, and us.',
    text: 'How was {event_name} with {organizer_name}? Tell us: {rating_url}',
  },
}

/** What the variables stand for, for a reader whose dates are written in `style`. */
export function valuesOf(
  occasion: Occasion,
  style: Style,
  links: { ratingUrl: string; noShowUrl: string },
): Record<Variable, string | null> {
  const { attendee, startTime, endTime } = occasion
  const [first = '', ...rest] = attendee.name.trim().split(/\s+/)
  const theirs = { ...style, timeZone: attendee.timeZone }
  return {
    event_name: occasion.title,
    event_date: writeDay(startTime, style),
    event_time: writeTime(startTime, style),
    event_end_time: writeTime(endTime, style),
    timezone: style.timeZone,
    location: occasion.place,
    organizer_name: occasion.host.name,
    attendee_name: attendee.name,
    attendee_first_name: first,
    attendee_last_name: rest.join(' '),
    attendee_email: attendee.email,
    additional_notes: occasion.notes,
    meeting_url: occasion.meetingUrl,
    cancel_url: occasion.pageUrl,
    cancel_reason: occasion.reason,
    reschedule_url: occasion.moveUrl,
    reschedule_reason: occasion.reschedulingReason,
    rating_url: links.ratingUrl,
    no_show_url: links.noShowUrl,
    attendee_timezone: attendee.timeZone,
    event_start_time_in_attendee_timezone: writeTime(startTime, theirs),
    event_end_time_in_attendee_timezone: writeTime(endTime, theirs),
  }
}
