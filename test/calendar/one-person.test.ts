import { describe, expect, test } from 'vitest'
import { newEmail } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { cancel, newNumber } from './mail.ts'
import { attendeesOf, bookAs, byNumber } from './numbers.ts'
import { createCalendar } from './world.ts'

describe('who is one person', () => {
  test('409 for the same number twice among the seats; a given back one can be taken', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 5 })
    const number = newNumber()
    const { body } = await byNumber(calendar, number)
    const again = await byNumber(calendar, ` ${number.slice(0, 4)}-${number.slice(4)}`)
    expect([again.status, again.body.message]).toEqual([
      409,
      'already_signed_up_for_this_booking_error: this number has a seat already',
    ])
    expect(again.body.details).toMatchObject([{ field: 'responses.attendeePhoneNumber' }])
    // Whoever has an address is known by it: a number may be that of a household.
    const [ann, bob] = [newEmail(), newEmail()]
    for (const email of [ann, bob])
      expect((await bookAs(calendar, { email, attendeePhoneNumber: number })).status).toBe(201)
    expect((await bookAs(calendar, { email: ann.toUpperCase() })).status).toBe(409)
    expect((await byNumber(calendar, newNumber())).status).toBe(201)
    const { uid, seatReferenceUid } = body
    expect((await cancel({ uid, seatReferenceUid })).status).toBe(200)
    expect((await byNumber(calendar, number)).status).toBe(201)
  })

  test('of eight at once by one number one has a seat, of eight numbers the last ones none', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 4 })
    const number = newNumber()
    const same = await Promise.all(Array.from({ length: 8 }, () => byNumber(calendar, number)))
    expect(same.map(r => r.status).toSorted()).toEqual([201, ...Array(7).fill(409)])
    const others = await Promise.all(
      Array.from({ length: 8 }, () => byNumber(calendar, newNumber())),
    )
    expect(others.map(r => r.status).toSorted()).toEqual([
      ...Array(3).fill(201),
      ...Array(5).fill(409),
    ])
    expect(await attendeesOf(calendar)).toHaveLength(4)
  }, 60_000)

  test('two at once by one number take the last seat once', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 2 })
    await byNumber(calendar, newNumber())
    const number = newNumber()
    const both = await Promise.all([byNumber(calendar, number), byNumber(calendar, number)])
    expect(both.map(r => r.status).toSorted()).toEqual([201, 409])
    expect(await attendeesOf(calendar)).toHaveLength(2)
  })

  test('the database keeps it: no row twice, none that nobody could reach', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 5 })
    const number = newNumber()
    const { body } = await byNumber(calendar, number)
    const email = newEmail()
    await bookAs(calendar, { email })
    const insert = (email: string | null, phone: string | null) =>
      queryDatabase(
        `insert into booking_attendees (account_id, booking_id, name, email, phone_number, time_zone)
         values ($1, $2, 'X', $3, $4, 'UTC')`,
        [calendar.account.accountId, body.id, email, phone],
      )
    await expect(insert(null, number)).rejects.toThrow('booking_attendees_number')
    await expect(insert(email.toUpperCase(), null)).rejects.toThrow('booking_attendees_address')
    for (const phone of [null, '', '12345', '+0123', 'tel:+15551234'])
      await expect(insert(null, phone)).rejects.toThrow('booking_attendees_reach')
    await insert(newEmail(), '12345')
  })
})
