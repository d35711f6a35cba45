import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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
export const launch = (...args: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? 'none', args: ['--no-sandbox', ...args] })

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds against a page as it is shown, in words that travel fast: the whole result takes longer
 * to send than to find. Zones and other long choices are text like their first few.
 */
const FAULTS = `(async () => {
  for (const select of document.querySelectorAll('select')) select.length = Math.min(select.length, 5)
  const rules = { 'target-size': { enabled: true } }
  const { violations } = await axe.run({ resultTypes: ['violations'], rules })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)))
})()`

/** What axe finds against the accessibility of a page as it is shown. */
export async function faultsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  return page.evaluate<string[]>(FAULTS)
}

/** What is folded away is looked at as well. */
const UNFOLD = 'for (const fold of document.querySelectorAll("details")) fold.open = true'
/** As wide as a phone, and as a desk at four times the size. */
const NARROW = { width: 320, height: 640 }

/** What of the header stands in more than one line. */
const BROKEN = `(() => {
  const lines = text => {
    const range = document.createRange()
    range.selectNodeContents(text)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size
  }
  const links = [...document.querySelectorAll('header a')]
  return links.filter(link => lines(link.lastChild) > 1).map(({ innerText }) => innerText)
})()`

/** The dates and times that do not fit into their fields: these cut them off, and the page is no wider for it. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
  const fields = [...document.querySelectorAll('[type=date], [type=time]')]
  return fields.filter(field => {
    const whole = field.cloneNode()
    Object.assign(whole.style, { width: 'max-content', position: 'absolute' })
    field.after(whole)
    const isCut = field.offsetWidth > 0 && field.offsetWidth < whole.offsetWidth
    whole.remove()
    return isCut
  }).map(({ name }) => name + ' is cut off')
})()`)

/**
 * What is wrong with a page: at a desk, on a phone and in the dark. Colours do not depend on the width, nor
 * what stands where on the colours.
 */
export async function faultsOfPage(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.evaluate(UNFOLD)
  const faults = await faultsOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(NARROW)
  faults.push(...(await faultsOf(page)).map(text => `dark, phone: ${text}`))
  const broken = await page.evaluate<string[]>(BROKEN)
  faults.push(...broken.map(text => `phone: “${text}” is broken`), ...(await cutOff(page)))
  const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
  return width > NARROW.width ? [...faults, `is ${width} px wide`] : faults
}

/** What somebody may well type where a name is asked for: markup, and a word that never ends. */
export const HOSTILE = `"><img src=x onerror=alert(1)> ${'endless'.repeat(20)}`

/** Notes what a page must never do: run what somebody typed, or break its own policy. */
export function watch(page: Page): string[] {
  const noted: string[] = []
  page.on('dialog', dialog => {
    noted.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', message => {
    if (/Content Security Policy|Uncaught/.test(message.text())) noted.push(message.text())
  })
  return noted
}
