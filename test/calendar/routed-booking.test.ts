import { describe, expect, it } from 'vitest'
import { createRoutingForm, listFormResponses } from '#lib/domain/routing-forms/operations.ts'
import { NewRoutingForm, ResponseFilter } from '#lib/domain/routing-forms/schema.ts'
import { sendForm } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { type Actor, as } from './actors.ts'
import { bookingsOf, startsIn, typed } from './event-pages.ts'
import { AT, booked, newNumber, plus } from './mail.ts'
import { see, send } from './own-pages.ts'
import {
  bodyOf,
  book,
  type Calendar,
  createCalendar,
  eventsOf,
  setHosts,
  usersOf,
} from './world.ts'

const ownerOf = ({ account }: Calendar): Actor => ({ ...account, role: 'owner' })

/** A form that leads to the calendar's event type, with the uid of an answer to it. */
async function routed(calendar: Calendar) {
  const owner = ownerOf(calendar)
  const form = await as(owner, createRoutingForm, NewRoutingForm, {
    name: 'Ask',
    fields: [{ label: 'Topic', identifier: 'topic', type: 'text' }],
    routes: [
      {
        isFallback: true,
        action: { type: 'eventTypeRedirectUrl', eventTypeId: calendar.eventTypeId },
      },
    ],
  })
  const answered = await sendForm(`/forms/${owner.subdomain}/ask`, { topic: 'X' })
  expect(answered.status).toBe(303)
  const to = new URL(answered.headers.get('location')!)
  const read = async () => {
    const list = await as(owner, listFormResponses, ResponseFilter, {
      formId: String(form.body.id),
    })
    return list.items.map(r => r.routedToBookingUid)
  }
  return { path: to.pathname + to.search, uid: to.searchParams.get('routingFormResponse')!, read }
}

describe('a booking page that a routing form led to', () => {
  it('notes the booking of somebody without an e-mail address as well', async () => {
    const calendar = await createCalendar()
    const { path, uid, read } = await routed(calendar)
    const phone = newNumber()
    const fields = { ...typed({ routingFormResponse: uid }), email: '', phone }
    const reply = await send(`${path.split('?')[0]}/book`, fields)
    expect(reply.status).toBe(303)
    const [row] = await bookingsOf(calendar)
    expect(row).toMatchObject({ responses: { attendeePhoneNumber: phone } })
    expect(await read()).toEqual([row!.uid])
  })

  it('keeps the answer on the way, and notes the booking with it', async () => {
    const calendar = await createCalendar()
    const { path, uid, read } = await routed(calendar)
    const chosen = await see(`${path}&zone=UTC&day=2027-03-03`)
    expect(chosen.status).toBe(200)
    expect(startsIn(chosen.text)).toContain(AT)
    expect(chosen.text).toContain(`routingFormResponse=${uid}&amp;start=`)
    const page = path.split('?')[0]!
    const form = await see(`${page}/book?zone=UTC&routingFormResponse=${uid}&start=${AT}`)
    expect(form.text).toContain(`name="routingFormResponse" value="${uid}"`)
    expect(await read()).toEqual([null])
    const reply = await send(`${page}/book`, typed({ routingFormResponse: uid }))
    const booking = /^\/e\/([\w-]+)$/.exec(reply.headers.get('location')!)![1]
    expect(await read()).toEqual([booking])
    // Whoever books again has not been led there again.
    await send(`${page}/book`, typed({ routingFormResponse: uid, start: plus(AT, 60) }))
    expect(await read()).toEqual([booking])
  })
})

describe('a booking page that names hosts', () => {
  /** An event type of a team whose hosts take turns; the second of them, who is never first. */
  async function team() {
    const calendar = await createCalendar()
    const [first, second] = (await usersOf(calendar)) as [number, number]
    await setHosts(calendar, 'roundRobin', [first, second])
    const { subdomain } = calendar.account
    const [row] = await queryDatabase<{ email: string }>('select email from users where id = $1', [
      second,
    ])
    return { calendar, page: `/team/${subdomain}/team/30min`, first, second, email: row!.email }
  }
  const hostsOf = async (calendar: Calendar) =>
    (await bookingsOf(calendar)).map(b => b.user_id).toSorted()

  it('lists their times alone, and books them', async () => {
    const { calendar, page, second, email } = await team()
    const day = 'zone=UTC&day=2027-03-03'
    await book(bodyOf(calendar.eventTypeId, AT, 'Ann', { routedTeamMemberIds: [second] }))
    expect(startsIn((await see(`${page}?${day}`)).text)).toContain(AT)
    const theirs = await see(`${page}?${day}&routedTeamMemberIds=${second}`)
    expect(startsIn(theirs.text)).not.toContain(AT)
    expect(theirs.text).toContain(`routedTeamMemberIds=${second}&amp;start=`)
    expect(theirs.text).toContain(`name="routedTeamMemberIds" value="${second}"`)
    const form = await see(`${page}/book?zone=UTC&teamMemberEmail=${email}&start=${plus(AT, 30)}`)
    expect(form.text).toContain(`name="teamMemberEmail" value="${email}"`)
    for (const [at, named] of [
      [30, { teamMemberEmail: email }],
      [60, { teamMemberEmail: email }],
      [90, { routedTeamMemberIds: String(second) }],
    ] as const) {
      const reply = await send(`${page}/book`, typed({ start: plus(AT, at), ...named }))
      expect(reply.status, reply.text).toBe(303)
    }
    expect(await hostsOf(calendar)).toEqual([second, second, second, second])
    const taken = await send(`${page}/book`, typed({ teamMemberEmail: email }))
    expect(taken.status).toBe(409)
    expect(taken.text).not.toContain('_error')
  })

  it('404 for somebody who hosts nothing there', async () => {
    const { page } = await team()
    expect((await see(`${page}?teamMemberEmail=nobody@example.com`)).status).toBe(404)
    const reply = await send(`${page}/book`, typed({ teamMemberEmail: 'nobody@example.com' }))
    expect(reply.status).toBe(404)
  })

  it('is led to by a routing form that was asked for by them', async () => {
    const { calendar, email } = await team()
    await routed(calendar)
    const form = `/forms/${calendar.account.subdomain}/ask?teamMemberEmail=${encodeURIComponent(email)}`
    expect((await see(form)).text).toContain(`action="${form}"`)
    const to = new URL((await sendForm(form, { topic: 'X' })).headers.get('location')!)
    expect(to.searchParams.get('teamMemberEmail')).toBe(email)
    expect(to.searchParams.get('routingFormResponse')).toMatch(/./)
  })
})

describe('POST /api/book/event', () => {
  it('201 notes the booking, or the one that a seat is in, with the answer that led to it', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const { uid } = await booked(calendar)
    const way = await routed(calendar)
    const seat = await booked(calendar, { routingFormResponse: way.uid })
    expect(seat.uid).toBe(uid)
    expect(await way.read()).toEqual([uid])
  })

  it('404 for an answer that there is not, or that is another account’s; nothing is booked', async () => {
    const calendar = await createCalendar()
    const other = await routed(await createCalendar())
    for (const routingFormResponse of ['nothing', other.uid]) {
      const body = bodyOf(calendar.eventTypeId, AT, 'Zoe', { routingFormResponse })
      const { status, body: answer } = await book(body)
      expect([status, answer.message]).toEqual([404, 'Form response does not exist'])
    }
    expect(await eventsOf(calendar)).toEqual([])
    expect(await other.read()).toEqual([null])
  })

  it('409 leaves the answer without a booking', async () => {
    const calendar = await createCalendar()
    await booked(calendar)
    const { uid, read } = await routed(calendar)
    const taken = bodyOf(calendar.eventTypeId, AT, 'Zoe', { routingFormResponse: uid })
    expect((await book(taken)).status).toBe(409)
    expect(await read()).toEqual([null])
  })
})
