/** The middle of some numbers; the upper one of an even count. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/**
 * Runs `round` up to `count` times, after one that does not count; on a busy machine no longer than
 * `seconds`, but three times. Answers how often.
 */
export async function repeat(
  count: number,
  seconds: number,
  round: (number: number, counts: boolean) => Promise<void>,
): Promise<number> {
  const began = performance.now()
  await round(0, false)
  for (let done = 1; done <= count; done++) {
    await round(done, true)
    if (done >= 3 && performance.now() - began > seconds * 1000) return done
  }
  return count
}

/** A number in as many digits as it deserves: `0.142`, `1.42`, `14.2`, `142`. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-'
  const places = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0
  return value.toFixed(places)
}

/** Prints a title, a head and rows: the first column to the left, the others to the right. */
export function printTable(title: string, head: readonly string[], rows: readonly string[][]) {
  const widths = head.map((name, i) =>
    Math.max(name.length, ...rows.map(row => (row[i] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
  console.log(`\n${title}\n${[head, ...rows].map(line).join('\n')}`)
}
