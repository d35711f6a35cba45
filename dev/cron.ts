/**
 * Whether a cron expression (minute, hour, day of month, month, day of week; UTC) matches the
 * minute of `instant`. Fields are `*`, steps (`*` over n), numbers, ranges and lists; a weekday is 1 (Sunday)
 * to 7, as Cloudflare counts. https://developers.cloudflare.com/workers/configuration/cron-triggers/
 */
export function matchesCron(expression: string, instant: Date): boolean {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== 5) throw new Error(`Cron expression needs five fields: ${expression}`)
  const values = [
    instant.getUTCMinutes(),
    instant.getUTCHours(),
    instant.getUTCDate(),
    instant.getUTCMonth() + 1,
    instant.getUTCDay() + 1,
  ]
  return fields.every((field, index) =>
    field.split(',').some(part => matchesPart(part, values[index] ?? 0, index >= 2 ? 1 : 0)),
  )
}

/** `first` is the field's smallest value, from which steps are counted. */
function matchesPart(part: string, value: number, first: number): boolean {
  const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part)
  if (!match) throw new Error(`Cron field cannot be read: ${part}`)
  const [, low, high, step] = match
  const from = low === undefined ? first : Number(low)
  const to = high !== undefined ? Number(high) : low === undefined || step ? 59 : from
  return value >= from && value <= to && (value - from) % Number(step ?? 1) === 0
}

/** Calls `tick` at the beginning of every minute until stopped. */
export function startMinuteTicker(tick: (minute: Date) => void): () => void {
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(
      () => {
        tick(new Date(Math.round(Date.now() / 60_000) * 60_000))
        schedule()
      },
      // A little late rather than early, so that the minute has surely begun.
      60_005 - (Date.now() % 60_000),
    )
    timer.unref()
  }
  schedule()
  return () => clearTimeout(timer)
}
