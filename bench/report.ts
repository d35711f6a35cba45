/** The middle of some numbers; the upper one of an even count. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
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
