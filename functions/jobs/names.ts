/** The jobs by name, as `/_dev/cron/<job>` of the local platform fires them. */
export const JOBS = ['messages', 'cleanup'] as const
export type JobName = (typeof JOBS)[number]

/** Which jobs each cron expression of wrangler.toml fires. */
export const SCHEDULE: Record<string, readonly JobName[]> = {
  '* * * * *': ['messages'],
  '17 3 * * *': ['cleanup'],
}
