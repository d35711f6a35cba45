import { beforeEach, describe, expect, it } from 'vitest'
import { Mailbox } from '../mailbox.ts'
import { EmulatorHost } from './host.ts'
import { createResend } from './resend.ts'

const EMAIL = { from: 'Shop <shop@a.test>', to: 'Bo <bo@b.test>', subject: 'Hello', text: 'Hi' }
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
let now: number
let mailbox: Mailbox
let host: EmulatorHost

beforeEach(() => {
  now = Date.parse('2026-03-01T12:00:00Z')
  mailbox = new Mailbox()
  host = new EmulatorHost([createResend({ mailbox, now: () => new Date(now) })])
})

function post(body: unknown, headers: Record<string, string> = {}, path = '/emails') {
  return host.fetch(
    new Request(`https://api.resend.com${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer re_local', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
}

function fault(body: unknown) {
  const request = new Request('http://localhost/_dev/resend/fault', {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return host.control('resend', 'fault', request)
}

describe('POST /emails', () => {
  it('200 and a message for every recipient', async () => {
    expect((await post({ ...EMAIL, cc: ['cy@b.test'] })).status).toBe(200)
    expect(mailbox.list().map(({ to }) => to)).toEqual(['cy@b.test', 'bo@b.test'])
    expect(mailbox.list({ to: 'BO@' })).toHaveLength(1)
    expect(mailbox.list({ channel: 'sms' })).toEqual([])
    expect(host.violations).toEqual([])
  })
  it('200 with the first answer for the same idempotency key, for a day', async () => {
    const key = { 'idempotency-key': 'k1' }
    const first = await (await post(EMAIL, key)).text()
    expect(await (await post(EMAIL, key)).text()).toBe(first)
    expect(mailbox.list()).toHaveLength(1)
    now += DAY_MILLISECONDS
    expect(await (await post(EMAIL, key)).text()).not.toBe(first)
  })
  it('409 for the same idempotency key with another body', async () => {
    await post(EMAIL, { 'idempotency-key': 'k1' })
    const answer = await post({ ...EMAIL, text: 'Other' }, { 'idempotency-key': 'k1' })
    expect(answer.status).toBe(409)
  })
  it('401 without a key', async () => {
    expect((await post(EMAIL, { authorization: '' })).status).toBe(401)
  })
  it('422 and a violation when the contract does not allow the body', async () => {
    expect((await post({ ...EMAIL, sender: 'x' })).status).toBe(422)
    expect(host.violations[0]?.problems[0]).toContain('sender')
    expect(mailbox.list()).toEqual([])
  })
  it('fails as often as was asked for', async () => {
    await fault({ status: 503, times: 2 })
    const statuses = [await post(EMAIL), await post(EMAIL), await post(EMAIL)]
    expect(statuses.map(({ status }) => status)).toEqual([503, 503, 200])
  })
})

describe('POST /emails/batch', () => {
  it('200 with an id for each', async () => {
    const answer = await post([EMAIL, EMAIL], {}, '/emails/batch')
    expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(2)
    expect(mailbox.list()).toHaveLength(2)
  })
})

it('599 for a host that nobody emulates', async () => {
  expect((await host.fetch(new Request('https://example.org/'))).status).toBe(599)
})
