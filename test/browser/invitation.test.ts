import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../browser.ts'
import { tokenTo } from '../invited.ts'
import { platform } from '../platform.ts'
import { CHROMIUM, faultsOfPage, HOSTILE, launch, watch } from './chromium.ts'

const STEPS_MS = 60_000

let browser: Browser
/** In a browser each: who invites, and who is invited. */
let owner: Page
let guest: Page
const noted: string[] = []
const [ownerEmail, guestEmail] = [newEmail(), newEmail()]

beforeAll(async () => {
  if (!CHROMIUM) return
  browser = await launch()
  const pages = await Promise.all(
    [1, 2].map(async () => {
      const context = await browser.newContext({ baseURL: platform().url })
      return context.newPage()
    }),
  )
  ;[owner, guest] = pages as [Page, Page]
  for (const page of pages) page.setDefaultTimeout(20_000)
})
afterAll(() => browser?.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const main = (page: Page) => page.locator('main').innerText()
const pathOf = (page: Page) => new URL(page.url()).pathname

async function signUp(page: Page, business: string, email: string) {
  await page.goto('/signup')
  await page.getByLabel('Your name').fill('Ann Bee')
  await page.getByLabel('Business name').fill(business)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await button(page, 'Create account').click()
  expect(pathOf(page)).toBe('/home')
}

async function invite(email: string, name: string) {
  await owner.goto('/settings/people')
  await owner.getByLabel('E-mail').fill(email)
  await owner.getByLabel('Name', { exact: false }).fill(name)
  await owner.getByLabel('Role').selectOption('Manager')
  await button(owner, 'Send invitation').click()
  expect(await main(owner)).toContain(`An invitation is on its way to ${email}.`)
}

describe.skipIf(!CHROMIUM)('a browser (CHROMIUM_PATH names one)', () => {
  it(
    'invites somebody from the settings, who joins by the link and is home',
    async () => {
      await signUp(owner, 'Bee & Sons', ownerEmail)
      await invite(guestEmail, 'Ida Lang')
      await guest.goto(`/invitation?token=${await tokenTo(guestEmail)}`)
      expect(await main(guest)).toContain(`Ann Bee (${ownerEmail}) invites you`)
      expect(await guest.getByLabel('Your name').inputValue()).toBe('Ida Lang')
      // The page's script has chosen the browser's own zone.
      const zone = await guest.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
      expect(await guest.getByLabel('Time zone').inputValue()).toBe(zone)
      await guest.getByLabel('Choose a password').fill(PASSWORD)
      await button(guest, 'Join Bee & Sons').click()
      expect(pathOf(guest)).toBe('/home')
      expect(await main(guest)).toMatch(/You are\s+Manager/)
      await owner.reload()
      expect(await main(owner)).toMatch(new RegExp(`Ida Lang[\\s\\S]*${guestEmail}\\s+signs in`))
    },
    STEPS_MS,
  )

  it(
    'takes them into a team by name',
    async () => {
      await owner.goto('/settings/teams')
      await owner.getByLabel('Name', { exact: true }).fill('Front desk')
      await button(owner, 'Make team').click()
      await owner.getByLabel('Who').fill('ida lang')
      await button(owner, 'Add').click()
      expect(await main(owner)).toContain('Ida Lang is in the team.')
    },
    STEPS_MS,
  )

  it(
    'lets one who has a business of their own join with one press, and go back and forth',
    async () => {
      const email = newEmail()
      await guest.context().clearCookies()
      await signUp(guest, 'Kim’s', email)
      await invite(email, 'Kim')
      await guest.goto(`/invitation?token=${await tokenTo(email)}`)
      await button(guest, 'Join Bee & Sons').click()
      expect(await guest.locator('h1').innerText()).toBe('Bee & Sons')
      await guest.getByRole('link', { name: 'Another business' }).click()
      await button(guest, 'Go to Kim’s').click()
      expect(await guest.locator('h1').innerText()).toBe('Kim’s')
    },
    STEPS_MS,
  )

  it(
    'has pages without faults at a desk, on a phone and in the dark, whatever a name is',
    async () => {
      noted.push(...watch(guest))
      const email = newEmail()
      await invite(email, HOSTILE)
      const token = await tokenTo(email)
      const faults: Record<string, string[]> = {}
      const look = async (name: string, path: string) => {
        await guest.goto(path)
        faults[name] = await faultsOfPage(guest)
      }
      await look('the choice of a business', '/businesses')
      await guest.context().clearCookies()
      await look('a newcomer’s', `/invitation?token=${token}`)
      await guest.getByLabel('Your name').fill('Ida')
      await guest.getByLabel('Choose a password').fill(PASSWORD)
      await button(guest, 'Join Bee & Sons').click()
      await look('one that was accepted', `/invitation?token=${token}`)
      await guest.context().clearCookies()
      const known = newEmail()
      await signUp(guest, HOSTILE, known)
      await guest.context().clearCookies()
      await invite(known, 'Kim')
      await look('a user’s', `/invitation?token=${await tokenTo(known)}`)
      await look('one that is forged', '/invitation?token=x')
      expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map(name => [name, []])))
      expect(noted).toEqual([])
    },
    STEPS_MS,
  )
})
