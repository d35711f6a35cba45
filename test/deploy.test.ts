import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FUNCTIONS } from './routes.ts'
import { ROOT } from './source.ts'

const run = promisify(execFile)
const WRANGLER = path.join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const AT_ONCE = 2

/**
 * The most that a function may weigh, gzipped: what it loads at a cold start. The tool server carries the
 * operations of every noun, the site's pages those that meetings are booked and changed with.
 */
const HEAVIER: Record<string, number> = { mcp: 310, web: 270 }
const maxGzipKib = (key: string) => HEAVIER[key] ?? 260

/** What `wrangler deploy --dry-run` would upload. */
interface Built {
  key: string
  output: string
  code: string
  /** The files that something of is in the bundle. */
  inputs: string[]
  /** Those that are evaluated before the first request: what imports lead to that are not late. */
  first: string[]
}

/** What esbuild knows of a bundle. */
interface Meta {
  inputs: Record<string, { imports: { path: string; kind: string }[] }>
  outputs: Record<
    string,
    { entryPoint?: string; inputs: Record<string, { bytesInOutput: number }> }
  >
}

function evaluatedFirst({ inputs, outputs }: Meta): string[] {
  const found = new Set(Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []))
  // A set's walk meets what is added on the way.
  for (const file of found)
    for (const { path, kind } of inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import') found.add(path)
  return [...found]
}

let folder = ''
const built: Built[] = []

async function build(key: string): Promise<Built> {
  const outdir = path.join(folder, key)
  const args = ['deploy', '--env', key, '--dry-run', '--metafile', '--outdir', outdir]
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: folder }
  const { stdout } = await run(process.execPath, [WRANGLER, ...args], { cwd: ROOT, env })
  const meta = JSON.parse(readFileSync(path.join(outdir, 'bundle-meta.json'), 'utf8')) as Meta
  const inputs = Object.values(meta.outputs).flatMap(output =>
    Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [file] : [],
    ),
  )
  const scripts = readdirSync(outdir).filter(name => name.endsWith('.js'))
  const code = scripts.map(name => readFileSync(path.join(outdir, name), 'utf8')).join('\n')
  return { key, output: stdout, code, inputs, first: evaluatedFirst(meta) }
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'almanac-deploy-'))
  const waiting = FUNCTIONS.map(({ key }) => key)
  const worker = async () => {
    for (let key = waiting.shift(); key; key = waiting.shift()) built.push(await build(key))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const gzipKib = ({ output }: Built) => Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1])

describe('each function', () => {
  it('builds for Cloudflare, and is light enough to start fast', () => {
    expect(built.map(({ key }) => key).toSorted()).toEqual(FUNCTIONS.map(f => f.key).toSorted())
    const weights = built.map(b => `${b.key} ${gzipKib(b)}`).toSorted()
    console.log(`KiB gzipped: ${weights.join(', ')}`)
    expect(built.filter(b => !(gzipKib(b) <= maxGzipKib(b.key))).map(b => b.key)).toEqual([])
  })

  it('has none of what only the local platform has', () => {
    const words = ['x-test-now', 'x-test-client', '/_dev', 'LOCAL_PLATFORM']
    const found = built.flatMap(({ key, code }) =>
      words
        .filter(word => code.toLowerCase().includes(word.toLowerCase()))
        .map(w => `${key}: ${w}`),
    )
    expect(found).toEqual([])
  })

  it('is made of the product alone: no tools, no tests, no languages but one', () => {
    const wrong = built.flatMap(({ key, inputs }) =>
      inputs
        .filter(file =>
          /^(?:dev|test|bench)\/|zod\/v4\/locales\/(?!en\.js|index\.js)|miniflare|vitest/.test(
            file,
          ),
        )
        .map(file => `${key}: ${file}`),
    )
    expect(wrong).toEqual([])
    for (const { key, inputs } of built)
      expect(inputs.some(file => file.endsWith(`functions/${key}/index.ts`))).toBe(true)
  })

  it('of the tool server evaluates no schema before the first request', () => {
    const { first = [] } = built.find(({ key }) => key === 'mcp') ?? {}
    expect(first.filter(file => file.includes('node_modules/hono/')).length).toBeGreaterThan(5)
    expect(first.filter(file => /node_modules\/zod\/|functions\/mcp\/tools\//.test(file))).toEqual(
      [],
    )
  })
})
