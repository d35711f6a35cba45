import { describe, expect, test } from 'vitest'
import { withDatabase } from '#dev/database.ts'
import type { Client } from '../client.ts'
import { createAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { platform } from '../platform.ts'
import { bodyOf, book, type Calendar, clock, createCalendar, newAddress, visitor } from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const headers = () => ({ ...clock, 'x-test-client': newAddress() })
const cancel = (body: object, who: Client = visitor) => who.post('/api/cancel', body, headers())

const booked = async ({ eventTypeId }: Calendar, name = 'Zoe') =>
  (await book(bodyOf(eventTypeId, AT, name))).body

/** The payload of the last event of an account. */
const told = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ payload: Record<string, unknown> }>(
      'select payload from events where account_id = $1 order by id desc limit 1',
      [account.accountId],
    )
  )[0]!.payload

describe('POST /api/cancel with credentials', () => {
  test('200 in the name of the host, whom guests may not cancel', async () => {
    const calendar = await createCalendar({ disable_cancelling: true })
    const { uid } = await booked(calendar)
    expect((await cancel({ uid })).status).toBe(409)
    expect((await cancel({ uid, reason: 'ill' }, calendar.account.client)).status).toBe(200)
    expect(await told(calendar)).toMatchObject({
      status: 'CANCELLED',
      cancellationReason: 'ill',
      cancelledBy: calendar.account.email,
    })
  })

  test('200 by id for a member, 404 for the id of others, 422 for a visitor', async () => {
    const calendar = await createCalendar()
    const { id } = await booked(calendar)
    const { client: other } = await createAccount()
    expect((await cancel({ id }, other)).status).toBe(404)
    expect((await cancel({ id })).status).toBe(422)
    expect((await cancel({ id }, calendar.account.client)).status).toBe(200)
  })

  test('as a guest for a member of staff who does not host it, and for another account', async () => {
    const calendar = await createCalendar({ disable_cancelling: true })
    const { id, uid } = await booked(calendar)
    const { staffClient } = calendar.account
    expect((await cancel({ uid }, staffClient)).status).toBe(409)
    expect((await cancel({ id }, staffClient)).status).toBe(404)
    expect((await cancel({ uid }, (await createAccount()).client)).status).toBe(409)
  })

  test('409 for guests once the meeting is over, 200 in the name of the host', async () => {
    const calendar = await createCalendar()
    const { uid } = await booked(calendar)
    const late = () => ({ ...headers(), 'x-test-now': '2027-03-03T15:30:00.000Z' })
    const refused = await visitor.post('/api/cancel', { uid }, late())
    expect([refused.status, refused.body.message]).toEqual([409, 'The meeting is over'])
    const { client } = calendar.account
    expect((await client.post('/api/cancel', { uid }, late())).status).toBe(200)
  })

  test('200 for all of a booking with seats', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const { uid } = await booked(calendar)
    await booked(calendar, 'Yan')
    expect((await cancel({ uid })).status).toBe(403)
    expect((await cancel({ uid }, calendar.account.client)).status).toBe(200)
  })
})

describe('POST /api/cancel', () => {
  test('says who cancelled by their address: the attendee’s, or the one that was given', async () => {
    const calendar = await createCalendar()
    await cancel({ uid: (await booked(calendar)).uid })
    expect(await told(calendar)).toMatchObject({ cancelledBy: 'zoe@example.com' })
    const cancelledBy = 'assistant@example.com'
    await cancel({ uid: (await booked(calendar)).uid, cancelledBy })
    expect(await told(calendar)).toMatchObject({ cancelledBy })
  })

  test('200 for each of 12 who give back their seats at once', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 12 })
    const seats = []
    for (let i = 0; i < 12; i++) seats.push(await booked(calendar, `S${i}`))
    const answers = await Promise.all(
      seats.map(({ uid, seatReferenceUid }) => cancel({ uid, seatReferenceUid })),
    )
    expect(answers.map(a => a.status)).toEqual(seats.map(() => 200))
    const last = answers.filter(a => a.body.data.onlyRemovedAttendee as unknown as boolean)
    expect(last).toHaveLength(11)
  })

  test('who takes a seat while a booking is cancelled has one in another', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const { uid } = await booked(calendar)
    const late = await withDatabase(platform().databaseUrl, async held => {
      await held.query('begin')
      const changed = `update bookings set status = 'cancelled', version = version + 1 where uid = $1`
      await held.query(changed, [uid])
      await held.query('delete from occupancies where account_id = $1', [
        calendar.account.accountId,
      ])
      const { rows } = await held.query<{ pid: number }>('select pg_backend_pid() as pid')
      const asked = booked(calendar, 'Late')
      await waitedFor(rows[0]!.pid)
      await held.query('commit')
      return asked
    })
    expect(late.status).toBe('accepted')
    expect(late.uid).not.toBe(uid)
  })
})

/** Waits until somebody waits for what a connection holds. */
async function waitedFor(pid: number): Promise<void> {
  const blocked = 'select 1 as one from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))'
  for (let tries = 0; tries < 200; tries++) {
    if ((await queryDatabase(blocked, [pid])).length > 0) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('Nobody waits for the booking')
}
