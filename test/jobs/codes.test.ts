import { expect, it } from 'vitest'
import { newEmail } from '../browser.ts'
import { clock, createCalendar, newAddress, visitor } from '../calendar/world.ts'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'

it('job cleanup deletes codes that have expired, and no other', async () => {
  const { account, eventTypeId } = await createCalendar({
    requires_booker_email_verification: true,
  })
  const [gone, live] = [newEmail(), newEmail()]
  for (const email of [gone, live]) {
    const headers = { ...clock, 'x-test-client': newAddress() }
    const asked = await visitor.post('/api/book/verify-email', { eventTypeId, email }, headers)
    expect(asked.status).toBe(200)
  }
  // By the clock of the machine, by which other tests' rows are as they were.
  for (const [email, seconds] of [
    [gone, -1],
    [live, 600],
  ])
    await queryDatabase(
      `update booking_codes set expires_at = now() + $2 * interval '1 second' where email = $1`,
      [email, seconds],
    )
  await Promise.all([fireJob('cleanup'), fireJob('cleanup')])
  const left = await queryDatabase('select email from booking_codes where account_id = $1', [
    account.accountId,
  ])
  expect(left).toEqual([{ email: live }])
})
