import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailTo, newNumber } from '../calendar/mail.ts'
import { type Calendar, createCalendar } from '../calendar/world.ts'
import { platform } from '../platform.ts'
import { CHROMIUM, faultsOfPage, launch } from './chromium.ts'

let browser: Browser
let page: Page
let calendar: Calendar

beforeAll(async () => {
  if (!CHROMIUM) return
  calendar = await createCalendar()
  browser = await launch()
  const plain = await browser.newContext({
    baseURL: platform().url,
    javaScriptEnabled: false,
    extraHTTPHeaders: { 'x-test-client': crypto.randomUUID() },
  })
  page = await plain.newPage()
})
afterAll(() => browser?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = () => page.locator('h1').innerText()
const linkIn = (text: string | null) => /https?:\S+$/.exec(text ?? '')![0]

describe.skipIf(!CHROMIUM)(
  'a browser without scripts, of somebody without an e-mail address',
  () => {
    it('books by number, and moves and cancels by the link of the text message', async () => {
      const number = newNumber()
      await page.goto(`/${calendar.account.username}/30min?zone=Europe/Berlin`)
      await page.locator('.step[rel=nofollow]').last().click()
      await page.locator('.times a').first().click()
      const form = page.url()
      await page.getByLabel('Your name').fill('Nora')
      // The browser lets it pass: either will do, and it cannot know.
      await button('Book').click()
      expect(
        await page
          .getByText('Required, unless your phone number is given.', { exact: true })
          .isVisible(),
      ).toBe(true)
      await page.getByLabel('Phone').fill('0151 234567')
      await button('Book').click()
      expect(await page.locator('#phone-fault').innerText()).toContain('with its country code')
      await page
        .getByLabel('Phone')
        .fill(`${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6)}`)
      await button('Book').click()
      expect(await heading()).toBe('Your meeting is confirmed')
      const own = page.url()
      await page.goto(linkIn((await mailTo(number)).text))
      expect(page.url()).toBe(own)
      await page.getByRole('link', { name: 'Choose another time' }).click()
      await page.locator('.times a').first().click()
      await button('Move booking').click()
      expect(await heading()).toBe('Your meeting is confirmed')
      await page.goto(linkIn((await mailTo(number, 2)).text))
      await page.locator('summary', { hasText: 'Cancel this meeting' }).click()
      await button('Cancel meeting').click()
      expect(await heading()).toBe('This meeting was canceled')
      expect((await mailTo(number, 3)).text).toMatch(/^Canceled: /)
      const look = await browser.newPage({
        baseURL: platform().url,
        extraHTTPHeaders: { 'x-test-client': crypto.randomUUID() },
      })
      for (const path of [form, own]) {
        await look.goto(path)
        expect(await faultsOfPage(look)).toEqual([])
      }
    }, 90_000)
  },
)
