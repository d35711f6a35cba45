import { beforeAll, expect, it } from 'vitest'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { DAY, HOUR, iso, openPlace, type Place } from './world.ts'

let platform: OwnPlatform
let place: Place
beforeAll(async () => {
  platform = await emptyOwnPlatform()
  place = await openPlace(platform)
})

const linkIn = (text: string | null | undefined) =>
  /https?:\/\/\S+\?token=\S+/.exec(text ?? '')?.[0]
const post = (link: string, body: Record<string, string>, at: number) => {
  const { origin, pathname, searchParams } = new URL(link)
  return fetch(`${origin}${pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'x-test-now': iso(at) },
    body: new URLSearchParams({ token: searchParams.get('token') ?? '', ...body }),
  })
}
const page = async (link: string, at: number) => {
  const answer = await fetch(link, { headers: { 'x-test-now': iso(at) } })
  return { status: answer.status, text: await answer.text() }
}

/** Two who booked one meeting, and the links that were sent when it was over. */
async function held() {
  const early = place.start - 20 * DAY
  const guest = `g${crypto.randomUUID()}@example.com`
  await place.workflow(early, {
    trigger: { type: 'afterEvent', offset: { value: 1, unit: 'hour' } },
    activation: { isActiveOnAllEventTypes: true },
    steps: [
      { action: 'email_attendee', template: 'rating' },
      { action: 'email_attendee', template: 'custom', message: { text: 'Alone? {no_show_url}' } },
      { action: 'email_host', template: 'custom', message: { text: 'Who? {no_show_url}' } },
    ],
  })
  const booked = await place.book(early, { responses: { guests: [guest] } })
  const over = booked.start + 2 * HOUR
  await place.tick(over)
  const rating = place.sent(booked.email).findLast(m => m.subject?.startsWith('How was'))
  const host = place.sent(place.account.email).findLast(m => m.text?.startsWith('Who?'))
  const alone = place.sent(booked.email).findLast(m => m.text?.startsWith('Alone?'))
  const links = { rate: linkIn(rating?.text)!, noShow: linkIn(host?.text)! }
  return { ...booked, guest, over, ...links, hostNoShow: linkIn(alone?.text)! }
}

it('links of messages lead to pages that rate a meeting, and note who did not come', async () => {
  const { id, email, guest, over, rate, noShow, start } = await held()
  expect(await page(rate, over)).toMatchObject({
    status: 200,
    text: expect.stringContaining('How was it?'),
  })
  const row = async () =>
    (await place.sql('select rating, rating_feedback as said from bookings where id = $1', [id]))[0]
  expect(await row()).toEqual({ rating: null, said: null })
  expect((await post(rate, { rating: '6' }, over)).status).toBe(422)
  expect((await post(rate, { rating: '4', feedback: 'Fine' }, start - HOUR)).status).toBe(409)
  expect(await row()).toEqual({ rating: null, said: null })
  expect((await post(rate, { rating: '4', feedback: 'Fine' }, over)).status).toBe(303)
  expect(await row()).toEqual({ rating: 4, said: 'Fine' })
  expect((await page(rate, over)).text).toContain('Thank you')

  const flags = async () =>
    place.sql(
      'select email, no_show as off from booking_attendees where booking_id = $1 order by id',
      [id],
    )
  const shown = (await page(noShow, over)).text
  expect(shown).toContain(guest)
  const guestId = /name="absent\.1" value="(\d+)"/.exec(shown)?.[1] ?? ''
  expect((await post(noShow, { 'absent.1': guestId }, over)).status).toBe(303)
  expect(await flags()).toEqual([
    { email, off: false },
    { email: guest, off: true },
  ])
  expect((await page(noShow, over)).text).toContain('This is noted')
  expect((await post(noShow, {}, over)).status).toBe(303)
  expect((await flags()).map(f => f.off)).toEqual([false, false])
  expect((await post(noShow, { 'absent.0': '2147483647' }, over)).status).toBe(404)
})

it('404 for a link that is forged, meant for something else, or has ended', async () => {
  const { uid, over, rate, noShow } = await held()
  const swapped = rate.replace('/rate?', '/no-show?')
  const other = noShow.replace(uid, 'somethingElse')
  for (const link of [swapped, other, rate.replace('token=', 'token=x')])
    expect((await page(link, over)).status).toBe(404)
  expect((await post(swapped, {}, over)).status).toBe(404)
  expect((await page(rate, over + 61 * DAY)).status).toBe(404)
})

it('a link of an attendee notes that the host did not come, and opens nothing else', async () => {
  const { id, over, start, hostNoShow, noShow } = await held()
  const state = async () =>
    place.sql(
      `select no_show_host as off, (select count(*)::int from events where subject_id = $1
        and type = 'BOOKING_NO_SHOW_UPDATED') as told from bookings where id = $1`,
      [id],
    )
  expect(await page(hostNoShow, over)).toMatchObject({
    status: 200,
    text: expect.stringContaining('The host did not come'),
  })
  expect(await state()).toEqual([{ off: false, told: 0 }])
  expect((await post(hostNoShow, { absent: 'true' }, start - HOUR)).status).toBe(409)
  expect((await post(hostNoShow, { absent: 'true' }, over)).status).toBe(303)
  expect((await post(hostNoShow, { absent: 'true' }, over)).status).toBe(303)
  expect(await state()).toEqual([{ off: true, told: 1 }])
  expect((await page(hostNoShow, over)).text).toContain('It is noted')
  expect((await post(hostNoShow, { absent: 'false' }, over)).status).toBe(303)
  expect(await state()).toEqual([{ off: false, told: 2 }])
  // Neither opens the page of the other.
  expect((await page(hostNoShow.replace('/host-no-show', '/no-show'), over)).status).toBe(404)
  expect((await page(noShow.replace('/no-show', '/host-no-show'), over)).status).toBe(404)
})
