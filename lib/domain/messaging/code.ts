import type { Settings } from '#lib/core/context.ts'
import { hmac } from '#lib/core/text.ts'
import type { CodeMessage } from './claimed.ts'
import type { Skipped } from './compose.ts'
import type { Letter } from './templates.ts'

/** How long a code proves an address, in minutes. */
export const CODE_MINUTES = 10

const DIGITS = 6
/** 48 bits in hex: of so many the last six digits are all alike likely. */
const DRAWN = 12

/** The code of six digits that a nonce stands for; nobody makes it without the secret. */
export async function codeOf({ secret }: Settings, nonce: string): Promise<string> {
  const drawn = await hmac(secret, JSON.stringify(['booking-code', nonce]))
  const number = Number.parseInt(drawn.slice(0, DRAWN), 16) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** The words of a message with a code, which is made here so that none is ever kept. */
export async function writeCode(
  { data, createdAt, sender }: CodeMessage,
  settings: Settings,
  now: Date,
): Promise<Letter | Skipped> {
  if (now.getTime() >= Date.parse(createdAt) + CODE_MINUTES * 60_000)
    return { skipped: 'skipped: the code has expired' }
  const code = await codeOf(settings, data.nonce)
  return {
    subject: `${code} is your code to book with ${sender.name}`,
    heading: 'Your code',
    greeting: 'Hello,',
    lead: `With this code you show that this address is yours. It works for ${CODE_MINUTES} minutes.`,
    facts: [['Code', code]],
    dates: [],
    footer: 'If it was not you who wants to book, do nothing: without the code nothing is booked.',
  }
}
