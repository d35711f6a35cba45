import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SmsError } from '#lib/providers/sms/port.ts'
import { twilio } from '#lib/providers/sms/twilio.ts'
import { Mailbox } from '../mailbox.ts'
import { EmulatorHost } from './host.ts'
import { createTwilio } from './twilio.ts'

const TO = '+15550100001'
const account = {
  accountSid: 'AC00000000000000000000000000000000',
  authToken: 'secret',
  from: '+15005550006',
}
let now: number
let mailbox: Mailbox
let host: EmulatorHost

beforeEach(() => {
  now = Date.parse('2026-03-01T12:00:00Z')
  mailbox = new Mailbox()
  host = new EmulatorHost([createTwilio({ mailbox, now: () => new Date(now) })])
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const answer = await host.fetch(new Request(url, init))
    if (answer.headers.has('x-broken-connection')) throw new TypeError('Network connection lost.')
    return answer
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  expect(host.violations).toEqual([])
})

const control = (action: string, body: object) =>
  host.control(
    'twilio',
    action,
    new Request('http://localhost/', { method: 'POST', body: JSON.stringify(body) }),
  )
const sent = () => mailbox.list({ channel: 'sms' }).map(m => [m.from, m.to, m.text])
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof SmsError ? error.failure : error),
  )

describe('twilio, sending', () => {
  it('delivers from the number, or through the messaging service', async () => {
    expect(await twilio(account).send({ to: TO, text: 'Hi & <you> ✂️' })).toMatch(/^SM[0-9a-f]{32}$/)
    await twilio({ ...account, from: 'MG1' }).send({ to: TO, text: 'Two' })
    expect(sent()).toEqual([
      ['MG1', TO, 'Two'],
      ['+15005550006', TO, 'Hi & <you> ✂️'],
    ])
  })

  it('delivers by WhatsApp where there is a number for it', async () => {
    const to = `whatsapp:${TO}`
    expect(await failure(twilio(account).send({ to, text: 'Hi' }))).toBe('refused')
    await twilio({ ...account, whatsappFrom: '+14155238886' }).send({ to, text: 'Hi' })
    expect(sent()).toEqual([['whatsapp:+14155238886', TO, 'Hi']])
  })

  it.each([
    ['refused', { to: '+15005550001', text: 'Hi' }],
    ['refused', { to: TO, text: '' }],
  ])('is %s for %j', async (kind, sms) => {
    expect(await failure(twilio(account).send(sms))).toBe(kind)
  })

  it('knows a number that answered STOP, until START', async () => {
    await control('inbound', { from: TO, body: ' stop ' })
    expect(await failure(twilio(account).send({ to: TO, text: 'Hi' }))).toBe('unsubscribed')
    await control('inbound', { from: TO, body: 'Start' })
    expect(await failure(twilio(account).send({ to: TO, text: 'Hi' }))).toBe('none')
  })

  it.each([
    [{ status: 429 }, 'later'],
    [{ status: 401 }, 'later'],
    [{ status: 500 }, 'unknown'],
    [{ status: 0 }, 'unknown'],
    [{ status: 0, answerLost: true }, 'unknown'],
  ])('tells what %j means', async (fault, kind) => {
    await control('fault', fault)
    expect(await failure(twilio(account).send({ to: TO, text: 'Hi' }))).toBe(kind)
    expect(sent()).toHaveLength('answerLost' in fault ? 1 : 0)
  })

  it('later with a key that is wrong', async () => {
    expect(await failure(twilio({ ...account, authToken: '' }).send({ to: TO, text: 'Hi' }))).toBe(
      'later',
    )
  })
})

describe('twilio, finding what was sent', () => {
  const find = (text: string, since = now) =>
    twilio(account).find({ to: TO, text }, new Date(since))

  it('answers the ids of the same words to the same number, the oldest first', async () => {
    const first = await twilio(account).send({ to: TO, text: 'Same' })
    await twilio(account).send({ to: TO, text: 'Other' })
    await twilio(account).send({ to: '+15550100002', text: 'Same' })
    now += 5000
    const last = await twilio(account).send({ to: TO, text: 'Same' })
    expect(await find('Same')).toEqual([first, last])
    expect(await find('Nothing')).toEqual([])
  })

  it('looks no further back than it is told, but over several pages', async () => {
    await twilio(account).send({ to: TO, text: 'Same' })
    now += 3_600_000
    const wanted = await twilio(account).send({ to: TO, text: 'Same' })
    for (let i = 0; i < 230; i++) await twilio(account).send({ to: TO, text: `Other ${i}` })
    expect(await find('Same')).toEqual([wanted])
  })
})
