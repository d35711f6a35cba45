import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, signUp } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { platform } from '../platform.ts'
import { CHROMIUM, cutOff, launch } from './chromium.ts'

let browser: Browser
let page: Page

beforeAll(async () => {
  if (!CHROMIUM) return
  // Twice as large as browsers show text unless told otherwise.
  browser = await launch('--blink-settings=defaultFontSize=32')
  const context = await browser.newContext({
    baseURL: platform().url,
    viewport: { width: 320, height: 640 },
  })
  page = await context.newPage()
})
afterAll(() => browser?.close())

describe.skipIf(!CHROMIUM)('a phone with letters twice as large', () => {
  it('shows no page that is wider than it, nor a date that its field cuts off', async () => {
    const { email } = await signUp()
    const [{ username = '' } = {}] = await queryDatabase<{ username: string }>(
      'select username from users where email = $1',
      [email],
    )
    const widths = new Map<string, unknown>()
    const cut: string[] = []
    const see = async (path: string) => {
      const reply = await page.goto(path)
      expect([path, reply?.status()]).toEqual([path, 200])
      widths.set(path, await page.evaluate('document.documentElement.scrollWidth'))
      cut.push(...(await cutOff(page)).map(text => `${path}: ${text}`))
    }
    for (const path of ['/', '/signup', '/signin', `/${username}/30min`]) await see(path)
    await page.goto('/signin')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/home')
    for (const path of ['/home', '/settings/profile', '/settings/people']) await see(path)
    for (const path of ['/settings/away', '/settings/keys', '/settings/schedules']) await see(path)
    await page.locator('.rows a').first().click()
    await see(new URL(page.url()).pathname)
    expect(cut).toEqual([])
    expect([...widths]).toEqual([...widths.keys()].map(path => [path, 320]))
  }, 60_000)
})
