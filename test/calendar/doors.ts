import { queryDatabase } from '../database.ts'
import type { Calendar } from './world.ts'

/** What causes events, and all that comes out of it. */
export interface Door<Made, Type extends string = string> {
  door: string
  /** What the event type is like. */
  columns?: object
  /** How the booking is made that there is before, when nothing else is said an accepted one; null for none. */
  path?: string | null
  start?: string
  act(made: Made): Promise<unknown>
  events: Type[]
}

export const waits = { requires_confirmation: true }
export const none = { path: null }

/** Every row of the outbox of an account. */
export const outboxOf = <Type extends string>({
  account,
}: Calendar): Promise<{ type: Type; payload: object }[]> =>
  queryDatabase('select type, payload from events where account_id = $1 order by id', [
    account.accountId,
  ])
