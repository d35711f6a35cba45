import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Where systems keep it. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser that tests drive: `CHROMIUM_PATH`, or what is installed; undefined without one. */
export const CHROMIUM: string | undefined = [process.env.CHROMIUM_PATH ?? '', ...PLACES].find(
  path => path !== '' && existsSync(path),
)

/** Starts the browser. It has no sandbox, which needs rights that containers seldom have. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? 'none', args: ['--no-sandbox'] })

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds against the accessibility of a page as it is shown, each with how bad it is. */
export async function faultsOf(page: Page): Promise<{ impact: string; text: string }[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html }) => ({ impact: impact ?? '', text: `${id}: ${html.slice(0, 200)}` })),
  )
}
