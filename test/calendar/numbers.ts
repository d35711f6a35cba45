import { queryDatabase } from '../database.ts'
import { AT } from './mail.ts'
import { bodyOf, book, type Calendar } from './world.ts'

/** A booking by somebody who says of themselves what is given. */
export const bookAs = ({ eventTypeId }: Calendar, who: object, start = AT, more: object = {}) =>
  book({ ...bodyOf(eventTypeId, start, 'Zoe', more), responses: { name: 'Zoe', ...who } })
/** A booking by somebody without an e-mail address. */
export const byNumber = (calendar: Calendar, number: string, start = AT, more: object = {}) =>
  bookAs(calendar, { attendeePhoneNumber: number }, start, more)

/** Who comes to the bookings of an account. */
export const attendeesOf = ({ account }: Calendar) =>
  queryDatabase<{ id: number; email: string | null; phone_number: string | null; off: boolean }>(
    `select id, email, phone_number, no_show as off from booking_attendees
     where account_id = $1 order by id`,
    [account.accountId],
  )
/** What the events of an account say, oldest first. */
export const payloadsOf = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ payload: Record<string, unknown> }>(
      'select payload from events where account_id = $1 order by id',
      [account.accountId],
    )
  ).map(e => e.payload)
