import { migrateDatabase, openDatabase } from './database.ts'
import { runCommand } from './failure.ts'

// npm run db:migrate: brings DATABASE_URL, or else the database of DATA_DIR, up to date.
await runCommand(async () => {
  const database = await openDatabase({
    databaseUrl: process.env.DATABASE_URL || undefined,
    dataDir: process.env.DATA_DIR || '.data',
  })
  try {
    const count = await migrateDatabase(database.url)
    console.log(count === 0 ? 'The database is up to date' : `Ran ${count} migration(s)`)
  } finally {
    await database.stop()
  }
})
