import { describe, expect, it } from 'vitest'
import { PAGES } from '#dev/api-document.ts'
import { isReserved } from '#lib/domain/accounts/names.ts'
import { anyone, HTML, own, somebody } from '../browser.ts'
import { bookingsOf, pageOf, startsIn, typed } from '../calendar/event-pages.ts'
import { AT, booked } from '../calendar/mail.ts'
import { see, send } from '../calendar/own-pages.ts'
import { createCalendar, setEventType, setHosts } from '../calendar/world.ts'
import { queryDatabase } from '../database.ts'
import { readRoutes } from '../routes.ts'

describe('GET /{username}', () => {
  it('200 with the event types that are not hidden, each with its page', async () => {
    const calendar = await createCalendar({ description: 'About <this>' })
    const { accountId, userId, username } = calendar.account
    await queryDatabase(
      `insert into event_types (account_id, user_id, title, slug, length, hidden, price, created_at,
        updated_at) values ($1, $2, 'Secret', 'secret', 15, true, 0, now(), now()),
        ($1, $2, 'Paid <one>', 'paid', 60, false, 4500, now(), now())`,
      [accountId, userId],
    )
    const { status, text } = await see(`/${username.toUpperCase()}`)
    expect(status).toBe(200)
    expect(text).toContain('<h1>Olive Owner</h1>')
    expect(text).toContain(`href="/${username}/30min"`)
    expect(text).toContain('About &lt;this&gt;')
    expect(text).toContain('Paid &lt;one&gt;')
    expect(text).toContain('$45.00')
    expect(text).not.toContain('Secret')
    expect(text).not.toContain(calendar.account.email)
    // Who has the address of a hidden one may book it.
    expect((await see(`/${username}/secret`)).status).toBe(200)
  })

  it('404 for nobody, and for what is not theirs', async () => {
    const { account } = await createCalendar()
    const paths = ['/nobody-at-all', `/${account.username}/nothing`, '/team/nobody/nothing']
    for (const path of paths) expect((await see(path)).status, path).toBe(404)
  })

  it('404 as for any unknown path below a path of ours', async () => {
    for (const path of ['/api/nothing', '/assets/x/book', '/docs/nothing', '/e']) {
      const { status, body } = await anyone.get(path, somebody())
      expect([status, body.message], path).toEqual([404, 'No such route'])
    }
  })

  it('no path of ours can be a username', async () => {
    const firsts = (await readRoutes())
      .filter(({ fn }) => PAGES.has(fn))
      .map(({ path }) => path.split('/')[1]!)
      .filter(segment => segment !== '' && !segment.startsWith(':'))
    expect([...new Set(firsts)].filter(segment => !isReserved(segment))).toEqual([])
  })
})

describe('GET /{username}/{slug}', () => {
  it('200 with the days and starts in the visitor’s zone', async () => {
    const calendar = await createCalendar()
    const page = pageOf(calendar)
    const { status, text } = await see(`${page}?zone=Europe/Berlin&day=2027-03-03`)
    expect(status).toBe(200)
    expect(text).toContain('Times in Europe/Berlin')
    expect(startsIn(text)).toContain(AT)
    expect(text).toContain('4:00 PM')
    expect(text).toContain(`${page}/book?zone=Europe%2FBerlin&amp;start=`)
    const tokyo = await see(`${page}?zone=Asia/Tokyo&day=2027-03-04`)
    expect(startsIn(tokyo.text)).toContain(AT)
    expect(tokyo.text).toContain('12:00 AM')
  })

  it('200 without a taken start, and with the next month where this one is full', async () => {
    const calendar = await createCalendar()
    await booked(calendar)
    const page = `${pageOf(calendar)}?zone=UTC&day=2027-03-03`
    expect(startsIn((await see(page)).text)).not.toContain(AT)
    const late = await see(`${pageOf(calendar)}?zone=UTC`, '2027-03-31T22:00:00.000Z')
    expect(late.text).toContain('April 2027')
  })

  it('200 by the length that was chosen; one that there is not counts as not chosen', async () => {
    const calendar = await createCalendar({ length_options: '[60,15]' })
    const at = (length: string) =>
      see(`${pageOf(calendar)}?zone=UTC&day=2027-03-03&length=${length}`)
    const hour = await at('60')
    expect(hour.text.match(/<option value="(\d+)"[^>]*>/g)).toHaveLength(3)
    expect(hour.text).toContain('<option value="60" selected')
    expect(hour.text).toContain('length=60&amp;zone=UTC&amp;start=')
    expect(startsIn(hour.text)).not.toContain('2027-03-03T21:30:00.000Z')
    expect(startsIn((await at('45')).text)).toContain('2027-03-03T21:30:00.000Z')
  })

  it('200 with seats that are left, unless the event type hides their number', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    await booked(calendar)
    const page = `${pageOf(calendar)}?zone=UTC&day=2027-03-03`
    expect((await see(page)).text).toContain('2 seats left')
    await setEventType(calendar.eventTypeId, { seats_show_availability_count: false })
    const { text } = await see(page)
    expect(text).not.toContain('seats left')
    expect(startsIn(text)).toContain(AT)
  })

  it('200 for what cannot be read, as if it were not said', async () => {
    const calendar = await createCalendar()
    const { status } = await see(`${pageOf(calendar)}?zone=Mars&day=soon&month=13&length=x&start=y`)
    expect(status).toBe(200)
  })
})

describe('/team/{subdomain}/{team}', () => {
  it('200 lists and books what a team offers, with whoever’s turn it is', async () => {
    const calendar = await createCalendar()
    const { userId, subdomain } = calendar.account
    await setHosts(calendar, 'roundRobin', [userId])
    const team = `/team/${subdomain}/team`
    const list = await see(team.replace(subdomain, subdomain.toUpperCase()))
    expect(list.text).toContain('<h1>Team</h1>')
    expect(list.text).toContain(`href="${team}/30min"`)
    const { text } = await see(`${team}/30min?zone=UTC&day=2027-03-03`)
    expect(startsIn(text)).toContain(AT)
    expect(text).toContain(`<a href="${team}">‹ Team</a>`)
    const reply = await send(`${team}/30min/book`, typed())
    expect(reply.status).toBe(303)
    expect((await bookingsOf(calendar))[0]).toMatchObject({ user_id: userId })
    expect((await see(`/${calendar.account.username}/30min`)).status).toBe(404)
  })

  it('is where the addresses that are handed out lead', async () => {
    const calendar = await createCalendar()
    await setHosts(calendar, 'roundRobin', [calendar.account.userId])
    const { items } = await calendar.account.client.get('/api/extension/event-types')
    const { pathname } = new URL(String(items[0]!.bookingUrl))
    expect((await anyone.get(pathname, { ...HTML, ...own(), ...somebody() })).status).toBe(200)
  })
})
