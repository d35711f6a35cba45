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
/** Books another appointment for the customer, two days later, and lets its reminder fall due. */
async function again(customerId: number): Promise<void> {
  const startTime = new Date(START + 2 * DAY).toISOString()
  const endTime = new Date(START + 2 * DAY + HOUR).toISOString()
  await place.call('post', '/api/services/appointments', EARLY, {
    serviceId: place.serviceId,
    customerId,
    startTime,
    endTime,
  })
  await place.tick(START + DAY)
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
    const [row] = await place.sql<{ off: boolean }>(
      'select email_unsubscribed as off from customers where id = $1',
      [customerId],
    )
    expect(row).toEqual({ off: true })
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
    const [row] = await place.sql<{ off: boolean }>(
      'select email_unsubscribed as off from customers where id = $1',
      [customerId],
    )
    expect(row).toEqual({ off: false })
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
  const { email, customerId } = await place.appoint(EARLY)
  await place.sql('update customers set email_unsubscribed = true where id = $1', [customerId])
  // The host has ended such e-mails too, as somebody who books here.
  await place.sql("insert into message_opt_outs values ($1, 'email', $2, now())", [
    place.account.accountId,
    place.account.email,
  ])
  await place.tick(START - 3 * HOUR)
  expect(reminders(email)).toEqual([])
  const [host] = reminders(place.account.email)
  expect(host?.subject).toMatch(/^Reminder: Haircut/)
  expect(host?.headers['List-Unsubscribe']).toBeUndefined()
})
