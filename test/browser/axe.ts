import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SERIOUS = new Set(['serious', 'critical'])

/** What axe finds that is serious, on a page as it is shown. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations: found } = await page.evaluate<AxeResults>('axe.run()')
  return found
    .filter(({ impact }) => SERIOUS.has(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 200)}`))
}

/** What is folded away is looked at as well. */
export const unfold = (page: Page): Promise<unknown> =>
  page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true')
