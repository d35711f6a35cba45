/**
 * A failure the person at the terminal can act on. Its message says what is wrong and what to do;
 * the command-line entries print it as one line and exit with 1, without a stack.
 */
export class Failure extends Error {
  override name = 'Failure'
}

/** The message of anything that was thrown, on one line. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message)
    return error.errors.map(messageOf).join('; ')
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\s*\n\s*/g, ' ').trim()
}

/**
 * Runs a command-line entry: a Failure becomes one line on stderr and exit code 1, anything else
 * is a fault of the platform itself and keeps its stack.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (error instanceof Failure) console.error(messageOf(error))
    else console.error(error)
    process.exit(1)
  }
}
