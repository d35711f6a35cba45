import { setTimeout as sleep } from 'node:timers/promises'
import { makeAccount } from '#dev/accounts.ts'
import { operator } from '#dev/operator.ts'
import { startBackend } from './backend.ts'
import { type Ask, closeConnections, send, time } from './client.ts'
import { digits, median, printTable, repeat } from './report.ts'
import { bundleWorker, cpuMicroseconds, HELLO, type RunningWorker, startWorker } from './worker.ts'

const ROUNDS = 7
const SECONDS = 30
const REQUESTS = 60
const COLD_ROUNDS = 5

type Modules = Awaited<ReturnType<typeof bundleWorker>>

interface Case {
  name: string
  ask: Ask
  /** What both answers have in common. */
  same(text: string): unknown
}

interface Listed {
  result: { tools: { name: string }[]; content: { text: string }[] }
}

/** The list whole, a call that reads one row, and one that is refused before it reads anything. */
function casesOf(key: string): Case[] {
  const post = (method: string, params: object): Ask => ({
    method: 'POST',
    path: '/api/mcp?pageSize=100',
    key,
    headers: { accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const call = (name: string, args: object) => post('tools/call', { name, arguments: args })
  const parse = (text: string) => JSON.parse(text.replace(/^event: message\ndata: /, '')) as Listed
  const content = (text: string) => parse(text).result.content[0]!.text
  const refused = (text: string) => text.includes('"isError":true')
  return [
    {
      name: 'tools/list, all 73',
      ask: post('tools/list', {}),
      same: text => parse(text).result.tools.map(tool => tool.name),
    },
    { name: 'tools/call get_current_user', ask: call('get_current_user', {}), same: content },
    // Its arguments are wrong: nothing is read.
    { name: 'tools/call, refused', ask: call('get_customer', { id: 'x' }), same: refused },
    { name: 'tools/call list_services', ask: call('list_services', { limit: 20 }), same: content },
  ]
}

async function cpuOf({ pid, port }: RunningWorker, ask: Ask): Promise<number> {
  const before = cpuMicroseconds(pid)
  await time(REQUESTS, 1, () => send(port, ask, 200))
  await sleep(10)
  return (cpuMicroseconds(pid) - before) / REQUESTS
}

/** Ours, the SDK's, and the door alone, which both go through: key, limit and body. */
async function compare(workers: readonly RunningWorker[], one: Case): Promise<string[]> {
  const [ours, sdk] = await Promise.all(workers.map(w => send(w.port, one.ask, 200)))
  if (JSON.stringify(one.same(ours!)) !== JSON.stringify(one.same(sdk!)))
    throw new Error(`${one.name}: the two answer differently`)
  const found: number[][] = workers.map(() => [])
  await repeat(ROUNDS, SECONDS, async (round, counts) => {
    for (let i = 0; i < workers.length; i++) {
      const side = round % 2 === 0 ? i : workers.length - 1 - i
      const cpu = await cpuOf(workers[side]!, one.ask)
      if (counts) found[side]!.push(cpu)
    }
  })
  const [a = 0, b = 0, door = 0] = found.map(median)
  const behind = ((b - door) / (a - door)).toFixed(1)
  return [one.name, digits(a), digits(b), digits(door), (b / a).toFixed(1), behind]
}

/** The CPU of a fresh workerd that has loaded a Worker and evaluated it, in ms. */
async function evaluation(modules: Modules, bindings: Record<string, string>): Promise<number> {
  const worker = await startWorker(modules, bindings)
  try {
    await sleep(200)
    return cpuMicroseconds(worker.pid) / 1000
  } finally {
    await worker.stop()
  }
}

async function coldRow(modules: Modules, bindings: Record<string, string>): Promise<string[]> {
  const sides: number[][] = [[], []]
  for (let round = 0; round < COLD_ROUNDS; round++)
    for (const [side, code] of [HELLO, modules].entries())
      sides[side]!.push(await evaluation(code, bindings))
  const [hello = 0, ours = 0] = sides.map(median)
  return ['functions/mcp', digits(ours), digits(hello), digits(ours - hello)]
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
    for (const other of ['bench/mcp-sdk.ts', 'bench/mcp-door.ts'])
      workers.push(await startWorker(await bundleWorker(other), bindings))
    const rows: string[][] = []
    for (const one of casesOf(account.apiKey)) rows.push(await compare(workers, one))
    const title = 'mcp: worker CPU per request, beside the SDK with a fresh server for each'
    printTable(title, ['', 'ours µs', 'SDK µs', 'door µs', 'SDK / ours', 'behind the door'], rows)
    const cold = await coldRow(ours, bindings)
    printTable('mcp: CPU until it is evaluated', ['', 'ms', 'hello', 'above hello'], [cold])
  } finally {
    closeConnections()
    for (const worker of workers) await worker.stop()
    await backend.stop()
  }
}
