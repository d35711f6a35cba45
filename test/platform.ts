import { inject } from 'vitest'
import type { Message } from '#dev/mailbox.ts'

/** The platform that all tests share: where it answers and its database over TCP. */
export function platform(): { url: string; databaseUrl: string; bindings: Record<string, string> } {
  return inject('platform')
}

/** The messages sent to an address (or to any), newest first. */
export async function readMessages(filter: {
  to?: string
  channel?: 'email' | 'sms'
}): Promise<Message[]> {
  const query = new URLSearchParams(filter)
  const answer = await fetch(`${platform().url}/_dev/messages?${query}`)
  return ((await answer.json()) as { messages: Message[] }).messages
}

/** Runs a job to its end as if it were `now`; fails when the job does. */
export async function fireJob(job: string, now?: Date): Promise<void> {
  const query = now ? `?now=${now.toISOString()}` : ''
  const answer = await fetch(`${platform().url}/_dev/cron/${job}${query}`, { method: 'POST' })
  if (!answer.ok) throw new Error(`Job ${job}: ${answer.status} ${await answer.text()}`)
}

const ROOM_MS = 8000

/** Waits for the next minute where little of this one is left: limits are counted by the minute. */
export async function roomInMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < ROOM_MS) await new Promise(resolve => setTimeout(resolve, left + 100))
}
