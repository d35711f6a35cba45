import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fingerprint } from '../database.ts'
import { type Receiver, signatureOf, startReceiver, until } from '../events/receiver.ts'
import { fieldOf, joining, newOwner, type Page, type Person, textOf } from './person.ts'

let owner: Person
let manager: Person
let staff: Person
let receiver: Receiver
/** What paths below /flaky answer. */
let flaky = 500
beforeAll(async () => {
  receiver = await startReceiver(({ path }) => (path.startsWith('/flaky') ? flaky : 200))
  owner = await newOwner()
  ;[manager, staff] = await Promise.all([
    joining(owner.accountId, 'manager'),
    joining(owner.accountId, 'staff'),
  ])
})
afterAll(() => receiver.stop())

const PAGE = '/settings/webhooks'
let count = 0
const nextUrl = (kind = 'ok') => `${receiver.url}/${kind}?n=${++count}`
const make = (subscriberUrl = nextUrl(), fields: Record<string, string> = {}) =>
  owner.press(PAGE, 'create', { subscriberUrl, 'triggers.OOO_CREATED': 'on', ...fields })
const secretIn = ({ text }: Page) => /whsec_[\w-]{43}/.exec(text)?.[0] ?? ''
const at = (url: string) => receiver.at(url.replace(receiver.url, ''))

let day = 1
/** Makes something happen: an absence. */
async function happen(): Promise<void> {
  const date = `2042-01-${String(day++).padStart(2, '0')}`
  await owner.press('/settings/away', 'create', { start: date, end: date })
}

describe(PAGE, () => {
  it('303 to the new one with a secret, shown once, that signs what is sent', async () => {
    const url = nextUrl()
    const page = await make(url, { 'triggers.BOOKING_CREATED': 'on', payloadTemplate: '' })
    const secret = secretIn(page)
    expect(textOf(await owner.open(String(page.location)))).not.toContain('whsec_')
    expect(textOf(await owner.open(PAGE))).toContain(`${url} Active 2 events`)
    await happen()
    const [got] = await until(() => (at(url).length > 0 ? at(url) : undefined))
    expect(got?.headers['x-service-signature']).toBe(signatureOf(got?.body ?? '', secret))
    expect(got?.json.triggerEvent).toBe('OOO_CREATED')
    // What is on its way would change under the tests that follow.
    const settled = async () =>
      textOf(await owner.open(String(page.location))).includes('delivered')
    await until(async () => (await settled()) || undefined)
  })

  it.each([
    ['subscriberUrl', { subscriberUrl: 'ftp://x' }, 'Please enter a whole address'],
    ['subscriberUrl', { subscriberUrl: 'https://10.0.0.1/hook' }, 'IP address'],
    ['triggers', { 'triggers.OOO_CREATED': '' }, 'Events: Please choose at least one.'],
    ['payloadTemplate', { payloadTemplate: '{{' }, 'Template:'],
  ])('422 at %s for %j, which changes nothing', async (field, change, fault) => {
    const before = await fingerprint(owner.accountId)
    const fields = { subscriberUrl: nextUrl(), 'triggers.OOO_CREATED': 'on', ...change }
    const reply = await owner.send(PAGE, { ...fields, act: 'create' })
    expect(reply.status).toBe(422)
    expect(reply.text).toContain(`id="${field}-fault"`)
    expect(reply.text).toContain(`href="#${field}"`)
    expect(textOf(reply)).toContain(fault)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('409 at the field for an address that there is', async () => {
    const url = nextUrl()
    await make(url)
    const fields = { subscriberUrl: url, 'triggers.OOO_CREATED': 'on', act: 'create' }
    const reply = await owner.send(PAGE, fields)
    expect([reply.status, reply.text.includes('id="subscriberUrl-fault"')]).toEqual([409, true])
  })

  it('a manager looks and changes nothing; staff see nothing', async () => {
    const path = String((await make()).location)
    for (const page of [PAGE, path]) {
      const shown = await manager.open(page)
      expect(shown.status).toBe(200)
      expect(shown.text).not.toContain('<form')
      expect((await staff.open(page)).status).toBe(403)
    }
    const before = await fingerprint(owner.accountId)
    const acts = ['save', 'test', 'on', 'off', 'rotate', 'end', 'replay', 'again', 'delete']
    const fields = { subscriberUrl: nextUrl(), 'triggers.OOO_CREATED': 'on', deliveryId: '1' }
    for (const act of acts)
      for (const who of [manager, staff]) {
        const reply = await who.send(path, { ...fields, from: '2026-01-01', act })
        expect([act, reply.status]).toEqual([act, 403])
      }
    for (const who of [manager, staff])
      expect((await who.send(PAGE, { ...fields, act: 'create' })).status).toBe(403)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })
})

describe(`${PAGE}/{id}`, () => {
  it('303 when it is changed; the rest stays, its secret too', async () => {
    const made = await make()
    const path = String(made.location)
    const url = nextUrl()
    const page = await owner.press(path, 'save', {
      subscriberUrl: url,
      'triggers.OOO_CREATED': 'on',
      'triggers.FORM_SUBMITTED': 'on',
      payloadTemplate: '{"what": "{{triggerEvent}}"}',
    })
    expect(fieldOf(page, 'subscriberUrl')).toBe(url.replaceAll('&', '&amp;'))
    expect(page.text).toMatch(/name="triggers.FORM_SUBMITTED"[^>]*checked/)
    expect(page.text).toMatch(/<details class="fold" open[^>]*><summary>Another payload/)
    await happen()
    const [got] = await until(() => (at(url).length > 0 ? at(url) : undefined))
    expect(got?.body).toBe('{"what": "OOO_CREATED"}')
    expect(got?.headers['x-service-signature']).toBe(signatureOf(got?.body ?? '', secretIn(made)))
  })

  it('303 when it is limited to one event type, which the form then shows', async () => {
    const page = await make()
    const id = /<option value="(\d+)">30 minute meeting/.exec(page.text)?.[1] ?? ''
    const fields = { subscriberUrl: nextUrl(), 'triggers.BOOKING_CREATED': 'on', eventTypeId: id }
    const saved = await owner.press(String(page.location), 'save', fields)
    expect(saved.text).toContain(`<option value="${id}" selected="">30 minute meeting`)
    const gone = { ...fields, act: 'save', eventTypeId: '2147483647' }
    expect((await owner.send(String(page.location), gone)).status).toBe(404)
    const none = await owner.press(String(page.location), 'save', { ...fields, eventTypeId: '' })
    expect(none.text).toContain('<option value="" selected="">All of them')
  })

  it('303 with what came of a test event, good or bad', async () => {
    const [good, bad] = [await make(), await make(nextUrl('flaky'))]
    const well = await owner.press(String(good.location), 'test')
    expect(textOf(well)).toMatch(/The receiver answered 200 within \d+ ms\./)
    const badly = await owner.press(String(bad.location), 'test')
    expect(textOf(badly)).toContain('The test event did not arrive: Answered 500.')
    expect(badly.text).toContain('class="note bad" role="status"')
  })

  it('303 with another secret, once; for a day both sign', async () => {
    const url = nextUrl()
    const made = await make(url)
    const page = await owner.press(String(made.location), 'rotate')
    expect(secretIn(page)).not.toBe(secretIn(made))
    expect(textOf(page)).toContain('The secret before it signs too')
    expect((await owner.open(String(made.location))).text).not.toContain(secretIn(page))
    await happen()
    const [got] = await until(() => (at(url).length > 0 ? at(url) : undefined))
    const signed = (page: Page) => signatureOf(got?.body ?? '', secretIn(page))
    expect(got?.headers).toMatchObject({
      'x-service-signature': signed(page),
      'x-service-signature-previous': signed(made),
    })
  })

  it('303 when the secret before a change is ended: the present one signs alone', async () => {
    const url = nextUrl()
    const made = await make(url)
    const path = String(made.location)
    const later = { 'x-test-now': new Date(Date.now() + 86_401_000).toISOString() }
    await owner.press(path, 'rotate')
    expect(textOf(await owner.open(path, later))).not.toContain('The secret before it')
    const ended = await owner.press(path, 'end')
    expect(textOf(ended)).not.toContain('The secret before it')
    await happen()
    const [got] = await until(() => (at(url).length > 0 ? at(url) : undefined))
    expect(got?.headers).not.toHaveProperty('x-service-signature-previous')
  })

  it('the log of deliveries by status with each try; one is sent again, or all that failed', async () => {
    flaky = 500
    const url = nextUrl('flaky')
    const made = await make(url)
    const path = String(made.location)
    expect(textOf(made)).toContain('Nothing was sent in the last 30 days.')
    expect(textOf(made)).not.toContain('Send again what failed')
    await happen()
    const log = await until(async () => {
      const page = await owner.open(path)
      return textOf(page).includes('1 try') ? page : undefined
    })
    expect(textOf(log)).toMatch(/Absence created pending .* Answered 500 next try/)
    expect(textOf(log)).toMatch(/1 try of Absence created .*: Answered 500, \d+ ms/)
    expect(log.text).not.toContain('value="replay"')

    await owner.press(path, 'off')
    await owner.press(path, 'on')
    flaky = 200
    const failed = await owner.open(`${path}?status=failed`)
    expect(textOf(failed)).toContain('The webhook was switched off')
    expect(textOf(await owner.open(`${path}?status=delivered`))).toContain(
      'There are none of these',
    )
    const deliveryId = fieldOf(failed, 'deliveryId') ?? ''
    expect(textOf(await owner.press(path, 'replay', { deliveryId }))).toContain(
      '1 event on the way.',
    )
    await until(() => at(url).length === 2)
    const delivered = await until(async () => {
      const page = await owner.open(`${path}?status=delivered`)
      return textOf(page).includes('answered 200') ? page : undefined
    })
    expect(delivered.text).toContain('value="replay"')
    const none = await owner.press(path, 'again', { from: '2026-01-01' })
    expect(textOf(none)).toContain('Nothing had failed.')
    const empty = await owner.send(path, { act: 'again', from: '' })
    expect([empty.status, empty.text.includes('id="from-fault"')]).toEqual([422, true])
  })

  it('404 for the delivery of another webhook’s account; 409 while it is switched off', async () => {
    const path = String((await make()).location)
    expect((await owner.send(path, { act: 'replay', deliveryId: '999999999' })).status).toBe(404)
    await owner.press(path, 'off')
    expect(textOf(await owner.open(path))).toContain('Switched off')
    const off = await owner.send(path, { act: 'again', from: '2026-01-01' })
    expect(off.status).toBe(409)
    expect(textOf(off)).toContain('The webhook is switched off')
  })

  it('303 when it is deleted, which takes a second press', async () => {
    const path = String((await make()).location)
    expect((await owner.open(path)).text).toMatch(/<details class="confirm"><summary>Delete</)
    expect((await owner.press(path, 'delete')).location).toBe(PAGE)
    expect((await owner.open(path)).status).toBe(404)
  })
})
