import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../browser.ts'
import { exchange, pkce, post, statusOf } from '../oauth/world.ts'
import { platform } from '../platform.ts'
import { CHROMIUM, faultsOf, launch } from './chromium.ts'

const STEPS_MS = 60_000

let browser: Browser
let context: BrowserContext
let page: Page
/** The application: it notes what browsers are led to it with. */
let app: Server
let back = ''
const visits: { url: URL; referer: string | undefined }[] = []

beforeAll(async () => {
  app = createServer((request, response) => {
    const url = new URL(request.url ?? '/', back)
    if (url.pathname === '/callback') visits.push({ url, referer: request.headers.referer })
    if (url.searchParams.has('code')) {
      // As many do, it takes the code at one host and goes on at another.
      const home = `http://localhost:${url.port}/welcome`
      response.writeHead(302, { location: home }).end()
      return
    }
    response.setHeader('content-type', 'text/html').end('<title>The app</title><p>Thank you</p>')
  })
  await new Promise<void>(resolve => app.listen(0, '127.0.0.1', resolve))
  back = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`
  if (!CHROMIUM) return
  browser = await launch()
  context = await browser.newContext({ baseURL: platform().url })
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  app.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const main = () => page.locator('main').innerText()

const client = { clientId: '', clientSecret: '' }
const { verifier, challenge } = pkce()
const address = (more: Record<string, string> = {}) =>
  `/auth/oauth2/authorize?${new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: back,
    state: 'of the app',
    scope: 'READ_PROFILE SERVICES_READ',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`

describe.skipIf(!CHROMIUM)('a browser (CHROMIUM_PATH names one)', () => {
  it(
    'signs up, makes a client in the settings, and is shown its secret',
    async () => {
      await page.goto('/signup')
      await page.getByLabel('Your name').fill('Ann Bee')
      await page.getByLabel('E-mail').fill(newEmail())
      await page.getByLabel('Password').fill(PASSWORD)
      await button('Create account').click()
      await page.goto('/settings/clients')
      await page.getByLabel('Name', { exact: true }).fill('Till & Co')
      await page.getByLabel('Redirect URIs').fill(back)
      await button('Make client').click()
      client.clientSecret = (await page.locator('.secret code').innerText()).trim()
      const id = page
        .locator('dt', { hasText: 'Client id' })
        .locator('xpath=following-sibling::dd[1]')
      client.clientId = (await id.innerText()).trim()
      expect(await main()).toContain('Approved')
    },
    STEPS_MS,
  )

  it(
    'is asked, on a page without serious faults, and cancels',
    async () => {
      await page.goto(address())
      expect(await page.title()).toBe('Allow Till & Co? · Almanac')
      expect(await main()).toContain(new URL(back).host)
      expect(await main()).not.toContain('Change the business')
      expect(await faultsOf(page)).toEqual([])
      await button('Cancel').click()
      await page.waitForURL(/127\.0\.0\.1/)
      expect(visits.at(-1)?.url.searchParams.get('error')).toBe('access_denied')
    },
    STEPS_MS,
  )

  it(
    'signs in on the way, allows, and lands on the redirect; the app gets tokens that work',
    async () => {
      await context.clearCookies()
      const email = newEmail()
      await page.goto(address())
      expect(new URL(page.url()).pathname).toBe('/signin')
      await page.getByRole('link', { name: 'Sign up' }).last().click()
      await page.getByLabel('Your name').fill('Another')
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
      await button('Create account').click()
      await page.waitForURL(/oauth2\/authorize/)
      expect(await main()).toContain(email)
      await page.keyboard.press('Tab')
      await button('Allow').press('Enter')
      await page.waitForURL(/\/welcome$/)
      expect(await page.title()).toBe('The app')
      const { url, referer } = visits.at(-1)!
      expect(referer).toBeUndefined()
      expect(url.searchParams.get('state')).toBe('of the app')
      expect(url.searchParams.get('iss')).toBe(platform().url)
      const code = url.searchParams.get('code') ?? ''
      const form = exchange(client, code, { redirect_uri: back, code_verifier: verifier })
      const { status, body } = await post('token', form)
      expect([status, body.scope]).toEqual([200, 'READ_PROFILE SERVICES_READ'])
      expect(await statusOf(body.access_token)).toBe(200)

      await page.goto(`${platform().url}/settings/apps`)
      expect(await main()).toContain('Till & Co')
      await page.locator('summary').first().click()
      await page.locator('details[open] button').first().click()
      await page.waitForSelector('[role=status]')
      expect(await statusOf(body.access_token)).toBe(401)
    },
    STEPS_MS,
  )

  it(
    'cannot be made to ask from within a frame of another site',
    async () => {
      await page.goto(back.replace('/callback', '/'))
      const failed = page.waitForEvent('console', message => /frame/i.test(message.text()))
      const src = JSON.stringify(platform().url + address())
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('iframe'), { src: ${src} }))`,
      )
      expect((await failed).text()).toMatch(/frame-ancestors|X-Frame-Options|Refused to/i)
    },
    STEPS_MS,
  )
})
