/** The jobs by name, as `/_dev/cron/<job>` of the local platform fires them. */
export const JOBS = ['meetings', 'expiries', 'messages', 'cleanup'] as const
export type JobName = (typeof JOBS)[number]

/** Which jobs each cron expression of wrangler.toml fires. */
export const SCHEDULE: Record<string, readonly JobName[]> = {
  '* * * * *': ['meetings', 'expiries', 'messages'],
  '17 3 * * *': ['cleanup'],
}
