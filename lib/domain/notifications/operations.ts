import { type Member, requirePermission } from '#lib/core/context.ts'
import { queueReminders } from '../messaging/reminders.ts'
import { type Sending, sendAllMessages } from '../messaging/send.ts'
import { queueDueWorkflows } from '../workflows/clock.ts'

/**
 * Sends the account's reminders and messages of workflows that are due, as the job of every minute
 * does: what was sent by either is not sent by the other.
 */
export async function sendReminders(m: Member): Promise<Sending> {
  requirePermission(m, 'appointments.write')
  await m.admission()
  await queueReminders(m, m.accountId)
  await queueDueWorkflows(m, { accountId: m.accountId, isWhole: true })
  return sendAllMessages(m, { accountId: m.accountId, remindersOnly: true })
}
