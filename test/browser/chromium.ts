import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

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
