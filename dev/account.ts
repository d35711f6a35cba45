import { parseArgs } from 'node:util'
import * as z from 'zod'
import { ApiError } from '#lib/core/errors.ts'
import { email } from '#lib/core/schemas.ts'
import { DbError } from '#lib/db/client.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { makeAccount } from './accounts.ts'
import { openDatabase, withDatabase } from './database.ts'
import { Failure, messageOf, runCommand } from './failure.ts'
import { operator } from './operator.ts'

const Order = z.object({
  email,
  plan: z.enum(['free', 'pro', 'enterprise']),
  password: z.string().min(8).max(200).optional(),
})

const USAGE = 'npm run account:create -- --email ann@example.org --plan free|pro|enterprise'

const text = { type: 'string' } as const

function readOptions() {
  try {
    return parseArgs({ options: { email: text, plan: text, password: text } }).values
  } catch (error) {
    throw new Failure(`${messageOf(error)}. Usage: ${USAGE}`)
  }
}

/** SQLSTATEs of a table and of a column that are not there. */
const NOT_MIGRATED = new Set(['42P01', '42703'])

/** What went wrong, as a line for the person where they can do something about it. */
function explain(thrown: unknown, email: string): unknown {
  if (thrown instanceof DbError && NOT_MIGRATED.has(thrown.code))
    return new Failure('The database is not up to date: run npm run db:migrate first')
  const error = meaningOf(thrown)
  return error instanceof ApiError ? new Failure(`${error.message}: ${email}`) : error
}

/** `npm run account:create`: makes an account and prints it as JSON, as the last line. */
async function main(): Promise<void> {
  const order = Order.safeParse({ plan: 'free', ...readOptions() })
  if (!order.success) {
    const [issue] = order.error.issues
    throw new Failure(`--${issue?.path.join('.')}: ${issue?.message}. Usage: ${USAGE}`)
  }
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '.data' } = process.env
  const database = await openDatabase({ ...(databaseUrl ? { databaseUrl } : {}), dataDir })
  // Says what is wrong with the address, if anything is.
  await withDatabase(database.url, async () => {})
  const { base, close } = operator(database.url, new Date())
  try {
    console.log(JSON.stringify(await makeAccount(base, order.data)))
  } catch (thrown) {
    throw explain(thrown, order.data.email)
  } finally {
    await close()
    await database.stop()
  }
}

await runCommand(main)
