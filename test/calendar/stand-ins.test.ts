import { describe, expect, test } from 'vitest'
import { createMember } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { bodyOf, book, type Calendar, createCalendar, setHosts, slotsOf, usersOf } from './world.ts'

const DAY = '2027-03-03'
const AT = `${DAY}T15:00:00.000Z`

const sendAway = ({ account }: Calendar, userId: number, toUserId: number | null, day = DAY) =>
  queryDatabase(
    `insert into out_of_office
       (account_id, user_id, to_user_id, start_time, end_time, created_at, updated_at)
     values ($1, $2, $3, $4::timestamptz, $4::timestamptz + interval '1 day', now(), now())`,
    [account.accountId, userId, toUserId, `${day}T00:00:00Z`],
  )

const personOf = async (userId: number) =>
  (
    await queryDatabase<{ id: number }>('select person_id as id from members where user_id = $1', [
      userId,
    ])
  )[0]!.id

/** Takes somebody's time. */
const occupy = async ({ account }: Calendar, userId: number, from: string, to: string) =>
  queryDatabase(
    `insert into occupancies (account_id, person_id, source, source_id, blocked)
     values ($1, $2, 'offer', 1, tstzrange($3, $4))`,
    [account.accountId, await personOf(userId), from, to],
  )

describe('a host who is away', () => {
  test('is stood in for: slots are the other’s, who hosts what is booked', async () => {
    const calendar = await createCalendar()
    const [owner, other] = (await usersOf(calendar)) as [number, number]
    await sendAway(calendar, owner, other)
    await occupy(calendar, other, `${DAY}T15:00:00Z`, `${DAY}T16:00:00Z`)
    const slots = await slotsOf(calendar, DAY, DAY)
    expect(slots).toContain(`${DAY}T14:30:00.000Z`)
    expect(slots).toContain(`${DAY}T16:00:00.000Z`)
    expect(slots).not.toContain(AT)
    expect((await book(bodyOf(calendar.eventTypeId, AT))).status).toBe(409)
    const { status, body } = await book(bodyOf(calendar.eventTypeId, `${DAY}T16:00:00Z`))
    expect([status, body.userId]).toEqual([201, other])
    const [block] = await queryDatabase(
      `select person_id from occupancies where account_id = $1 and source = 'booking'`,
      [calendar.account.accountId],
    )
    expect(block?.person_id).toBe(await personOf(other))
    const later = await book(bodyOf(calendar.eventTypeId, '2027-03-04T16:00:00Z', 'Later'))
    expect(later.body.userId).toBe(owner)
  })

  test('offers nothing where nobody stands in, or who does is away as well', async () => {
    const calendar = await createCalendar()
    const [owner, other] = (await usersOf(calendar)) as [number, number]
    await sendAway(calendar, owner, null)
    expect(await slotsOf(calendar, DAY, DAY)).toEqual([])
    await sendAway(calendar, owner, other, '2027-03-04')
    await sendAway(calendar, other, null, '2027-03-04')
    expect(await slotsOf(calendar, '2027-03-04', '2027-03-04')).toEqual([])
    expect((await book(bodyOf(calendar.eventTypeId, '2027-03-04T15:00:00Z'))).status).toBe(409)
  })

  test('is led on from one to the next', async () => {
    const calendar = await createCalendar()
    await createMember(calendar.account.accountId, 'manager')
    const [owner, other, third] = (await usersOf(calendar)) as [number, number, number]
    await sendAway(calendar, owner, other)
    await sendAway(calendar, other, third)
    expect((await book(bodyOf(calendar.eventTypeId, AT))).body.userId).toBe(third)
  })

  test('keeps their turn: who stands in does not get every booking of the day', async () => {
    const calendar = await createCalendar()
    await createMember(calendar.account.accountId, 'manager')
    const [owner, other, third] = (await usersOf(calendar)) as [number, number, number]
    await setHosts(calendar, 'roundRobin', [owner, other])
    await sendAway(calendar, owner, third)
    const hosts: unknown[] = []
    for (const hour of [14, 15, 16, 17])
      hosts.push(
        (await book(bodyOf(calendar.eventTypeId, `${DAY}T${hour}:00:00Z`, `T${hour}`))).body.userId,
      )
    expect(hosts.toSorted()).toEqual([other, other, third, third].toSorted())
    const turns = await queryDatabase<{ assigned: number }>(
      'select assigned from event_type_hosts where event_type_id = $1',
      [calendar.eventTypeId],
    )
    expect(turns.map(t => t.assigned)).toEqual([2, 2])
  })

  test('takes a booking back that is moved to when they are there', async () => {
    const calendar = await createCalendar()
    const [owner, other] = (await usersOf(calendar)) as [number, number]
    await sendAway(calendar, owner, other)
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    const moved = await book({
      ...bodyOf(calendar.eventTypeId, '2027-03-04T15:00:00Z'),
      rescheduleUid: body.uid,
    })
    expect([body.userId, moved.status, moved.body.userId]).toEqual([other, 201, owner])
    const left = await queryDatabase(
      `select h.user_id, o.person_id from booking_hosts h
       join occupancies o on o.account_id = h.account_id and o.source_id = h.booking_id
       where h.account_id = $1`,
      [calendar.account.accountId],
    )
    expect(left).toEqual([{ user_id: owner, person_id: await personOf(owner) }])
  })
})

describe('a host who hosts no more', () => {
  test('gives a booking that is moved to whose turn it is; nobody’s time is left out', async () => {
    const calendar = await createCalendar()
    const [owner, other] = (await usersOf(calendar)) as [number, number]
    await setHosts(calendar, 'roundRobin', [owner])
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    await queryDatabase('update event_type_hosts set user_id = $2 where event_type_id = $1', [
      calendar.eventTypeId,
      other,
    ])
    const start = '2027-03-04T15:00:00Z'
    const move = { ...bodyOf(calendar.eventTypeId, start), rescheduleUid: body.uid }
    expect((await book(move)).body.userId).toBe(other)
    expect((await book(bodyOf(calendar.eventTypeId, start, 'Next'))).status).toBe(409)
  })
})
