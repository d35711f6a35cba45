/** The jobs by name, as `/_dev/cron/<job>` of the local platform fires them. */
export const JOBS = [
  'meetings',
  'expiries',
  'rooms',
  'reminders',
  'messages',
  'deliver',
  'cleanup',
  'rollups',
] as const
export type JobName = (typeof JOBS)[number]

/**
 * Which jobs each cron expression of wrangler.toml fires: stage by stage, those of one stage side by
 * side. What the first stage queues is sent by the second.
 */
export const SCHEDULE: Record<string, readonly (readonly JobName[])[]> = {
  '* * * * *': [
    ['meetings', 'expiries', 'rooms', 'reminders'],
    ['messages', 'deliver'],
  ],
  '23 * * * *': [['rollups']],
  '17 3 * * *': [['cleanup']],
}
