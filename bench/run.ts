/**
 * `npm run bench [name…]`: every bench, or the named ones. Figures never fail a run; a bench that
 * breaks does.
 */
const BENCHES: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  slots: () => import('./slots.ts'),
  functions: () => import('./functions.ts'),
  growth: () => import('./growth.ts'),
  insights: () => import('./insights.ts'),
  trips: () => import('./trips.ts'),
  webhooks: () => import('./webhooks.ts'),
  mcp: () => import('./mcp.ts'),
  start: () => import('./start.ts'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(
    `No such bench: ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}`,
  )
  process.exit(2)
}
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  const began = performance.now()
  const bench = await BENCHES[name]!()
  await bench.run()
  console.log(`(${name}: ${((performance.now() - began) / 1000).toFixed(0)} s)`)
}

export {}
