import type { System } from '#lib/core/context.ts'
import { dropExpired } from '#lib/domain/accounts/cleanup.ts'
import { expireUnconfirmed } from '#lib/domain/appointments/expire.ts'
import { expireHolds, tellMeetings } from '#lib/domain/bookings/clock.ts'
import { expireInstantBookings } from '#lib/domain/bookings/instant.ts'
import { setRooms } from '#lib/domain/bookings/rooms.ts'
import { foldRollups } from '#lib/domain/insights/fold.ts'
import { queueReminders } from '#lib/domain/messaging/reminders.ts'
import { sendAllMessages } from '#lib/domain/messaging/send.ts'
import { cleanUpOAuth } from '#lib/domain/oauth/cleanup.ts'
import { sealOldSecrets } from '#lib/domain/webhooks/keep.ts'
import { dropOldRuns } from '#lib/domain/workflows/cleanup.ts'
import { queueDueWorkflows } from '#lib/domain/workflows/clock.ts'
import { dropOldEvents } from '#lib/events/cleanup.ts'
import { deliverEvents } from '#lib/events/deliver.ts'
import type { Bindings } from '#lib/http/deps.ts'
import { systemOf } from '#lib/http/system.ts'
import { JOBS, type JobName, SCHEDULE } from './names.ts'

/** Set by the local platform's build; a deployed bundle has `false` or nothing in its place. */
declare const LOCAL_PLATFORM: boolean
const isLocal = typeof LOCAL_PLATFORM !== 'undefined' && LOCAL_PLATFORM

/** Each job may run twice at once: what one takes, the other passes over. */
const RUN: Record<JobName, (system: System, isFired: boolean) => Promise<unknown>> = {
  meetings: async system => {
    await tellMeetings(system, 'started')
    await tellMeetings(system, 'ended')
  },
  expiries: async system => {
    await expireInstantBookings(system)
    await expireHolds(system)
    await expireUnconfirmed(system)
  },
  rooms: system => setRooms(system),
  reminders: async (system, isFired) => {
    await queueReminders(system)
    // At times that somebody chooses, an earlier run may well have been at a later time.
    await queueDueWorkflows(system, { isWhole: isFired })
  },
  messages: system => sendAllMessages(system),
  deliver: system => deliverEvents(system),
  rollups: foldRollups,
  cleanup: async system => {
    await dropExpired(system)
    await dropOldEvents(system)
    await dropOldRuns(system)
    await sealOldSecrets(system)
    await cleanUpOAuth(system)
  },
}

const isFired = (cron: string): boolean => isLocal && cron.startsWith('job:')

/** The local platform fires one job as the cron `job:<name>`, with the time it is to be. */
function stagesOf(cron: string): readonly (readonly JobName[])[] {
  return isFired(cron) ? [JOBS.filter(name => cron === `job:${name}`)] : (SCHEDULE[cron] ?? [])
}

export default {
  async scheduled(controller, env, ctx) {
    const { cron, scheduledTime } = controller
    const now = new Date(isFired(cron) ? scheduledTime : Date.now())
    const system = systemOf(env, now, ctx)
    const failures: unknown[] = []
    const run = (name: JobName) =>
      RUN[name](system, isFired(cron)).catch(error => {
        console.error(`Job ${name} failed`, error)
        failures.push(error)
      })
    for (const stage of stagesOf(cron)) await Promise.all(stage.map(run))
    if (failures.length > 0) throw failures[0]
  },
} satisfies ExportedHandler<Bindings>
