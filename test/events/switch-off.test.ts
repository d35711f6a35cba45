import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '#dev/mailbox.ts'
import { client } from '../client.ts'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { leaveEvents, openSubscriber, type Subscriber } from './subscriber.ts'

let platform: OwnPlatform
let shop: Subscriber
let receiver: Receiver
let isBroken = true

beforeAll(async () => {
  platform = await emptyOwnPlatform()
  shop = await openSubscriber(platform)
  receiver = await startReceiver(({ path }) => (path.startsWith('/ill') && isBroken ? 500 : 200))
})
afterAll(async () => {
  await receiver.stop()
})

const from = Date.now()
const onDay = (day: number) => new Date(from + day * 86_400_000)
/** On which day after the test began an instant is. */
const dayOf = (instant: unknown) => (Date.parse(String(instant)) - from) / 86_400_000
let subjectId = 0
/** Lets something happen, and the job run, some days after the test began. */
async function happen(day: number): Promise<void> {
  await leaveEvents(shop, [{ subjectId: ++subjectId, version: 1 }])
  await platform.fireJob('deliver', onDay(day))
}
const change = (id: number, body: object) =>
  shop.client.patch(`/api/services/webhooks?id=${id}`, body)
const mails = async () => {
  const answer = await fetch(`${platform.url}/_dev/messages?to=${shop.account.email}`)
  return ((await answer.json()) as { messages: Message[] }).messages
}

describe('a webhook that fails', () => {
  it('goes on while it fails for less than 5 days, or anything arrives', async () => {
    isBroken = true
    const id = await shop.subscribe(`${receiver.url}/ill/now-and-then`)
    await happen(0)
    await happen(4.9)
    isBroken = false
    await happen(4.95)
    expect(await shop.webhook(id)).toMatchObject({ active: true, failingSince: null })
    isBroken = true
    await happen(5.1)
    await happen(10)
    expect(await shop.webhook(id)).toMatchObject({ active: true, disabledAt: null })
    await change(id, { active: false })
  })

  it('is switched off after 5 days of nothing else, and its owner is told once', async () => {
    isBroken = true
    const healthy = await shop.subscribe(`${receiver.url}/well`)
    const id = await shop.subscribe(`${receiver.url}/ill/always`)
    await happen(20)
    await leaveEvents(shop, [
      { subjectId: 900, version: 1 },
      { subjectId: 900, version: 2 },
    ])
    await happen(25.1)
    const off = await shop.webhook(id)
    expect(off).toMatchObject({ active: false })
    expect(dayOf(off.disabledAt)).toBeCloseTo(25.1, 3)
    expect(dayOf(off.failingSince)).toBeCloseTo(20, 3)
    expect(await shop.webhook(healthy)).toMatchObject({ active: true, failingSince: null })
    const all = await shop.deliveries(id)
    expect(all.map(d => d.status)).toEqual(['failed', 'failed', 'failed', 'failed'])
    expect(all.at(-2)?.error).toBe('The webhook was switched off')

    const before = receiver.at('/ill/always').length
    await happen(25.2)
    expect(receiver.at('/ill/always')).toHaveLength(before)
    expect(await shop.deliveries(id)).toHaveLength(4)

    await platform.fireJob('messages', onDay(25.2))
    await platform.fireJob('messages', onDay(26))
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ subject: 'A webhook was switched off' })
    expect(mail?.text).toContain(`${receiver.url}/ill/always`)
    expect(mail?.from).toContain('no-reply@')
  })

  it('is told of to the owner where who made it was deleted', async () => {
    isBroken = true
    const { employeeId, apiKey } = shop.account.staff
    const path = `/api/services/employees?id=${employeeId}`
    expect((await shop.client.put(path, { role: 'admin' })).status).toBe(200)
    const subscriberUrl = `${receiver.url}/ill/orphaned`
    const asked = { subscriberUrl, triggers: ['SERVICE_BOOKING_UPDATED'] }
    const made = await client(apiKey, platform.url).post('/api/services/webhooks', asked)
    expect(made.status).toBe(201)
    expect((await shop.client.del(path)).status).toBe(200)
    await happen(26.5)
    await happen(32)
    expect(await shop.webhook(Number(made.body.id))).toMatchObject({ active: false })
    await platform.fireJob('messages', onDay(32.1))
    const told = (await mails()).filter(mail => mail.text?.includes(subscriberUrl))
    expect(told.map(mail => mail.to)).toEqual([shop.account.email])
  })

  it('goes on failing when it is told again what holds already', async () => {
    isBroken = true
    const path = '/ill/told-again'
    const id = await shop.subscribe(receiver.url + path)
    await happen(33)
    const told = (await shop.client.get(`/api/services/webhooks?id=${id}`)).body.data
    const { failingSince } = told
    expect(dayOf(failingSince)).toBeCloseTo(33, 3)
    await change(id, told)
    expect(await shop.webhook(id)).toMatchObject({ active: true, failingSince })
    await change(id, { active: false })
    await change(id, { active: false })
    await change(id, { ...told, active: false })
    expect(await shop.webhook(id)).toMatchObject({ active: false, failingSince })
    await change(id, { subscriberUrl: `${receiver.url}${path}/elsewhere` })
    expect(await shop.webhook(id)).toMatchObject({ active: false, failingSince: null })
  })

  it('works again once it is switched on', async () => {
    const path = '/ill/again'
    isBroken = true
    const id = await shop.subscribe(receiver.url + path)
    await happen(40)
    await happen(46)
    expect(await shop.webhook(id)).toMatchObject({ active: false })
    isBroken = false
    await change(id, { active: true })
    expect(await shop.webhook(id)).toMatchObject({ disabledAt: null, failingSince: null })
    await happen(46.1)
    expect((await shop.deliveries(id)).map(d => String(d.status)).at(-1)).toBe('delivered')
  })
})

describe('a host that becomes private', () => {
  it('is not sent to, whatever it was when the webhook was saved', async () => {
    await fetch(`${platform.url}/_dev/dns/forget`, { method: 'POST' })
    const id = await shop.subscribe('https://rebind.example.com/in')
    const fine = await shop.subscribe('https://hooks.example.com/in')
    await happen(50)
    const [refused] = await shop.deliveries(id)
    expect(refused).toMatchObject({
      ...{ status: 'pending', responseCode: null, attempts: 1 },
      error: 'subscriberUrl must be a public host: rebind.example.com leads to 10.0.0.1',
    })
    // No service of that name exists here: the runtime answers for it.
    const [sent] = await shop.deliveries(fine)
    expect(sent).toMatchObject({ responseCode: 599 })
  })
})
