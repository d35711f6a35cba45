import type { Settings } from '#lib/core/context.ts'
import type { CalendarEvent, CalendarMethod } from './ics.ts'
import type { Letter } from './templates.ts'

/** A message that no longer fits what it is about, and why. */
export interface Skipped {
  skipped: string
}

/** What a template makes of a claimed message: all that is its own in the e-mail. */
export interface Composed {
  letter: Letter
  /** Stands above the heading. */
  business: string
  /** Who writes, through the deployment's address; null for the deployment itself. */
  from: { name: string; replyTo: string | null } | null
  /** What its dates are written in (BCP 47). */
  locale: string
  /** The entries of the calendar file, if one comes along. */
  calendar?: { method: CalendarMethod; events: CalendarEvent[] } | undefined
}

/** `book@example.org` of `Almanac <book@example.org>`. */
export const addressOf = (line: string): string => /<([^>]+)>/.exec(line)?.[1] ?? line

/** The address of an organizer who shows none: that of the deployment. */
export const organizerAddress = ({ emailFrom }: Settings): string => addressOf(emailFrom)
