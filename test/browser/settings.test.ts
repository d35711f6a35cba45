import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../browser.ts'
import { client } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { platform, readMessages } from '../platform.ts'
import { CHROMIUM, faultsOfPage, HOSTILE, launch, watch } from './chromium.ts'

const STEPS_MS = 60_000

let browser: Browser
let context: BrowserContext
let page: Page
const email = newEmail()

beforeAll(async () => {
  if (!CHROMIUM) return
  browser = await launch()
  context = await browser.newContext({ baseURL: platform().url })
  page = await context.newPage()
})
afterAll(() => browser?.close())

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(selector: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`The keyboard does not reach ${selector}`)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const main = () => page.locator('main').innerText()

/** Opens a page, which must be there; `/reset` of a link that has ended says so by 404. */
async function visit(path: string): Promise<void> {
  const status = (await page.goto(path))?.status()
  if (status !== (path.startsWith('/reset') ? 404 : 200)) throw new Error(`${path}: ${status}`)
}

/** Pages to begin at; those of single records are found as the pages themselves lead to them. */
const FIRST_PAGES = [
  '/',
  '/home',
  '/signin',
  '/signup',
  '/forgot',
  '/forgot/sent',
  '/reset?token=x',
  '/docs',
  '/settings/profile',
]

/** The description of the API says the same of each of hundreds of endpoints. */
const ONE_OF_EACH =
  'for (const again of document.querySelectorAll(".operation ~ .operation")) again.remove()'

/** Where a page leads within the settings. */
const links = () =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="/settings/"]')].map(a => a.getAttribute('href'))`,
  )

describe.skipIf(!CHROMIUM)('a browser (CHROMIUM_PATH names one)', () => {
  it(
    'signs up, and finds the settings',
    async () => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Create an account' }).click()
      await page.getByLabel('Your name').fill('Ann Bee')
      await page.getByLabel('Business name').fill('Bee & Sons')
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await button('Create account').click()
      expect(new URL(page.url()).pathname).toBe('/home')
      await page.getByRole('navigation', { name: 'Main' }).getByText('Settings').click()
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ann Bee')
      // More pages a minute than the free plan lets anybody see.
      await queryDatabase(
        `update accounts set plan = 'enterprise' from users join members on user_id = users.id
       where account_id = accounts.id and users.email = $1 returning accounts.id`,
        [email],
      )
      // The page's script has chosen the browser's own zone at sign-up.
      const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
      expect(await page.getByLabel('Time zone').inputValue()).toBe(zone)
    },
    STEPS_MS,
  )

  it(
    'makes an API key, which works and is not shown again; revoking takes two presses',
    async () => {
      await page.getByRole('navigation', { name: 'Settings' }).getByText('API keys').click()
      await page.getByLabel('Note').fill('Till')
      await button('Make key').click()
      const key = (await page.locator('.secret code').innerText()).trim()
      expect((await client(key).get('/api/services/services')).status).toBe(200)
      await page.reload()
      expect(await main()).not.toContain(key)
      expect(await main()).toContain(`ends in ${key.slice(-4)}`)
      const revoke = button(`Revoke key the key that ends in ${key.slice(-4)}`)
      expect(await revoke.isVisible()).toBe(false)
      await page.locator('summary', { hasText: 'Revoke' }).click()
      await revoke.click()
      expect(await main()).toContain('The key is revoked.')
    },
    STEPS_MS,
  )

  it(
    'shows the key also to who presses again before the answer is there',
    async () => {
      await page.goto('/settings/keys')
      let posts = 0
      await page.route('**/settings/keys', async route => {
        if (route.request().method() === 'POST') {
          posts++
          await new Promise(resolve => setTimeout(resolve, 500))
        }
        await route.continue()
      })
      await button('Make key').evaluate(pressed => {
        pressed.click()
        setTimeout(() => pressed.click(), 100)
      })
      await page.locator('.secret code').waitFor()
      await page.unroute('**/settings/keys')
      expect(posts).toBe(1)
    },
    STEPS_MS,
  )

  it(
    'makes an OAuth client with a secret',
    async () => {
      await page.goto('/settings/clients')
      await page.getByLabel('Name', { exact: true }).fill('Till')
      await page.getByLabel('Redirect URIs').fill('http://127.0.0.1:3999/callback')
      await button('Make client').click()
      expect(new URL(page.url()).pathname).toMatch(/^\/settings\/clients\/\d+$/)
      expect(await main()).toContain('Its secret')
      expect(await main()).toContain('Approved')
    },
    STEPS_MS,
  )

  it(
    'closes a date of a schedule with the keyboard alone',
    async () => {
      await page.goto('/settings/schedules')
      await tabTo('a[href^="/settings/schedules/"]')
      await page.keyboard.press('Enter')
      await page.waitForURL(/schedules\/\d+$/)
      await tabTo('#date')
      await page.keyboard.type('12242041')
      await tabTo('#closed')
      await page.keyboard.press('Space')
      await tabTo('form:has(#date) button')
      await page.keyboard.press('Enter')
      await page.waitForFunction('document.querySelector("[role=status]")')
      expect(await main()).toContain('Tue, Dec 24, 2041')
      const [row] = await queryDatabase<{ overrides: object[] }>(
        'select overrides from schedules where id = $1',
        [new URL(page.url()).pathname.split('/').at(-1)],
      )
      expect(row?.overrides).toEqual([{ date: '2041-12-24', startTime: '00:00', endTime: '00:00' }])
    },
    STEPS_MS,
  )

  it(
    'leads the keyboard to the field at fault',
    async () => {
      await page.goto('/settings/profile')
      await page.getByLabel('Username').fill('settings')
      await button('Save profile').click()
      await page.waitForSelector('[role=alert]')
      expect(await page.title()).toBe('Error: Profile · Almanac')
      expect(await page.evaluate('document.activeElement.id')).toBe('username')
      await page.getByRole('link', { name: 'Username: Is reserved.' }).click()
      expect(await page.evaluate('location.hash')).toBe('#username')
    },
    STEPS_MS,
  )

  it(
    'fills in what the pages of single records need',
    async () => {
      await page.goto('/settings/teams')
      await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
      await button('Make team').click()
      await page.goto('/settings/webhooks')
      await page.getByLabel('Address').fill('http://127.0.0.1:9/hook')
      await page.getByLabel('Absence created').check()
      await button('Make webhook').click()
      expect(await main()).toContain('whsec_')
      await page.goto('/settings/away')
      await page.getByLabel('First day').fill('2041-05-01')
      await page.getByLabel('Last day').fill('2041-05-02')
      await button('Add absence').click()
      expect(await main()).toContain('The absence is added.')
      await page.goto('/settings/keys')
      await page.getByLabel('Note').fill(HOSTILE)
      await button('Make key').click()
    },
    STEPS_MS,
  )

  it(
    'finds nothing against accessibility on any page, light or dark, nor one wider than 320 px',
    async () => {
      const noted = watch(page)
      const found: string[] = []
      const titles: string[] = []
      const paths = new Set(FIRST_PAGES)
      for (const path of paths) {
        await visit(path)
        for (const link of await links()) paths.add(link)
        await page.evaluate(ONE_OF_EACH)
        // A list of some deliveries is the page of all of them.
        if (!path.includes('?status=')) titles.push(await page.title())
        found.push(...(await faultsOfPage(page)).map(text => `${path} ${text}`))
      }
      expect(paths.size).toBeGreaterThan(20)
      expect([...found, ...noted]).toEqual([])
      expect(titles.toSorted()).toEqual([...new Set(titles)].toSorted())
    },
    2 * STEPS_MS,
  )

  it(
    'shows a form that was refused accessibly, too',
    async () => {
      await page.goto('/settings/schedules')
      await page.locator('main a[href^="/settings/schedules/"]').first().click()
      await page.locator('summary', { hasText: 'Closed; add hours' }).first().click()
      await page.getByLabel('Sunday from').fill('17:00')
      await page.getByLabel('Sunday until').fill('09:00')
      await button('Save hours').click()
      await page.waitForSelector('[role=alert]')
      expect(await faultsOfPage(page)).toEqual([])
    },
    STEPS_MS,
  )

  it(
    'gets a new password by e-mail, which signs it out and in again',
    async () => {
      const other = await browser.newContext({ baseURL: platform().url })
      page = await other.newPage()
      await page.goto('/signin')
      await page.getByRole('link', { name: 'Forgotten your password?' }).click()
      await page.getByLabel('E-mail').fill(email)
      await button('Send link').click()
      expect(await main()).toContain('an e-mail is on its way')
      let link: string | undefined
      for (let tries = 0; tries < 40 && !link; tries++) {
        const [message] = await readMessages({ to: email })
        link = /http\S+\/reset\?token=\S+/.exec(message?.text ?? '')?.[0]
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      await page.goto(String(link))
      await page.getByLabel('New password').fill('battery staple')
      await button('Change password').click()
      expect(await main()).toContain('Your password is changed.')
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('battery staple')
      await button('Sign in').click()
      expect(new URL(page.url()).pathname).toBe('/home')
      const first = await context.newPage()
      await first.goto('/home')
      expect(new URL(first.url()).pathname).toBe('/signin')
    },
    STEPS_MS,
  )
})
