import { parseArgs } from 'node:util'
import * as z from 'zod'
import { ApiError } from '#lib/core/errors.ts'
import { email } from '#lib/core/schemas.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { makeAccount } from './accounts.ts'
import { openDatabase } from './database.ts'
import { Failure, runCommand } from './failure.ts'
import { operator } from './operator.ts'

const Order = z.object({
  email,
  plan: z.enum(['free', 'pro', 'enterprise']),
  password: z.string().min(8).max(200).optional(),
})

const USAGE = 'npm run account:create -- --email ann@example.org --plan free|pro|enterprise'

/** `npm run account:create`: makes an account and prints it as JSON, as the last line. */
async function main(): Promise<void> {
  const options = {
    email: { type: 'string' },
    plan: { type: 'string' },
    password: { type: 'string' },
  }
  const { values } = parseArgs({ options: options as Record<string, { type: 'string' }> })
  const order = Order.safeParse({ plan: 'free', ...values })
  if (!order.success) {
    const [issue] = order.error.issues
    throw new Failure(`--${issue?.path.join('.')}: ${issue?.message}. Usage: ${USAGE}`)
  }
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '.data' } = process.env
  const database = await openDatabase({ ...(databaseUrl ? { databaseUrl } : {}), dataDir })
  const { base, close } = operator(database.url, new Date())
  try {
    console.log(JSON.stringify(await makeAccount(base, order.data)))
  } catch (thrown) {
    const error = meaningOf(thrown)
    throw error instanceof ApiError ? new Failure(`${error.message}: ${order.data.email}`) : error
  } finally {
    await close()
    await database.stop()
  }
}

await runCommand(main)
