import { startBackend } from './backend.ts'
import { makeBusiness } from './business.ts'
import { captureStatements } from './capture.ts'
import { time, send, closeConnections } from './client.ts'
import { casesOf } from './functions.ts'
import { bundleWorker, startWorker } from './worker.ts'
const backend = await startBackend()
const db = await backend.createDatabase('f')
const business = await makeBusiness(db.url, 10000)
const w = await startWorker(await bundleWorker('functions/appointments/index.ts'), db.bindings)
const c = casesOf(business).at(-1)!
for (let i = 0; i < 8; i++) {
  const t = await time(200, 1, () => send(w.port, c.ask(), 201))
  console.log((t.all / 200).toFixed(2), 'ms')
}
closeConnections()
await w.stop()
await backend.stop()
