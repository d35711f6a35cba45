import type { appointments } from '#drizzle/schema/appointments.ts'
import type { NewRow } from '#lib/db/write.ts'
import type { NeedFacts, ServiceFacts, SessionFacts } from './facts.ts'
import type { RecurrenceRule, Status } from './schema.ts'

/** One start of what is booked. `index` counts from 0 within its series. */
export interface Occurrence {
  id: number
  index: number
  start: Date
  end: Date
}

/** A booking that is decided and only has to be written. */
export interface Draft {
  service: ServiceFacts
  occurrences: readonly Occurrence[]
  employee: { id: number; personId: number } | null
  locationId: number | null
  needs: readonly NeedFacts[]
  customer: { id: number; email: string | null } | null
  status: Status
  price: number
  persons: number
  series?: { id: number; rule: RecurrenceRule; count: number } | undefined
  isGroup: boolean
  /** The group session that is joined; `isNew` makes it. What is over joins none. */
  session?: (Pick<SessionFacts, 'id' | 'taken'> & { isNew: boolean }) | undefined
  /** Columns that are kept as they were given. */
  kept: Partial<NewRow<typeof appointments>>
}
