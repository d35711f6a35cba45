import { beforeAll, beforeEach, expect, it } from 'vitest'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { DAY, HOUR, MINUTE, openPlace, type Place } from './world.ts'

let platform: OwnPlatform
let place: Place
let EARLY = 0
let numbers = 0
/** A number that nobody else has, of somebody without an e-mail address. */
let phone = ''
beforeAll(async () => {
  platform = await emptyOwnPlatform()
})
beforeEach(async () => {
  place = await openPlace(platform)
  EARLY = place.start - 30 * DAY
  phone = `+1555020${String(++numbers).padStart(4, '0')}`
})

const book = (more: object = {}) =>
  place.book(EARLY, { responses: { email: null, attendeePhoneNumber: phone }, ...more })
const texts = () => place.sent(phone).map(m => m.text ?? '')
const control = (action: string, body: object) =>
  fetch(`${platform.url}/_dev/twilio/${action}`, { method: 'POST', body: JSON.stringify(body) })
const rows = () =>
  place.sql<{ kind: string; status: string; error: string | null }>(
    `select kind, status, error from messages where account_id = $1 and channel = 'sms'
     order by id`,
    [place.account.accountId],
  )

it('a reminder goes by text message, once', async () => {
  const { start, uid } = await book()
  await place.tick(start - DAY - MINUTE)
  expect(texts()).toEqual([expect.stringMatching(/^Confirmed: /)])
  await place.tick(start - DAY)
  await place.tick(start - DAY + MINUTE)
  expect(texts()).toEqual([
    expect.stringMatching(/^Confirmed: /),
    expect.stringMatching(
      new RegExp(`^Reminder: 30 minute meeting with .*\\nSee or change: .*/e/${uid}$`),
    ),
  ])
})

it('a number that answered STOP gets no text message of any kind', async () => {
  await control('inbound', { from: phone, body: 'STOP' })
  const { start } = await book()
  await expect
    .poll(rows)
    .toMatchObject([
      { kind: 'event_confirmed', status: 'failed', error: expect.stringContaining('21610') },
    ])
  await control('inbound', { from: phone, body: 'START' })
  await book()
  await place.tick(start - DAY)
  expect(texts()).toEqual([])
  const [, ...later] = await rows()
  expect(later.map(m => [m.status, m.error])).toEqual(
    Array(2).fill(['sent', 'skipped: the reader wants no such messages']),
  )
})

it('workflows write to the number; a step by e-mail has nobody to write to', async () => {
  await place.workflow(EARLY - DAY, {
    trigger: { type: 'beforeEvent', offset: { value: 2, unit: 'hour' } },
    activation: { isActiveOnAllEventTypes: true },
    steps: [
      {
        action: 'sms_attendee',
        template: 'custom',
        message: { text: '{attendee_name} <{attendee_email}> comes' },
      },
      { action: 'email_attendee', template: 'reminder' },
      { action: 'email_host', template: 'reminder' },
    ],
  })
  const { start } = await book()
  const email = 'with@example.com'
  const both = await place.book(EARLY, { responses: { email, attendeePhoneNumber: phone } })
  await place.tick(start - 2 * HOUR)
  await place.tick(both.start - 2 * HOUR)
  expect(texts().filter(text => text.startsWith('Bo'))).toEqual([
    'Bo Ek <> comes',
    `Bo Ek <${email}> comes`,
  ])
  const hosts = place.sent(place.account.email).filter(m => m.subject?.startsWith('Reminder'))
  expect(hosts[0]?.text).toContain(`Who: Bo Ek, ${phone}`)
  expect(hosts[0]?.replyTo).toEqual([])
  const [attendees] = await place.sql<{ n: number }>(
    `select count(*)::int as n from messages where account_id = $1 and kind = 'workflow'
     and channel = 'email' and data ->> 'role' = 'attendee'`,
    [place.account.accountId],
  )
  expect(attendees).toEqual({ n: 1 })
})

it('a text message of which it is not known whether it was sent is looked up first', async () => {
  // The provider's clock is that of the machine, so here ours is too.
  const at = Math.ceil(Date.now() / MINUTE) * MINUTE
  await control('fault', { contains: phone.slice(1), status: 0, answerLost: true })
  const start = new Date(Math.ceil((at + 2 * DAY) / DAY) * DAY + 12 * HOUR).toISOString()
  await place.book(at, { start, responses: { email: null, attendeePhoneNumber: phone } })
  await place.tick(at + 2 * MINUTE)
  expect(texts()).toHaveLength(1)
  expect(await rows()).toMatchObject([{ kind: 'event_confirmed', status: 'sent' }])
})

it('who did not come is noted on the page of the host, where they stand by their number', async () => {
  await place.workflow(EARLY - DAY, {
    trigger: { type: 'afterEvent', offset: { value: 1, unit: 'minute' } },
    activation: { isActiveOnAllEventTypes: true },
    steps: [{ action: 'email_host', template: 'custom', message: { text: 'Who? {no_show_url}' } }],
  })
  const { start, id } = await book()
  const over = start + 2 * HOUR
  await place.tick(over)
  const told = place.sent(place.account.email).find(m => m.text?.startsWith('Who?'))
  const link = /https?:\S+/.exec(told?.text ?? '')?.[0] ?? ''
  const headers = { 'x-test-now': new Date(over).toISOString() }
  const page = await (await fetch(link, { headers })).text()
  expect(page).toContain(`Bo Ek, ${phone}`)
  const [, value = ''] = /name="absent\.0" value="(\d+)"/.exec(page) ?? []
  const { origin, pathname, searchParams } = new URL(link)
  const body = new URLSearchParams({ token: searchParams.get('token') ?? '', 'absent.0': value })
  const form = {
    method: 'POST',
    body,
    headers: { ...headers, origin },
    redirect: 'manual',
  } as const
  expect((await fetch(`${origin}${pathname}`, form)).status).toBe(303)
  const [row] = await place.sql<{ off: boolean }>(
    'select no_show as off from booking_attendees where booking_id = $1',
    [id],
  )
  expect(row).toEqual({ off: true })
})
