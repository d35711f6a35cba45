import { setTimeout as sleep } from 'node:timers/promises'
import { makeAccount } from '#dev/accounts.ts'
import { operator } from '#dev/operator.ts'
import { startBackend } from './backend.ts'
import { type Ask, closeConnections, send, time } from './client.ts'
import { digits, median, printTable, repeat } from './report.ts'
import {
  bundleDeployed,
  bundleWorker,
  cpuMicroseconds,
  HELLO,
  type RunningWorker,
  startWorker,
} from './worker.ts'

const ROUNDS = 15
const SECONDS = 30
const REQUESTS = 60
/**
 * Calls of each kind before any is measured. A fresh server runs its registering 73 times in each request,
 * which the engine compiles early; what runs once in each takes as many requests.
 */
const WARM_UP = 1000
const COLD_ROUNDS = 9

interface Case {
  name: string
  ask: Ask
  warmUp: number
  /** What both answers have in common. */
  same(text: string): unknown
}

interface Told {
  name: string
  title: string
  description: string
  annotations: object
  inputSchema: { properties?: object }
  outputSchema?: { properties?: object }
}

interface Answered {
  result: { tools: Told[]; content: { text: string }[]; structuredContent: object }
}

const namesIn = (schema?: { properties?: object }) => Object.keys(schema?.properties ?? {})

/** What a list tells of its tools; how each field is described differs with the maker of the schema. */
const toldIn = (tools: readonly Told[]) =>
  tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) => [
    [name, title, description, annotations],
    [namesIn(inputSchema), namesIn(outputSchema)],
  ])

/** The list whole, a call that reads one row, and one that is refused before it reads anything. */
function casesOf(key: string): Case[] {
  const post = (method: string, params: object): Ask => ({
    method: 'POST',
    path: '/api/mcp?pageSize=100',
    key,
    headers: { accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const calling = (name: string, args: object, same: Case['same']): Case => ({
    name: `tools/call ${name}`,
    ask: post('tools/call', { name, arguments: args }),
    warmUp: WARM_UP,
    same,
  })
  const parse = (text: string) =>
    JSON.parse(text.replace(/^event: message\ndata: /, '')) as Answered
  const content = (text: string) => {
    const { result } = parse(text)
    return [result.content[0]!.text, result.structuredContent]
  }
  const refused = (text: string) => text.includes('"isError":true')
  return [
    {
      name: 'tools/list, all 73',
      ask: post('tools/list', {}),
      warmUp: REQUESTS,
      same: text => toldIn(parse(text).result.tools),
    },
    calling('get_current_user', {}, content),
    // Its arguments are wrong: nothing is read.
    { ...calling('get_customer', { id: 'x' }, refused), name: 'tools/call, refused' },
    calling('list_services', { limit: 20 }, content),
  ]
}

async function cpuOf({ pid, port }: RunningWorker, ask: Ask): Promise<number> {
  const before = cpuMicroseconds(pid)
  await time(REQUESTS, 1, () => send(port, ask, 200))
  await sleep(10)
  return (cpuMicroseconds(pid) - before) / REQUESTS
}

/** Ours, the SDK's with shapes and with whole schemas, and the door alone, which all go through. */
async function compare(workers: readonly RunningWorker[], one: Case): Promise<string[]> {
  const answers = workers.slice(0, 3).map(w => send(w.port, one.ask, 200))
  const said = (await Promise.all(answers)).map(text => JSON.stringify(one.same(text)))
  if (said.some(text => text !== said[0]))
    throw new Error(`${one.name}: the sides answer differently`)
  for (const { port } of workers) await time(one.warmUp, 1, () => send(port, one.ask, 200))
  const found: number[][] = workers.map(() => [])
  await repeat(ROUNDS, SECONDS, async (round, counts) => {
    for (let i = 0; i < workers.length; i++) {
      const side = round % 2 === 0 ? i : workers.length - 1 - i
      const cpu = await cpuOf(workers[side]!, one.ask)
      if (counts) found[side]!.push(cpu)
    }
  })
  const costs = found.map(median)
  const [ours = 0, sdk = 0, , door = 0] = costs
  // Of each round by itself: the machine's speed is another in the next.
  const times = (side: number) =>
    median(found[side]!.map((cpu, i) => cpu / found[0]![i]!)).toFixed(1)
  const behind = ((sdk - door) / (ours - door)).toFixed(1)
  return [one.name, ...costs.map(digits), times(1), times(2), behind]
}

/**
 * The CPU of a fresh workerd, in ms: once it has loaded a Worker and evaluated it, then after each of some
 * requests.
 */
async function waking(code: string, bindings: Record<string, string>, asks: readonly Ask[]) {
  const worker = await startWorker(code, bindings)
  try {
    await sleep(200)
    const found = [cpuMicroseconds(worker.pid) / 1000]
    for (const ask of asks) {
      await send(worker.port, ask, 200)
      await sleep(20)
      found.push(cpuMicroseconds(worker.pid) / 1000)
    }
    return found
  } finally {
    closeConnections()
    await worker.stop()
  }
}

/** What it costs to wake the tool server, in both forms of its code, above hello world. */
async function coldRows(bindings: Record<string, string>, asks: readonly Ask[]) {
  const main = 'functions/mcp/index.ts'
  const sides = [
    { name: 'as deployed', code: await bundleDeployed(main), found: [] as number[][] },
    { name: 'on the local platform', code: await bundleWorker(main), found: [] as number[][] },
  ]
  const hellos: number[] = []
  for (let round = 0; round < COLD_ROUNDS; round++) {
    hellos.push(...(await waking(HELLO, bindings, [])))
    for (const { code, found } of sides) found.push(await waking(code, bindings, asks))
  }
  // Of each round by itself, as above.
  const above = (found: number[][], step: number) =>
    digits(median(found.map((steps, round) => steps[step]! - hellos[round]!)))
  return sides.map(({ name, found }) => [
    name,
    digits(median(hellos)),
    ...[0, 1, 2].map(n => above(found, n)),
  ])
}

/** The tool server beside the official SDK's, and what it costs to wake up. */
export async function run(): Promise<void> {
  const backend = await startBackend()
  const workers: RunningWorker[] = []
  try {
    const { url, bindings } = await backend.createDatabase('mcp')
    const { base, close } = operator(url, new Date())
    const account = await makeAccount(base, { plan: 'enterprise', email: 'bench@almanac.test' })
    await close()
    const ours = await bundleWorker('functions/mcp/index.ts')
    workers.push(await startWorker(ours, bindings))
    const sdk = await bundleWorker('bench/mcp-sdk.ts')
    workers.push(await startWorker(sdk, bindings))
    workers.push(await startWorker(sdk, { ...bindings, SCHEMAS: 'whole' }))
    workers.push(await startWorker(await bundleWorker('bench/mcp-door.ts'), bindings))
    const rows: string[][] = []
    for (const one of casesOf(account.apiKey)) rows.push(await compare(workers, one))
    const title = 'mcp: worker CPU per request, beside the SDK with a fresh server for each'
    const head = ['', 'ours µs', 'SDK µs', 'whole µs', 'door µs', 'SDK / ours', 'whole / ours']
    printTable(title, [...head, 'behind the door'], rows)
    const [list, read] = casesOf(account.apiKey)
    const cold = await coldRows(bindings, [read!.ask, list!.ask])
    const steps = ['', 'hello', 'evaluated', '+ first call', '+ first list']
    printTable('mcp: CPU of a fresh isolate, ms above hello world', steps, cold)
  } finally {
    closeConnections()
    for (const worker of workers) await worker.stop()
    await backend.stop()
  }
}
