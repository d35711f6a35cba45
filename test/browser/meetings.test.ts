import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail } from '../browser.ts'
import { mailTo } from '../calendar/mail.ts'
import { type Calendar, createCalendar, setEventType } from '../calendar/world.ts'
import { platform } from '../platform.ts'
import { CHROMIUM, faultsOfPage, HOSTILE, launch, watch } from './chromium.ts'

const STEPS_MS = 90_000

const QUESTIONS = [
  { type: 'text', slug: 'topic', label: 'What is it about?', required: true },
  {
    type: 'checkbox',
    slug: 'wants',
    label: 'What you would like',
    options: ['Cut', 'Care', HOSTILE],
  },
  { type: 'boolean', slug: 'terms', label: 'I agree to the terms', required: true },
]

let browser: Browser
/** Somebody whose browser runs no scripts. */
let plain: BrowserContext
let page: Page
let calendar: Calendar
/** Pages that were seen on the way. */
const seen = new Set<string>()
const note = (at = page) => seen.add(at.url().replace(platform().url, ''))

/** What was sent on the way, as HTML. */
const letters: string[] = []

/** Each has a rate limit of its own. */
const headers = () => ({ 'x-test-client': crypto.randomUUID() })

beforeAll(async () => {
  if (!CHROMIUM) return
  calendar = await createCalendar({
    length_options: '[60]',
    requires_confirmation: true,
    recurrence: JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 3 }),
    booking_fields: JSON.stringify(QUESTIONS),
    description: `A talk about anything. ${HOSTILE}`,
  })
  browser = await launch()
  plain = await browser.newContext({
    baseURL: platform().url,
    javaScriptEnabled: false,
    extraHTTPHeaders: headers(),
  })
  page = await plain.newPage()
})
afterAll(() => browser?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = () => page.locator('h1').innerText()

describe.skipIf(!CHROMIUM)('a browser without scripts (CHROMIUM_PATH names one)', () => {
  const email = newEmail()

  it(
    'finds a meeting, answers its questions and asks for it',
    async () => {
      await page.goto(`/${calendar.account.username}`)
      note()
      await page.getByRole('link', { name: '30 minute meeting' }).click()
      await page.getByLabel('Length').selectOption('60')
      await page.getByLabel('Time zone').selectOption('Europe/Berlin')
      await button('Show times').click()
      note()
      await page.locator('.step[rel=nofollow]').last().click()
      await page.locator('.times a').first().click()
      note()
      expect(await page.locator('main').innerText()).toContain('Central European')
      await page.getByLabel('Your name').fill(HOSTILE)
      await page.getByLabel('E-mail', { exact: true }).fill(email)
      await page.getByLabel('How often').selectOption('2')
      await page.getByLabel('What is it about?').fill('Hair')
      await page.getByLabel('Care').check()
      await page.getByLabel('I agree to the terms').check()
      await button('Ask for this time').click()
      expect(await heading()).toBe('Your request waits for an answer')
      expect(await page.getByText('Other dates').isVisible()).toBe(true)
      note()
    },
    STEPS_MS,
  )

  it(
    'is confirmed by the host from their e-mail, moved and canceled from one’s own',
    async () => {
      const own = page.url()
      const toHost = await mailTo(calendar.account.email)
      await page.goto(/http\S+\/answer\?token=\S+/.exec(toHost.text!)![0])
      note()
      expect(await page.locator('main').innerText()).toContain('Hair')
      await button('Confirm booking').click()
      expect(await heading()).toBe('The booking is confirmed')
      const mine = await mailTo(email, 2)
      await page.goto(/http\S+\/e\/\S+/.exec(mine.text!)![0])
      expect(page.url()).toBe(own)
      expect(await heading()).toBe('Your meeting is confirmed')
      await setEventType(calendar.eventTypeId, { requires_confirmation: false })
      await page.getByRole('link', { name: 'Choose another time' }).click()
      note()
      await page.locator('.times a').first().click()
      note()
      await button('Move booking').click()
      expect(await heading()).toBe('Your meeting is confirmed')
      note()
      await page.locator('summary', { hasText: 'Cancel this meeting' }).click()
      await page.getByLabel('What to cancel').selectOption('remaining')
      await page.getByLabel('Reason').fill('Ill')
      await button('Cancel meeting').click()
      expect(await heading()).toBe('This meeting was canceled')
      note()
      letters.push((await mailTo(email, 4)).html ?? '', toHost.html ?? '', mine.html ?? '')
    },
    STEPS_MS,
  )

  it(
    'shows nothing against accessibility, nor scrolls sideways',
    async () => {
      const { subdomain } = calendar.account
      expect(seen.size).toBeGreaterThan(6)
      const found: string[] = []
      const context = await browser.newContext({
        baseURL: platform().url,
        extraHTTPHeaders: headers(),
      })
      const look = await context.newPage()
      const noted = watch(look)
      for (const path of [...seen, `/team/${subdomain}/nothing`]) {
        await look.goto(path)
        found.push(...(await faultsOfPage(look)).map(text => `${path} ${text}`))
      }
      // Away from our own pages, whose policy lets nothing bring its style along.
      await look.goto('about:blank')
      for (const letter of letters) {
        await look.setContent(letter)
        const width = Number(await look.evaluate('document.documentElement.scrollWidth'))
        if (width > 320) found.push(`an e-mail is ${width} px wide`)
      }
      await context.close()
      expect(letters.every(letter => letter.includes('endless'))).toBe(true)
      expect([...found, ...noted]).toEqual([])
    },
    2 * STEPS_MS,
  )
})
