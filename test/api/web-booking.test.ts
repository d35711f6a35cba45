import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyone, HTML, newEmail, own, sendForm, somebody } from '../browser.ts'
import { readMessages, roomInMinute } from '../platform.ts'
import { at, closeRows, DAY, minutesAfter, NOW, openShop, type Shop } from './appointments/shop.ts'

let shop: Shop
let page = ''
const clock = (now = NOW) => ({ 'x-test-now': now })
const see = (path: string, now = NOW) => anyone.get(path, { ...HTML, ...somebody(), ...clock(now) })
const send = (path: string, fields: Record<string, string>) =>
  sendForm(`${path}/book`, fields, { ...own(), ...clock() })
/** What somebody types. */
const typed = (start: string, more: object = {}) => ({
  start,
  name: 'Vera',
  email: newEmail(),
  ...more,
})
/** The starts that a page links to. */
const startsOf = (text: string) =>
  [...text.matchAll(/book\?[^"]*?start=([^"&]+)/g)].map(m => decodeURIComponent(m[1]!))
const dayPage = (more = '') => see(`${page}?day=${DAY}${more}`)

/** The path of a service by its name. */
const pathOf = (name: string) => `/b/${shop.subdomain}/${name.toLowerCase()}`

beforeAll(async () => {
  shop = await openShop({ timeZone: 'America/New_York', service: { name: 'Trim', price: 4500 } })
  page = pathOf('Trim')
})
afterAll(closeRows)

describe('GET /b/{subdomain}', () => {
  it('200 with the services by category, their price and length; not those switched off', async () => {
    const categoryId = await shop.id('categories', { name: 'Hands & feet' })
    await shop.service({ name: 'Manicure <new>', categoryId, duration: 90, price: 0 })
    await shop.service({ name: 'Gone', active: false })
    const { status, text } = await see(`/b/${shop.subdomain}`)
    expect(status).toBe(200)
    expect(text).toMatch(/<h2>Hands &amp; feet<\/h2>.*Manicure &lt;new&gt;.*1 h 30 min.*Free/)
    expect(text).toContain(`href="${page}"`)
    expect(text).toContain('$45.00')
    expect(text).not.toContain('Gone')
    expect(text).not.toContain('noindex')
  })

  it('200 whatever the case, 404 for a business or service that is not there', async () => {
    expect((await see(`/b/${shop.subdomain.toUpperCase()}`)).status).toBe(200)
    expect((await see('/b/nobody-has-this')).status).toBe(404)
    expect((await see(`/b/${shop.subdomain}/nothing`)).status).toBe(404)
    expect((await see(pathOf('Gone'))).status).toBe(404)
  })

  it('404 for a service of another business', async () => {
    const other = await openShop({ service: { name: 'Theirs' } })
    expect((await see(`/b/${other.subdomain}/theirs`)).status).toBe(200)
    expect((await see(pathOf('Theirs'))).status).toBe(404)
    const booked = await send(pathOf('Theirs'), typed(at('15:00')))
    expect(booked.status).toBe(404)
  })
})

describe('GET /b/{subdomain}/{service}', () => {
  it('200 with the same starts as the API offers, in the zone of the business', async () => {
    const { text, status } = await dayPage()
    expect(status).toBe(200)
    const query = `serviceId=${shop.serviceId}&date=${DAY}&timeZone=America/New_York`
    const api = await shop.client.get(`/api/services/availability?${query}`)
    const slots = api.body.data?.slots?.[DAY] as unknown as { startTime: string }[]
    expect(slots?.length).toBeGreaterThan(50)
    expect(startsOf(text)).toEqual(slots.map(s => s.startTime))
    expect(text).toContain('Wednesday, March 20')
    expect(text).toContain('aria-current="date"')
  })

  it('200 with the days and times of the zone that was chosen', async () => {
    const { text } = await dayPage('&zone=Asia/Tokyo')
    expect(startsOf(text)[0]).toBe('2030-03-19T15:00:00.000Z')
    expect(text).toContain('Times in Asia/Tokyo')
  })

  it('200 with the times of one employee alone', async () => {
    const late = { day: 3, intervals: [{ start: '22:00', end: '23:30' }] }
    const id = await shop.employee({ serviceIds: [shop.serviceId] }, [late])
    const { text } = await dayPage(`&employee=${id}`)
    const expected = ['22:00', '22:15', '22:30'].map(t => at(t))
    expect(startsOf(text)).toEqual(expected)
    expect(text).toContain(`<option value="${id}" selected`)
    // What does not fit counts as not chosen.
    expect(startsOf((await dayPage('&employee=2147483647')).text).length).toBeGreaterThan(50)
    expect((await dayPage('&employee=x&zone=No/Where&location=-1&month=13')).status).toBe(200)
  })

  it('200 with the times at each place', async () => {
    const [east, west] = await Promise.all(
      ['America/New_York', 'America/Los_Angeles'].map((timeZone, i) =>
        shop.id('locations', {
          name: `Place ${i}`,
          timeZone,
          openingHours: [{ day: 3, intervals: [{ start: '09:00', end: '10:15' }] }],
        }),
      ),
    )
    const name = `Two${shop.accountId}`
    await shop.service({ name })
    const times = async (location: number) =>
      startsOf((await see(`${pathOf(name)}?day=${DAY}&location=${location}`)).text)
    expect(await times(east!)).toEqual([at('13:00'), at('13:15')])
    expect(await times(west!)).toEqual([at('16:00'), at('16:15')])
    for (const id of [east, west]) await shop.client.del(`/api/services/locations?id=${id}`)
  })

  it('200 with the next month when nothing is left in this', async () => {
    const before = await see(page, '2030-05-01T03:44:00.000Z')
    expect(before.text).toContain('<h2 id="month">April 2030</h2>')
    const after = await see(page, '2030-05-01T03:46:00.000Z')
    expect(after.text).toContain('<h2 id="month">May 2030</h2>')
    expect(after.text).toContain('aria-label="June 2030"')
  })
})

describe('GET /b/{subdomain}/{service}/book', () => {
  it('200 with a form for a start that is offered; 409 with the others for one that is not', async () => {
    const form = await see(`${page}/book?start=${at('15:00')}`)
    expect(form.status).toBe(200)
    expect(form.text).toContain('11:00 AM')
    expect(form.text).toContain(`name="start" value="${at('15:00')}"`)
    const gone = await see(`${page}/book?start=${at('15:07')}`)
    expect(gone.status).toBe(409)
    expect(startsOf(gone.text)).toContain(at('15:15'))
    expect(gone.text).not.toContain('name="email"')
  })

  it('303 to the times when no start was chosen', async () => {
    const reply = await see(`${page}/book?start=soon`)
    expect([reply.status, reply.headers.get('location')]).toEqual([303, page])
  })
})

describe('POST /b/{subdomain}/{service}/book', () => {
  it('303 to the customer’s page of what was booked', async () => {
    const email = newEmail()
    const more = { email, notes: 'By the window', zone: 'Europe/Paris', phone: '+1 555 010 0000' }
    const reply = await send(page, typed(at('00:00'), more))
    expect(reply.status, reply.text).toBe(303)
    const next = String(reply.headers.get('location'))
    expect(next).toMatch(/^\/a\/[\w-]{22}$/)
    const shown = await see(next)
    expect(shown.text).toContain('Your booking is confirmed')
    expect(shown.text).toContain('Central European Standard Time')
    const { items } = await shop.client.get('/api/services/appointments?limit=1&sort=-createdAt')
    expect(items[0]).toMatchObject({ notes: 'By the window', customer: { email } })
  })

  it('303 to the same page for a second press of one showing of the form', async () => {
    const start = at('01:00')
    const { text } = await see(`${page}/book?start=${start}`)
    const once = /name="\.once" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const fields = typed(start, { '.once': once })
    const places = await Promise.all([1, 2].map(() => send(page, fields)))
    expect(places.map(p => p.status)).toEqual([303, 303])
    expect(new Set(places.map(p => p.headers.get('location'))).size).toBe(1)
    expect((await send(page, typed(start))).status).toBe(409)
  })

  it('303 to a page that says to check the e-mail when bookings are to be confirmed', async () => {
    const policy = (autoConfirm: boolean) =>
      shop.client.patch('/api/services/company-settings', { bookingPolicy: { autoConfirm } })
    await policy(false)
    const email = newEmail()
    const reply = await send(page, typed(at('02:00'), { email }))
    await policy(true)
    const shown = await see(String(reply.headers.get('location')))
    expect(shown.text).toContain('Check your e-mail')
    await expect.poll(() => readMessages({ to: email }), { timeout: 5000 }).toHaveLength(1)
    const link = /\/confirm\?token=\S+/.exec(
      (await readMessages({ to: email }))[0]?.text ?? '',
    )?.[0]
    expect((await see(link!)).text).toContain('Confirm your booking')
  })

  it('422 with each fault beside its field, and what was typed', async () => {
    const reply = await send(page, typed(at('15:00'), { name: '', email: 'nope', phone: 'x' }))
    expect(reply.status).toBe(422)
    for (const field of ['name', 'email', 'phone'])
      expect(reply.text).toContain(`id="${field}-fault"`)
    expect(reply.text).toContain('value="nope"')
    expect(reply.text).toContain(`name="start" value="${at('15:00')}"`)
  })

  it('409 with the other starts of the day when somebody was faster; one of two wins', async () => {
    const start = at('04:00')
    const one = { employee: String(shop.employeeId) }
    const replies = await Promise.all([1, 2, 3].map(() => send(page, typed(start, one))))
    expect(replies.map(r => r.status).toSorted()).toEqual([303, 409, 409])
    const { text } = replies.find(r => r.status === 409)!
    expect(text).toContain('role="alert"')
    const others = startsOf(text)
    expect(others).toContain(minutesAfter(start, 60))
    expect(others).not.toContain(start)
    expect(text).toContain(`employee=${shop.employeeId}`)
  })

  it('409 for a customer who is somewhere else then, with what was typed', async () => {
    const email = newEmail()
    const name = `Other${shop.accountId}`
    await shop.service({ name })
    await shop.employee()
    expect((await send(page, typed(at('06:00'), { email }))).status).toBe(303)
    const reply = await send(pathOf(name), typed(at('06:00'), { email, notes: 'Still here' }))
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('You have an appointment at this time')
    expect(reply.text).toContain('Still here')
  })

  it('303 for seats, and fewer are left; 422 for more than there are', async () => {
    const name = `Yoga${shop.accountId}`
    const seats = { name, enableGroupBooking: true, maxCapacity: 5 }
    await shop.service(seats)
    const path = pathOf(name)
    const start = at('08:00')
    const by = { employee: String(shop.employeeId) }
    expect((await see(`${path}?day=${DAY}`)).text).toContain('5 seats left')
    expect((await send(path, typed(start, { ...by, persons: '3' }))).status).toBe(303)
    const form = await see(`${path}/book?start=${start}&employee=${by.employee}`)
    expect(form.text.match(/<option/g)).toHaveLength(2)
    const many = await send(path, typed(start, { ...by, persons: '6' }))
    expect([many.status, many.text.includes('id="persons-fault"')]).toEqual([422, true])
    expect((await send(path, typed(start, { ...by, persons: '3' }))).status).toBe(409)
    expect((await send(path, typed(start, { ...by, persons: '2' }))).status).toBe(303)
  })

  it('403 for a form of another site', async () => {
    const evil = { origin: 'https://evil.example', ...clock() }
    expect((await sendForm(`${page}/book`, typed(at('15:00')), evil)).status).toBe(403)
  })

  it('429 at the 31st try a minute for one service', async () => {
    await roomInMinute()
    // All tries must fall into one window of the clock.
    if (Date.now() % 60_000 > 50_000) await sleep(60_001 - (Date.now() % 60_000))
    const from = { ...own(), ...somebody(), ...clock() }
    const attempt = () => sendForm(`${page}/book`, typed(at('15:07')), from)
    const statuses: number[] = []
    for (let n = 0; n < 31; n++) statuses.push((await attempt()).status)
    expect(statuses).toEqual([...Array(30).fill(409), 429])
  })
})
