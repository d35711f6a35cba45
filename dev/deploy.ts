import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Failure, runCommand } from './failure.ts'
import { type FunctionConfig, readWranglerConfig } from './workers.ts'

const PLACEHOLDER = 'almanac.example.com'
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WRANGLER = fileURLToPath(new URL('../node_modules/wrangler/bin/wrangler.js', import.meta.url))

// npm run deploy -- <function|all> [--dry-run and other options of wrangler deploy]
await runCommand(async () => {
  const { functions } = readWranglerConfig(
    fileURLToPath(new URL('../wrangler.toml', import.meta.url)),
  )
  const [wanted, ...options] = process.argv.slice(2)
  const chosen = functions.filter(({ key }) => wanted === 'all' || wanted === key)
  if (chosen.length === 0) {
    const names = functions.map(({ key }) => key).join(', ')
    throw new Failure(`Say what to deploy: npm run deploy -- <function>, one of all, ${names}`)
  }
  const domain = process.env.DOMAIN
  if (!domain && !options.includes('--dry-run'))
    throw new Failure('Say where to: DOMAIN=<your domain> npm run deploy -- <function>')
  if (domain && !/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain))
    throw new Failure(
      `DOMAIN is a name such as book.example.org, without https:// or a path: ${domain}`,
    )
  for (const entry of chosen) deploy(entry, domain ?? PLACEHOLDER, options)
})

function deploy(entry: FunctionConfig, domain: string, options: string[]): void {
  const routes = entry.paths.flatMap(path => ['--route', `${domain}${path}`])
  const args = ['deploy', '--env', entry.key, '--var', `PUBLIC_URL:https://${domain}`, ...options]
  const result = spawnSync(process.execPath, [WRANGLER, ...args, ...routes], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (result.status !== 0) throw new Failure(`Deploying ${entry.key} failed: see above`)
}
