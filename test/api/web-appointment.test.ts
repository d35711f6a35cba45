import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyone, cookieOf, HTML, newEmail, own, sendForm, somebody } from '../browser.ts'
import type { Body } from '../client.ts'
import { platform, readMessages } from '../platform.ts'
import {
  at,
  BOOK,
  bookingBy,
  clocked,
  closeRows,
  eventsOf,
  minutesAfter,
  NOW,
  openShop,
  type Shop,
  someAddress,
} from './appointments/shop.ts'

let shop: Shop
/** Starts that no other test here uses. */
let hour = 0
const nextStart = () => minutesAfter(at('00:00'), 120 * hour++)
const clock = (now = NOW) => ({ 'x-test-now': now })
const see = (path: string, now = NOW) => anyone.get(path, { ...HTML, ...somebody(), ...clock(now) })
const send = (path: string, fields: Record<string, string>, now = NOW) =>
  sendForm(path, fields, { ...own(), ...clock(now) })

/** A public booking: what was answered, and its id. */
async function book(more: object = {}, serviceId = shop.serviceId, email = newEmail()) {
  const start = nextStart()
  const body = bookingBy(serviceId, start, more, email)
  const reply = await clocked(anyone).post(BOOK, body, someAddress())
  expect(reply, reply.text).toMatchObject({ status: 201 })
  const uid = String(reply.body.uid)
  return { uid, page: `/a/${uid}`, start, email, body: reply.body }
}

const find = async (uid: string): Promise<Body> => {
  const { items } = await shop.client.get('/api/services/appointments?limit=100')
  return items.find(a => String(a.uid) === uid)!
}
const policy = (bookingPolicy: object) =>
  shop.client.patch('/api/services/company-settings', { bookingPolicy })

beforeAll(async () => {
  shop = await openShop({ service: { name: 'Cut <b>' } })
  await shop.client.patch('/api/services/company-settings', { phone: '+15550100' })
})
afterAll(closeRows)

describe('GET /a/{uid}', () => {
  it('200 with what, when, with whom, and nothing for search engines', async () => {
    const { page } = await book({
      customer: { name: 'Vera', email: newEmail(), timeZone: 'Asia/Tokyo' },
    })
    const reply = await see(page)
    expect(reply.status).toBe(200)
    expect(reply.text).toContain('Your booking is confirmed')
    expect(reply.text).toContain('Cut &lt;b&gt;')
    expect(reply.text).toContain('Japan Standard Time')
    expect(reply.text).toContain('$50.00')
    expect(reply.headers.get('x-robots-tag')).toBe('noindex')
    expect(reply.text).toContain('name="robots" content="noindex')
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('200 for the link of the answer and of the e-mail', async () => {
    const { page, body, email } = await book()
    expect(String(body.manageUrl)).toBe(`${platform().url}${page}`)
    await expect.poll(() => readMessages({ to: email }), { timeout: 5000 }).toHaveLength(1)
    const [mail] = await readMessages({ to: email })
    expect(mail?.text).toContain(`${platform().url}${page}`)
  })

  it('200 for one that waits, and says where to confirm it', async () => {
    await policy({ autoConfirm: false })
    const { page } = await book()
    await policy({ autoConfirm: true })
    const { text } = await see(page)
    expect(text).toContain('not confirmed yet')
    expect(text).toContain('Check your e-mail')
    expect(text).not.toContain('/confirm?token')
  })

  it('404 for a uid that nothing has', async () => {
    expect((await see('/a/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(404)
    expect((await see('/a/AAAAAAAAAAAAAAAAAAAAAA/calendar.ics')).status).toBe(404)
    expect((await see('/a/AAAAAAAAAAAAAAAAAAAAAA/move')).status).toBe(404)
    expect((await send('/a/AAAAAAAAAAAAAAAAAAAAAA/cancel', {})).status).toBe(404)
  })

  it('200 for a seat with nothing of the others', async () => {
    const yoga = await shop.service({ name: 'Yoga', enableGroupBooking: true, maxCapacity: 5 })
    const start = nextStart()
    const seat = async (name: string, persons: number) => {
      const body = bookingBy(yoga, start, { persons, customer: { name, email: newEmail() } })
      return String((await clocked(anyone).post(BOOK, body, someAddress())).body.uid)
    }
    await seat('Otto Other', 1)
    const { text } = await see(`/a/${await seat('Mia', 2)}`)
    expect(text).toContain('2 seats')
    expect(text).not.toContain('Otto')
    expect(text).not.toContain('/move')
  })
})

describe('GET /a/{uid}/calendar.ics', () => {
  const entryOf = (text: string) => {
    const calendar = new ICAL.Component(ICAL.parse(text))
    const event = calendar.getFirstSubcomponent('vevent')!
    return {
      method: calendar.getFirstPropertyValue('method'),
      status: event.getFirstPropertyValue('status'),
      ...{ uid: new ICAL.Event(event).uid, sequence: new ICAL.Event(event).sequence },
    }
  }

  it('200 with the entry; after canceling the same one as canceled, its sequence higher', async () => {
    const { uid, page } = await book()
    const reply = await see(`${page}/calendar.ics`)
    expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const sequence = Number((await find(uid)).version)
    expect(entryOf(reply.text)).toEqual({ method: 'PUBLISH', status: 'CONFIRMED', uid, sequence })
    await send(`${page}/cancel`, {})
    const after = await see(`${page}/calendar.ics`)
    const canceled = { method: 'CANCEL', status: 'CANCELLED', uid, sequence: sequence + 1 }
    expect(entryOf(after.text)).toEqual(canceled)
  })
})

describe('POST /a/{uid}/cancel', () => {
  it('303 to the page; the time is free, the event and the e-mail are out', async () => {
    const { uid, page, start, email } = await book()
    const reply = await send(`${page}/cancel`, { reason: 'Ill <today>' })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, page])
    const record = await find(uid)
    expect(record).toMatchObject({
      status: 'canceled',
      cancelledBy: 'customer',
      cancellationReason: 'Ill <today>',
    })
    expect(await eventsOf(shop.accountId, record.id)).toEqual(['CREATED', 'CANCELLED'])
    const { text } = await see(page)
    expect(text).toContain('This booking was canceled')
    expect(text).not.toContain('<dt>Price</dt>')
    expect(text).toContain('Ill &lt;today&gt;')
    expect(text).not.toContain('<form')
    await expect.poll(() => readMessages({ to: email }), { timeout: 5000 }).toHaveLength(2)
    expect((await readMessages({ to: email }))[0]?.subject).toMatch(/^Canceled/)
    const again = await clocked(anyone).post(BOOK, bookingBy(shop.serviceId, start), someAddress())
    expect(again.status).toBe(201)
  })

  it('200 for JSON with what became of it', async () => {
    const { uid, page } = await book()
    const reply = await clocked(anyone).post(`${page}/cancel`, { reason: 'No' }, somebody())
    expect([reply.status, reply.body.data]).toEqual([200, { uid, status: 'canceled' }])
  })

  it('409 when it is canceled already, with one event', async () => {
    const { uid, page } = await book()
    const replies = await Promise.all([1, 2, 3].map(() => send(`${page}/cancel`, {})))
    expect(replies.map(r => r.status).toSorted()).toEqual([303, 409, 409])
    const { id } = await find(uid)
    expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'CANCELLED'])
    expect((await send(`${page}/cancel`, {})).text).toContain('This booking was canceled')
  })

  it('409 within the window of the business, kindly and with whom to ask; 303 at its edge', async () => {
    await policy({ cancellationWindowMinutes: 1440 })
    try {
      const { uid, page, start } = await book()
      const late = minutesAfter(start, -1439)
      const reply = await send(`${page}/cancel`, {}, late)
      expect(reply.status).toBe(409)
      expect(reply.text).toContain('until 1 day before')
      expect(reply.text).toContain('call +15550100')
      const shown = await see(page, late)
      expect(shown.text).not.toContain(`action="${page}/cancel"`)
      expect((await find(uid)).status).toBe('approved')
      expect((await send(`${page}/cancel`, {}, minutesAfter(start, -1440))).status).toBe(303)
    } finally {
      await policy({ cancellationWindowMinutes: 0 })
    }
  })

  it('409 when it has begun', async () => {
    const { page, start } = await book()
    expect((await send(`${page}/cancel`, {}, start)).status).toBe(409)
  })

  it('303 for a seat, which frees it for the next', async () => {
    const yoga = await shop.service({ name: 'Duo', enableGroupBooking: true, maxCapacity: 2 })
    const start = nextStart()
    const take = () => clocked(anyone).post(BOOK, bookingBy(yoga, start), someAddress())
    const first = await take()
    expect((await take()).status).toBe(201)
    expect((await take()).status).toBe(409)
    expect((await send(`/a/${first.body.uid}/cancel`, {})).status).toBe(303)
    expect((await take()).status).toBe(201)
  })

  it('403 from another site, 422 for a reason that is too long', async () => {
    const { uid, page } = await book()
    const evil = { origin: 'https://evil.example', ...clock() }
    expect((await sendForm(`${page}/cancel`, {}, evil)).status).toBe(403)
    const long = await send(`${page}/cancel`, { reason: 'x'.repeat(1001) })
    expect(long.status).toBe(422)
    expect(long.text).toContain('id="reason-fault"')
    expect((await find(uid)).status).toBe('approved')
  })
})

describe('/a/{uid}/move', () => {
  it('200 lists the other starts of that day, without the present one', async () => {
    const { page, start } = await book()
    expect((await see(page)).text).toContain(`${page}/move`)
    const { status, text } = await see(`${page}/move?day=${start.slice(0, 10)}`)
    expect(status).toBe(200)
    const starts = [...text.matchAll(/move\?start=([^"]+)"/g)].map(m => decodeURIComponent(m[1]!))
    // A start within the booking's own time: as if it did not exist itself.
    expect(starts).toContain(minutesAfter(start, 15))
    expect(starts).not.toContain(start)
  })

  it('303 moves it, and tells of it once', async () => {
    const { uid, page, start, email } = await book()
    const to = minutesAfter(start, 15)
    const asked = await see(`${page}/move?start=${to}`)
    expect(asked.text).toContain(`name="start" value="${to}"`)
    const reply = await send(`${page}/move`, { start: to })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, page])
    expect(decodeURIComponent(cookieOf(reply.headers))).toContain('It is moved')
    const record = await find(uid)
    expect(record).toMatchObject({ startTime: to, endTime: minutesAfter(to, 60) })
    expect(await eventsOf(shop.accountId, record.id)).toEqual(['CREATED', 'UPDATED'])
    await expect.poll(() => readMessages({ to: email }), { timeout: 5000 }).toHaveLength(2)
    expect((await readMessages({ to: email }))[0]?.subject).toMatch(/^Changed/)
  })

  it('409 for a time that is taken or not offered, and nothing changes', async () => {
    const taken = await book()
    const { uid, page, start } = await book()
    for (const to of [taken.start, minutesAfter(start, 7), start]) {
      const reply = await send(`${page}/move`, { start: to })
      expect(reply.status).toBe(409)
      expect(reply.text).toContain('This time is not available')
    }
    expect((await find(uid)).startTime).toBe(start)
  })

  it('409 for a time at which the customer is somewhere else', async () => {
    const other = await shop.employee()
    const email = newEmail()
    await book({ employeeId: shop.employeeId }, shop.serviceId, email)
    const busy = minutesAfter(at('00:00'), 120 * (hour - 1))
    const { page } = await book({ employeeId: other }, shop.serviceId, email)
    expect((await send(`${page}/move`, { start: busy })).status).toBe(409)
  })

  it('409 when the business does not let customers move, and no link', async () => {
    const { page, start } = await book()
    await policy({ allowCustomerReschedule: false })
    try {
      expect((await see(page)).text).not.toContain(`${page}/move`)
      expect((await see(`${page}/move`)).status).toBe(409)
      const reply = await send(`${page}/move`, { start: minutesAfter(start, 15) })
      expect(reply.status).toBe(409)
      // What can still be done with it stands there, folded away.
      expect(reply.text).toContain('cannot be moved here')
      expect(reply.text).toContain(`action="${page}/cancel"`)
      expect(reply.text).not.toContain('<details class="fold" open')
    } finally {
      await policy({ allowCustomerReschedule: true })
    }
  })

  it('409 for one that was canceled, with its page', async () => {
    const { page, start } = await book()
    await send(`${page}/cancel`, {})
    const replies = [await see(`${page}/move`), await send(`${page}/move`, { start })]
    for (const { status, text } of replies) {
      expect(status).toBe(409)
      expect(text).toContain('This booking was canceled')
      expect(text).toContain('cannot be moved here')
      expect(text).toContain('Book something else')
    }
  })
})
