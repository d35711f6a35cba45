/** The jobs by name, as `/_dev/cron/<job>` of the local platform fires them. */
export const JOBS = ['messages'] as const
