import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { DAY, dayOf, HOUR, iso, MINUTE, openPlace, type Place } from './world.ts'

let platform: OwnPlatform
let place: Place
let [START, EARLY] = [0, 0]
beforeAll(async () => {
  platform = await emptyOwnPlatform()
})
let numbers = 0
/** A number that nobody else has. */
let phone = ''
beforeEach(async () => {
  place = await openPlace(platform)
  START = place.start
  EARLY = START - 30 * DAY
  phone = `+1555010${String(++numbers).padStart(4, '0')}`
})

const DUE = () => START - 2 * HOUR
const texts = (to = phone) => place.sent(to).map(m => m.text)
const remind = (...steps: object[]) =>
  place.workflow(EARLY - DAY, {
    trigger: { type: 'beforeEvent', offset: { value: 2, unit: 'hour' } },
    activation: { isActiveOnAppointments: true, isActiveOnAllEventTypes: true },
    steps,
  })
const text = 'See you at {event_time}, {attendee_first_name}!'
const words = { template: 'custom', message: { text } }
const control = (action: string, body: object) =>
  fetch(`${platform.url}/_dev/twilio/${action}`, { method: 'POST', body: JSON.stringify(body) })
const fault = (body: object) => control('fault', { contains: phone.slice(1), ...body })
/** Books for a customer who wants text messages. */
async function consenting(): Promise<number> {
  const { customerId } = await place.appoint(EARLY, {}, { phone })
  await place.sql('update customers set sms_consent = true where id = $1', [customerId])
  return customerId
}
const rows = () =>
  place.sql<{ status: string; attempts: number; handed_over: string | null; error: string | null }>(
    `select status, attempts, handed_over, error from messages
     where account_id = $1 and channel = 'sms' order by id`,
    [place.account.accountId],
  )

const [SENT, SKIPPED, REFUSED] = ['sent', 'skipped', 'refused']
/** What became of each message: whether the provider was asked, and took it. */
const outcomes = async () =>
  (await rows()).map(({ status, error }) =>
    status === 'failed' && error?.includes('21610') ? REFUSED : error ? SKIPPED : SENT,
  )

describe('text messages of workflows', () => {
  it('go to a customer who consented, a number, and by WhatsApp', async () => {
    await remind(
      { action: 'sms_attendee', ...words },
      { action: 'whatsapp_attendee', template: 'reminder' },
      { action: 'sms_number', recipient: '+15550990001', ...words },
    )
    await consenting()
    await place.tick(DUE())
    const service = `Reminder: Haircut with Olive Owner, ${dayOf(START)}`
    // They are sent side by side: which arrives first is open.
    expect(texts().toSorted()).toEqual([
      expect.stringContaining(service),
      'See you at 2:00 PM, Ann!',
    ])
    expect(texts('+15550990001')).toEqual(['See you at 2:00 PM, Ann!'])
    expect(await rows()).toEqual(
      [1, 2, 3].map(() => ({
        status: 'sent',
        attempts: 1,
        handed_over: null,
        error: null,
      })),
    )
  })

  it('do not go to a customer who did not consent, or does no more', async () => {
    await remind({ action: 'sms_attendee', ...words })
    await place.appoint(EARLY, {}, { phone })
    await place.tick(DUE())
    expect(texts()).toEqual([])
    expect(await rows()).toMatchObject([
      { status: 'sent', error: expect.stringMatching(/^skipped/) },
    ])
  })

  it('go to who gave a number with the booking of an event', async () => {
    await remind({ action: 'sms_attendee', ...words })
    const { start } = await place.book(EARLY, { responses: { attendeePhoneNumber: phone } })
    await place.tick(start - 2 * HOUR)
    expect(texts()).toEqual([expect.stringMatching(/^See you at \d+:00 PM, Bo!$/)])
  })

  it('end when the number answers STOP', async () => {
    await remind({ action: 'sms_attendee', ...words })
    const customerId = await consenting()
    await control('inbound', { from: phone, body: 'STOP' })
    await place.tick(DUE())
    expect(await rows()).toMatchObject([
      { status: 'failed', error: expect.stringContaining('21610') },
    ])
    const path = `/api/services/customers?id=${customerId}`
    const stopped = await place.call('get', path, EARLY)
    expect(stopped.data).toMatchObject({ smsConsent: false })
    // Their consent was given for that number.
    await place.call('put', path, EARLY, { phone: `${phone}9` })
    const moved = await place.call('get', path, EARLY)
    expect(moved.data).toMatchObject({ phone: `${phone}9`, smsConsent: false })
  })

  it('come again to a number that answered START, with what is booked after', async () => {
    await remind({ action: 'sms_attendee', ...words })
    const customerId = await consenting()
    const responses = { attendeePhoneNumber: phone }
    const known = await place.book(EARLY, { start: iso(START + 5 * DAY), responses })
    await control('inbound', { from: phone, body: 'STOP' })
    await place.tick(DUE())
    await control('inbound', { from: phone, body: 'START' })
    // What was booked before the STOP is not tried.
    await place.tick(known.start - 2 * HOUR)
    expect(await outcomes()).toEqual([REFUSED, SKIPPED])
    const { start } = await place.book(DUE() + DAY, { start: iso(START + 7 * DAY), responses })
    await place.tick(start - 2 * HOUR)
    expect(texts()).toHaveLength(1)
    const path = `/api/services/customers?id=${customerId}`
    const { data } = await place.call('get', path, EARLY)
    expect(data).toMatchObject({ smsConsent: true })
  })

  it('are tried once a day at most while the number is stopped', async () => {
    await remind({ action: 'sms_attendee', ...words }, { action: 'whatsapp_attendee', ...words })
    await control('inbound', { from: phone, body: 'STOP' })
    const responses = { attendeePhoneNumber: phone }
    const first = await place.book(EARLY, { responses })
    await place.tick(first.start - 2 * HOUR)
    const at = first.start + 10 * DAY
    await place.book(first.start, { start: iso(at), responses })
    await place.tick(at - 2 * HOUR)
    await place.book(at - HOUR, { start: iso(at + 3 * HOUR), responses })
    expect(await outcomes()).toEqual([REFUSED, SENT, REFUSED, SKIPPED])
    await place.tick(at + HOUR)
    expect(await outcomes()).toEqual([REFUSED, SENT, REFUSED, SKIPPED, SKIPPED, SKIPPED])
  })
})

describe('a text message whose try failed', () => {
  // The provider's clock is that of the machine, so here ours is too.
  const now = () => Math.ceil(Date.now() / MINUTE) * MINUTE
  async function queued(): Promise<number> {
    const at = now()
    await remind({ action: 'sms_number', recipient: phone, ...words })
    const startTime = new Date(at + 2 * HOUR).toISOString()
    const endTime = new Date(at + 3 * HOUR).toISOString()
    await place.sql('update workflows set since = $2 where account_id = $1', [
      place.account.accountId,
      new Date(at - DAY),
    ])
    await place.appoint(at - DAY, { startTime, endTime })
    return at
  }

  it('is sent again after a clear refusal for now', async () => {
    const at = await queued()
    await fault({ status: 429 })
    await place.tick(at)
    expect(await rows()).toMatchObject([{ status: 'queued', handed_over: null }])
    await place.tick(at + 2 * MINUTE)
    expect(texts()).toHaveLength(1)
  })

  it('is looked up and sent when it did not arrive', async () => {
    const at = await queued()
    await fault({ status: 500 })
    await place.tick(at)
    expect(await rows()).toMatchObject([{ status: 'queued', handed_over: expect.any(String) }])
    expect(texts()).toEqual([])
    await place.tick(at + 2 * MINUTE)
    expect(texts()).toHaveLength(1)
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2, handed_over: null }])
  })

  it('is not sent again when its answer was lost', async () => {
    const at = await queued()
    await fault({ status: 0, answerLost: true })
    await place.tick(at)
    await place.tick(at + 2 * MINUTE)
    await place.tick(at + 30 * MINUTE)
    expect(texts()).toHaveLength(1)
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  it('is not sent again when the sender died after sending', async () => {
    const at = await queued()
    await place.tick(at)
    await place.sql(
      `update messages set status = 'queued', provider_id = null,
         handed_over = 'See you at ' || to_char(($2::timestamptz + interval '2 hours') at time zone 'UTC', 'FMHH12:MI PM') || ', Ann!'
       where account_id = $1 and channel = 'sms'`,
      [place.account.accountId, new Date(at)],
    )
    await place.tick(at + 2 * MINUTE)
    expect(texts()).toHaveLength(1)
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  it('waits as long as the provider cannot say what became of it', async () => {
    const at = await queued()
    await fault({ status: 0, answerLost: true })
    await place.tick(at)
    const path = '/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json'
    await control('fault', { status: 500, path })
    await place.tick(at + 2 * MINUTE)
    expect(await rows()).toMatchObject([{ status: 'queued', handed_over: expect.any(String) }])
    await place.tick(at + 20 * MINUTE)
    expect(texts()).toHaveLength(1)
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 3 }])
  })

  it('is sent each time that it is another message in the same words', async () => {
    const same = { template: 'custom', message: { text: 'New' } }
    const at = now()
    await remind(
      { action: 'sms_number', recipient: phone, ...same },
      { action: 'sms_number', recipient: phone, ...same },
    )
    await place.sql('update workflows set since = $2 where account_id = $1', [
      place.account.accountId,
      new Date(at - DAY),
    ])
    const times = {
      startTime: new Date(at + 2 * HOUR).toISOString(),
      endTime: new Date(at + 3 * HOUR).toISOString(),
    }
    await place.appoint(at - DAY, times)
    // Of two, one arrives and loses its answer, the other does not arrive.
    await fault({ status: 0, answerLost: true })
    await fault({ status: 500 })
    await place.tick(at)
    expect(texts()).toHaveLength(1)
    await place.tick(at + 2 * MINUTE)
    expect(texts()).toHaveLength(2)
    expect(await rows()).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  })
})
