import { describe, expect, it } from 'vitest'
import { cookieOf } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { platform } from '../platform.ts'
import { AT, booked, calendarOf, mailTo, plus } from './mail.ts'
import { rowOf, see, send } from './own-pages.ts'
import { createCalendar, eventsOf, NOW, setHosts } from './world.ts'

describe('/e/{uid}/move', () => {
  const startsOn = async (uid: string) => {
    const { text } = await see(`/e/${uid}/move?day=${AT.slice(0, 10)}`)
    return [...text.matchAll(/move\?start=([^"]+)"/g)].map(m => decodeURIComponent(m[1]!))
  }

  it('200 lists the other starts, 303 moves it and tells of it once', async () => {
    const calendar = await createCalendar()
    const { uid, email } = await booked(calendar)
    await mailTo(email)
    const starts = await startsOn(uid)
    expect(starts).toContain(plus(AT, 30))
    expect(starts).not.toContain(AT)
    const asked = await see(`/e/${uid}/move?start=${plus(AT, 30)}`)
    expect(asked.text).toContain(`name="start" value="${plus(AT, 30)}"`)
    const reply = await send(`/e/${uid}/move`, { start: plus(AT, 30), reason: 'Late train' })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `/e/${uid}`])
    const { text } = await see(`/e/${uid}`, NOW, cookieOf(reply.headers))
    expect(text).toContain('It is moved: this is the new time.')
    expect((await see(`/e/${uid}`)).text).not.toContain('It is moved')
    const row = await rowOf(uid)
    expect(new Date(row.start_time as unknown as string).toISOString()).toBe(plus(AT, 30))
    expect(row.rescheduling_reason).toBe('Late train')
    expect(row.rescheduled_by).toBe(email)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_RESCHEDULED'])
    expect((await mailTo(email, 2)).subject).toMatch(/^Changed/)
  })

  it('200 lists only when the booking’s own host is free', async () => {
    const calendar = await createCalendar()
    const { accountId, userId } = calendar.account
    const [other] = await queryDatabase<{ id: number }>(
      'select user_id as id from members where account_id = $1 and user_id <> $2',
      [accountId, userId],
    )
    await setHosts(calendar, 'roundRobin', [userId, other!.id])
    const first = await booked(calendar)
    const second = await booked(calendar, {}, plus(AT, 60))
    const third = await booked(calendar, {}, plus(AT, 60))
    expect(new Set([second, third].map(b => b.uid)).size).toBe(2)
    expect(await startsOn(first.uid)).not.toContain(plus(AT, 60))
    // Of two in turn one is hosted by the same: it is free for the other alone.
    const hostOf = async (uid: string) => (await rowOf(uid)).user_id
    const later = [plus(AT, 120), plus(AT, 180)]
    const hosts: unknown[] = []
    for (const start of later) hosts.push(await hostOf((await booked(calendar, {}, start)).uid))
    const own = await hostOf(first.uid)
    expect(new Set(hosts).size).toBe(2)
    const starts = await startsOn(first.uid)
    expect(later.map(start => starts.includes(start))).toEqual(hosts.map(host => host !== own))
  })

  it('409 for a time that is taken or not offered, and nothing changes', async () => {
    const calendar = await createCalendar()
    await booked(calendar, {}, plus(AT, 60))
    const { uid } = await booked(calendar)
    for (const start of [plus(AT, 60), plus(AT, 7)]) {
      const reply = await send(`/e/${uid}/move`, { start })
      expect(reply.status).toBe(409)
      expect(reply.text).toContain('not available')
    }
    expect(new Date((await rowOf(uid)).start_time as unknown as string).toISOString()).toBe(AT)
    expect((await send(`/e/${uid}/move`, { start: 'soon' })).status).toBe(422)
  })

  it('409 when the event type does not allow it (so late), and no link', async () => {
    const calendar = await createCalendar({
      disable_rescheduling: JSON.stringify({ minutesBefore: 1440 }),
    })
    const { uid } = await booked(calendar)
    expect((await see(`/e/${uid}`, plus(AT, -1440))).text).toContain('/move"')
    const late = plus(AT, -1439)
    const shown = await see(`/e/${uid}`, late)
    expect(shown.text).not.toContain('/move"')
    expect(shown.text).toContain('It cannot be moved here any more')
    const refused = await see(`/e/${uid}/move`, late)
    expect(refused.status).toBe(409)
    // What can still be done with it stands there, folded away.
    expect(refused.text).toContain('This meeting cannot be moved here')
    expect(refused.text).toContain(`action="/e/${uid}/cancel"`)
    expect(refused.text).not.toContain('<details class="fold" open')
    expect((await send(`/e/${uid}/move`, { start: plus(AT, 60) }, late)).status).toBe(409)
  })
})

it('the link of the e-mail is the page', async () => {
  const { uid, email } = await booked(await createCalendar())
  const mail = await mailTo(email)
  expect(mail.text).toContain(`${platform().url}/e/${uid}\n`)
  expect(calendarOf(mail).entries[0]!.uid).toBe(uid)
})
