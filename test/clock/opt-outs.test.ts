import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { DAY, HOUR, openPlace, type Place } from './world.ts'

let platform: OwnPlatform
let place: Place
let [START, EARLY] = [0, 0]
beforeAll(async () => {
  platform = await emptyOwnPlatform()
})
beforeEach(async () => {
  place = await openPlace(platform)
  START = place.start
  EARLY = START - 30 * DAY
})

const reminders = (to: string) => place.sent(to).filter(m => /^Reminder/.test(m.subject ?? ''))
const linkIn = (to: string) => {
  const [mail] = reminders(to)
  expect(mail?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const link = /^<(.+)>$/.exec(mail?.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  expect(mail?.text).toContain(link)
  return link
}
const post = (link: string, body: object) =>
  fetch(link, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...body }),
    headers: { 'x-test-client': `10.3.0.${Math.ceil(Math.random() * 250)}` },
  })
const CUSTOMERS = '/api/services/customers'
const read = async (id: number) => (await place.call('get', `${CUSTOMERS}?id=${id}`, EARLY)).data
/** Books another appointment for the customer, days later, and lets its reminder fall due. */
async function again(customerId: number, days = 2): Promise<void> {
  const startTime = new Date(START + days * DAY).toISOString()
  const endTime = new Date(START + days * DAY + HOUR).toISOString()
  await place.call('post', '/api/services/appointments', EARLY, {
    serviceId: place.serviceId,
    customerId,
    startTime,
    endTime,
  })
  await place.tick(START + (days - 1) * DAY)
}

describe('GET and POST /unsubscribe', () => {
  it('200 by one click of a mail program; reminders end, confirmations do not', async () => {
    const { email, customerId } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    const link = linkIn(email)
    expect((await fetch(link)).status).toBe(200)
    const answer = await post(link, { 'List-Unsubscribe': 'One-Click' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('You get no more reminders')
    await again(customerId)
    expect(reminders(email)).toHaveLength(1)
    const confirmed = platform.mailbox
      .list({ to: email })
      .filter(m => /^Conf/.test(m.subject ?? ''))
    expect(confirmed).toHaveLength(2)
    for (const mail of confirmed) expect(mail.headers['List-Unsubscribe']).toBeUndefined()
    expect(await read(customerId)).toMatchObject({ emailUnsubscribed: true })
  })

  it('200 by one click that is sent in parts, from elsewhere; 400 where they are torn', async () => {
    const { email, customerId } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    const link = linkIn(email)
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const torn = await fetch(link, { method: 'POST', body: '--x\r\nContent-', headers: type })
    expect(torn.status).toBe(400)
    const body = new FormData()
    body.append('List-Unsubscribe', 'One-Click')
    const headers = { origin: 'https://mail.example.org' }
    const answer = await fetch(link, { method: 'POST', body, headers })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('You get no more reminders')
    await again(customerId)
    expect(reminders(email)).toHaveLength(1)
  })

  it('303 by the button, and back again; looking changes nothing', async () => {
    const { email, customerId } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    const link = linkIn(email)
    expect(await (await fetch(link)).text()).toContain('Get no more reminders')
    expect((await post(link, { answer: 'off' })).status).toBe(303)
    expect(await (await fetch(link)).text()).toContain('Get reminders again')
    expect((await post(link, { answer: 'on' })).status).toBe(303)
    await again(customerId)
    expect(reminders(email)).toHaveLength(2)
  })

  it('303 for who attends an event and is no customer', async () => {
    const { email, start } = await place.book(EARLY)
    await place.tick(start - DAY)
    const link = linkIn(email)
    await post(link, { answer: 'off' })
    await place.book(EARLY, {
      start: new Date(start + 20 * DAY).toISOString(),
      responses: { email },
    })
    await place.tick(start + 19 * DAY)
    expect(reminders(email)).toHaveLength(1)
    await post(link, { answer: 'on' })
    await place.book(EARLY, {
      start: new Date(start + 22 * DAY).toISOString(),
      responses: { email },
    })
    await place.tick(start + 21 * DAY)
    expect(reminders(email)).toHaveLength(2)
  })

  it('404 for a link that is forged, and another’s stays as it is', async () => {
    const { email, customerId } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    const forged = linkIn(email).replace(/token=./, 'token=X')
    expect((await fetch(forged)).status).toBe(404)
    expect((await post(forged, { answer: 'off' })).status).toBe(404)
    expect(await read(customerId)).toMatchObject({ emailUnsubscribed: false })
  })

  it('303 for a customer who is deleted and made anew: the address is what wants no more', async () => {
    const { email, customerId } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    const link = linkIn(email)
    await post(link, { answer: 'off' })
    await place.call('del', `${CUSTOMERS}?id=${customerId}`, EARLY)
    const inCapitals = email.toUpperCase()
    const made = { name: 'Ann Lee', email: inCapitals }
    const anew = Number((await place.call('post', CUSTOMERS, EARLY, made)).id)
    await again(anew)
    expect(reminders(inCapitals)).toEqual([])
    expect(await read(anew)).toMatchObject({ emailUnsubscribed: true })
    await post(link, { answer: 'on' })
    expect(await read(anew)).toMatchObject({ emailUnsubscribed: false })
    await again(anew, 4)
    expect(reminders(inCapitals)).toHaveLength(1)
  })

  it('303 for a customer whose address is changed: it is the same person', async () => {
    const { email, customerId } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    await post(linkIn(email), { answer: 'off' })
    await place.call('put', `${CUSTOMERS}?id=${customerId}`, EARLY, { email: `new-${email}` })
    await again(customerId)
    expect(reminders(`new-${email}`)).toEqual([])
    expect(await read(customerId)).toMatchObject({ emailUnsubscribed: true })
  })

  it('303 for an address that other businesses write to all the same', async () => {
    const { email } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    await post(linkIn(email), { answer: 'off' })
    const other = await openPlace(platform)
    const { customerId } = await other.appoint(EARLY, {}, { email })
    const hashes = await place.sql<{ hash: string }>(
      'select opt_out_hash(id, $1) as hash from accounts where id = any($2) order by id',
      [email, [place.account.accountId, other.account.accountId]],
    )
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(2)
    const theirs = await other.call('get', `${CUSTOMERS}?id=${customerId}`, EARLY)
    expect(theirs.data).toMatchObject({ emailUnsubscribed: false })
  })

  it('303 and keeps nothing that can be read of the address', async () => {
    const { email } = await place.appoint(EARLY)
    await place.tick(START - DAY)
    await post(linkIn(email), { answer: 'off' })
    const rows = await place.sql('select * from message_opt_outs where account_id = $1', [
      place.account.accountId,
    ])
    expect(rows).toMatchObject([
      { channel: 'email', address_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(JSON.stringify(rows)).not.toContain(email)
    const plain = "insert into message_opt_outs values ($1, 'email', now(), $2)"
    await expect(place.sql(plain, [place.account.accountId, email])).rejects.toThrow(
      'message_opt_outs_hash',
    )
  })
})

it('workflows do not write to who opted out; hosts are told all the same', async () => {
  await place.workflow(EARLY - DAY, {
    trigger: { type: 'beforeEvent', offset: { value: 3, unit: 'hour' } },
    activation: { isActiveOnAppointments: true },
    steps: [
      { action: 'email_attendee', template: 'reminder' },
      { action: 'email_host', template: 'reminder' },
    ],
  })
  const { email } = await place.appoint(EARLY)
  await place.optOut(email)
  // The host has ended such e-mails too, as somebody who books here.
  await place.optOut(place.account.email)
  await place.tick(START - 3 * HOUR)
  expect(reminders(email)).toEqual([])
  const [host] = reminders(place.account.email)
  expect(host?.subject).toMatch(/^Reminder: Haircut/)
  expect(host?.headers['List-Unsubscribe']).toBeUndefined()
})
