import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildContext, type BuildOptions, context as createBuild } from 'esbuild'
import type { WorkerOptions, Request as WorkerRequest, Response as WorkerResponse } from 'miniflare'
import { parse } from 'smol-toml'
import { Failure, messageOf } from './failure.ts'

/** One function of wrangler.toml. */
export interface FunctionConfig {
  /** The key of its `[env.…]` block. */
  key: string
  /** The name of its Worker. */
  name: string
  /** The entry file, absolute. */
  main: string
  /** Path patterns without the host; a trailing `*` matches any rest. */
  paths: string[]
  /** Cron expressions. */
  crons: string[]
  vars: Record<string, string>
}

/** What the local platform takes from wrangler.toml. */
export interface WranglerConfig {
  root: string
  compatibilityDate: string
  functions: FunctionConfig[]
}

interface WranglerFile {
  compatibility_date: string
  env: Record<
    string,
    {
      name: string
      main: string
      routes?: { pattern: string }[]
      triggers?: { crons: string[] }
      vars?: Record<string, string>
    }
  >
}

const OWN_WORKERS = { gateway: './gateway.ts', outbound: './outbound.ts' }

/** Reads the functions from a wrangler.toml. */
export function readWranglerConfig(file: string): WranglerConfig {
  const root = path.dirname(path.resolve(file))
  try {
    const config = parse(readFileSync(file, 'utf8')) as unknown as WranglerFile
    const functions = Object.entries(config.env).map(([key, block]) => ({
      key,
      name: block.name,
      main: path.resolve(root, block.main),
      paths: (block.routes ?? []).map(({ pattern }) => pattern.slice(pattern.indexOf('/'))),
      crons: block.triggers?.crons ?? [],
      vars: block.vars ?? {},
    }))
    return { root, compatibilityDate: config.compatibility_date, functions }
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${messageOf(error)}`)
  }
}

/** The functions as one build that can be repeated cheaply. */
export interface Bundler {
  /** Fails with a line for the person when the code does not compile. */
  build(): Promise<Bundle>
  stop(): Promise<void>
}

/** The code of each Worker, by its key: one module, as it is deployed. */
export type Bundle = Map<string, string>

/** How code is built that workerd runs, here or deployed. */
export const FOR_WORKERS = {
  write: false,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'browser',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*', 'cloudflare:*'],
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
} satisfies BuildOptions

/** The Worker that all functions are entrypoints of, where they are built together. */
export const TOGETHER = 'together'

/**
 * Prepares the build of all functions, the gateway and the outbound Worker. Built `together`, the
 * functions are one Worker: built, and started anew after an edit, in a fraction of the time.
 */
export async function createBundler(
  config: WranglerConfig,
  together: boolean = false,
): Promise<Bundler> {
  const own = Object.entries(OWN_WORKERS).map(([key, file]) => [
    key,
    fileURLToPath(new URL(file, import.meta.url)),
  ])
  const functions = config.functions.map(({ key, main }) => [key, main])
  const build = await createBuild({
    absWorkingDir: config.root,
    entryPoints: Object.fromEntries(together ? own : [...functions, ...own]),
    ...(together ? { stdin: entryOf(config) } : {}),
    ...FOR_WORKERS,
    outdir: '/bundle',
    define: { LOCAL_PLATFORM: 'true' },
    // Names stay, so that a stack trace can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'silent',
  })
  return { build: () => buildOnce(build), stop: () => build.dispose() }
}

/** A module with every function as an entrypoint; the one with cron triggers is its default. */
function entryOf({ functions, root }: WranglerConfig) {
  const entrypoint = ({ key, main, crons }: FunctionConfig) => {
    const names = crons.length > 0 ? [key, 'default'] : [key]
    return names.map(name => `export { default as ${name} } from ${JSON.stringify(main)}`)
  }
  return { contents: functions.flatMap(entrypoint).join('\n'), resolveDir: root }
}

async function buildOnce(build: BuildContext): Promise<Bundle> {
  try {
    const { outputFiles = [] } = await build.rebuild()
    const keyOf = (file: string) => path.basename(file, '.js').replace('stdin', TOGETHER)
    return new Map(outputFiles.map(file => [keyOf(file.path), file.text]))
  } catch (error) {
    throw new Failure(`The functions do not compile: ${messageOf(error)}`)
  }
}

/** What the Workers are connected to. */
export interface Wiring {
  port: number
  /** For every function: addresses, keys, secrets. */
  bindings: Record<string, string>
  /** Answers `/_dev/…`. */
  dev: WorkerService
  /** Answers outbound requests that are not for loopback. */
  emulators: WorkerService
}

/** A service of a Worker that lives in Node. */
export type WorkerService = (request: WorkerRequest) => Promise<WorkerResponse>

/** The Workers as Miniflare takes them: the gateway on its port, the functions behind it. */
export function workerOptions(
  config: WranglerConfig,
  bundle: Bundle,
  wiring: Wiring,
): WorkerOptions[] {
  const base = (key: string, name: string) => ({
    name,
    modulesRoot: '/',
    // One module each: Miniflare copies all that it has so far for each one more.
    modules: [{ type: 'ESModule' as const, path: `/${key}.js`, contents: bundle.get(key) ?? '' }],
    compatibilityDate: config.compatibilityDate,
    // Its removal would cost every outbound request a Worker more; ours sets the header itself.
    stripCfConnectingIp: false,
  })
  const { functions } = config
  const routes = functions.flatMap(({ name, paths }) => paths.map(entry => [entry, name]))
  const together = bundle.has(TOGETHER)
  const bindingOf = ({ key, name }: FunctionConfig) =>
    [name, together ? { name: TOGETHER, entrypoint: key } : name] as const
  const workers = together
    ? [{ key: TOGETHER, name: TOGETHER, vars: Object.assign({}, ...functions.map(f => f.vars)) }]
    : functions
  return [
    {
      ...base('gateway', 'gateway'),
      bindings: { ROUTES: routes },
      serviceBindings: { ...Object.fromEntries(functions.map(bindingOf)), DEV: wiring.dev },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: wiring.port }],
    },
    { ...base('outbound', 'outbound'), serviceBindings: { EMULATORS: wiring.emulators } },
    ...workers.map(({ key, name, vars }) => ({
      ...base(key, name),
      bindings: { ...vars, ...wiring.bindings },
      outboundService: 'outbound',
    })),
  ]
}
