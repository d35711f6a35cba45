import { eventTypes, schedules } from '#drizzle/schema/calendar.ts'
import type { Write } from '#lib/db/write.ts'
import { DEFAULT_AVAILABILITY } from '#lib/domain/schedules/hours.ts'
import { insertUser } from './queries.ts'

/** The username was free a moment ago. */
export const USERNAME_TAKEN: ReadonlySet<string> = new Set(['users_username'])

/** Who a new user is. */
export interface NewUser {
  email: string
  name: string
  username: string
  passwordHash: string
  timeZone: string
}

/**
 * A user with what everyone starts with: a place in the account, a schedule, an event type.
 * @param takePlace adds the statement that makes them a member
 */
export function addUser(
  write: Write,
  { userId, scheduleId }: { userId: number; scheduleId: number },
  { email, name, username, passwordHash, timeZone }: NewUser,
  now: string,
  takePlace: () => unknown,
): void {
  const stamps = { createdAt: now, updatedAt: now }
  write.run(insertUser, { id: userId, email, username, name, passwordHash, timeZone, now })
  takePlace()
  write
    .insert(schedules, {
      id: scheduleId,
      userId,
      name: 'Working hours',
      timeZone,
      isDefault: true,
      availability: DEFAULT_AVAILABILITY,
      ...stamps,
    })
    .insert(eventTypes, {
      userId,
      title: '30 minute meeting',
      slug: '30min',
      length: 30,
      scheduleId,
      ...stamps,
    })
}
