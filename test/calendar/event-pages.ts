import { newEmail } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { AT } from './mail.ts'
import type { Calendar } from './world.ts'

/** The page of a calendar's event type. */
export const pageOf = ({ account }: Calendar) => `/${account.username}/30min`
/** The starts that a page leads to. */
export const startsIn = (text: string) =>
  [...text.matchAll(/\/book\?[^"]*start=([^"&]+)/g)].map(m => decodeURIComponent(m[1]!))
/** What the form of a start sends when nothing but the fields given was filled in. */
export const typed = (more: Record<string, string> = {}) => ({
  start: AT,
  zone: 'Europe/Berlin',
  name: 'Zoe <b>',
  email: newEmail(),
  ...more,
})

/** The bookings of an account, the earliest start first. */
export const bookingsOf = ({ account }: Calendar) =>
  queryDatabase('select * from bookings where account_id = $1 order by start_time', [
    account.accountId,
  ])
