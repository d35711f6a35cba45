import { beforeAll, describe, expect, it } from 'vitest'
import { ById } from '#lib/core/schemas.ts'
import { hoursOf } from '#lib/domain/schedules/hours.ts'
import {
  createSchedule,
  deleteSchedule,
  findSchedule,
  listSchedules,
  updateSchedule,
} from '#lib/domain/schedules/operations.ts'
import { NewSchedule, ScheduleChange, ScheduleFilter } from '#lib/domain/schedules/schema.ts'
import { openings } from '#lib/scheduling/hours.ts'
import { type Actor, type Actors, as, join, makeActors } from './actors.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const Change = ScheduleChange.extend({ id: ById.shape.id })
const make = (who: Actor, input: object = {}) =>
  as(who, createSchedule, NewSchedule, { name: 'Evenings', ...input })
const list = async (who: Actor, filter: object = {}) =>
  (await as(who, listSchedules, ScheduleFilter, filter)).items
const change = (who: Actor, id: unknown, input: object) =>
  as(who, updateSchedule, Change, { id, ...input })
const find = (who: Actor, id: unknown) => as(who, findSchedule, ById, { id })
const remove = (who: Actor, id: unknown) => as(who, deleteSchedule, ById, { id })
const fault = (field: string, message: string) => [{ field, message }]

const EVENINGS = [
  { days: ['Monday', 'Wednesday'], startTime: '17:00', endTime: '20:00' },
  { days: ['Friday'], startTime: '18:00', endTime: '24:00' },
]

describe('create a schedule', () => {
  it('200 with Monday to Friday, 9 to 17, in the user’s zone, where nothing is said', async () => {
    const { status, body } = await make(actors.staff)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ownerId: actors.staff.userId,
      name: 'Evenings',
      timeZone: 'Europe/Berlin',
      isDefault: false,
      availability: [
        {
          days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
          startTime: '09:00',
          endTime: '17:00',
        },
      ],
      overrides: [],
    })
  })

  it('200 and it is read back as it was said, days in order and by their names', async () => {
    const overrides = [
      { date: '2031-12-24', startTime: '09:00', endTime: '12:00' },
      { date: '2031-12-24', startTime: '13:00', endTime: '14:00' },
      { date: '2031-12-25', startTime: '00:00', endTime: '00:00' },
    ]
    const days = ['wednesday', 'MONDAY', 'Monday']
    const availability = [{ ...EVENINGS[0], days }, EVENINGS[1]]
    const made = await make(actors.owner, { timeZone: 'Asia/Tokyo', availability, overrides })
    expect(made.body).toMatchObject({ timeZone: 'Asia/Tokyo', availability: EVENINGS, overrides })
    expect((await find(actors.owner, made.body.id)).body).toEqual(made.body)
  })

  it('422 for hours that end before they begin, overlap or are on no day', async () => {
    const hours = (startTime: string, endTime: string, days = ['Monday']) => ({
      days,
      startTime,
      endTime,
    })
    const overlap = [hours('09:00', '12:00'), hours('11:00', '13:00', ['Sunday', 'Monday'])]
    const of = async (availability: object[]) =>
      (await make(actors.owner, { availability })).body.details
    expect(await of([hours('12:00', '09:00')])).toEqual(
      fault('availability.0.endTime', 'must be after startTime'),
    )
    expect(await of([hours('9:00', '12:00')])).toEqual(
      fault('availability.0.startTime', 'expected a time such as 09:30'),
    )
    expect(await of(overlap)).toEqual(fault('availability.1', 'overlaps other hours of the day'))
    expect(await of([hours('09:00', '12:00', ['Moonday'])])).toEqual([
      { field: 'availability.0.days.0', message: expect.stringContaining('"Sunday", "Monday"') },
    ])
    expect(await of([hours('09:00', '12:00', [])])).toEqual(
      fault('availability.0.days', 'must have at least 1 item'),
    )
  })

  it('422 for other hours on a date that is closed, and for a zone that is none', async () => {
    const overrides = [
      { date: '2031-12-25', startTime: '09:00', endTime: '09:00' },
      { date: '2031-12-25', startTime: '10:00', endTime: '12:00' },
    ]
    const { status, body } = await make(actors.owner, { overrides, timeZone: 'Mars/Base' })
    expect(status).toBe(422)
    expect(body.details).toEqual([
      { field: 'timeZone', message: 'expected an IANA time zone such as America/New_York' },
      { field: 'overrides.1', message: 'overlaps other hours of the day' },
    ])
  })
})

describe('the default schedule', () => {
  const defaults = async (who: Actor) => {
    const all = await list(who, { ownerId: who.userId })
    return all.filter(s => s.isDefault).map(s => s.id)
  }

  it('moves when another becomes it, when made and when changed', async () => {
    const who = await join(actors.owner.accountId, 'staff')
    const [first] = await list(who)
    const second = await make(who, { isDefault: true })
    expect(await defaults(who)).toEqual([second.body.id])
    expect((await change(who, first?.id, { isDefault: true })).body.isDefault).toBe(true)
    expect(await defaults(who)).toEqual([first?.id])
  })

  it('409 when it is deleted or unset; nothing changes', async () => {
    const who = await join(actors.owner.accountId, 'staff')
    const [only] = await list(who)
    expect((await remove(who, only?.id)).status).toBe(409)
    const unset = await change(who, only?.id, { isDefault: false, name: 'X' })
    expect([unset.status, unset.body.error]).toEqual([409, 'CONFLICT'])
    expect((await list(who))[0]).toEqual(only)
  })

  it('is one after many become it at once', async () => {
    const who = await join(actors.owner.accountId, 'staff')
    const made = await Promise.all(Array.from({ length: 5 }, () => make(who, { isDefault: true })))
    expect(made.map(m => m.status)).toEqual([200, 200, 200, 200, 200])
    expect(await defaults(who)).toHaveLength(1)
  })
})

describe('change and delete a schedule', () => {
  it('200 and what is left out stays', async () => {
    const made = await make(actors.owner, { availability: EVENINGS })
    const changed = await change(actors.owner, made.body.id, { name: 'Late', overrides: [] })
    expect(changed.body).toMatchObject({
      name: 'Late',
      availability: EVENINGS,
      ownerId: made.body.ownerId,
    })
    const { updatedAt: _, ...same } = changed.body
    expect((await change(actors.owner, made.body.id, changed.body)).body).toMatchObject(same)
  })

  it('200 when deleted, and 404 after', async () => {
    const { body } = await make(actors.staff)
    expect((await remove(actors.staff, body.id)).body).toEqual({ id: body.id, deleted: true })
    expect((await find(actors.staff, body.id)).status).toBe(404)
    expect((await remove(actors.staff, body.id)).status).toBe(404)
  })
})

describe('whose schedules', () => {
  it('staff see and change their own alone; managers everybody’s', async () => {
    const { owner, manager, staff, colleague } = actors
    const theirs = await make(colleague)
    expect((await list(staff)).every(s => Number(s.ownerId) === staff.userId)).toBe(true)
    expect(await list(staff, { ownerId: colleague.userId })).toEqual([])
    for (const { status } of [
      await find(staff, theirs.body.id),
      await change(staff, theirs.body.id, { name: 'Mine' }),
      await remove(staff, theirs.body.id),
    ])
      expect(status).toBe(404)
    const forOwner = await make(staff, { ownerId: owner.userId })
    expect([forOwner.status, forOwner.body.message]).toEqual([
      403,
      'Your role "staff" lacks the permission calendar.write',
    ])
    expect((await make(manager, { ownerId: staff.userId })).body.ownerId).toBe(staff.userId)
    expect((await change(manager, theirs.body.id, { name: 'Ours' })).status).toBe(200)
    expect(await list(manager, { ownerId: colleague.userId })).toHaveLength(2)
  })

  it('404 for those of another account, and for a user of another', async () => {
    const { owner, stranger } = actors
    const { body } = await make(owner)
    expect((await find(stranger, body.id)).status).toBe(404)
    expect((await change(stranger, body.id, { name: 'X' })).status).toBe(404)
    expect((await remove(stranger, body.id)).status).toBe(404)
    const foreign = await make(owner, { ownerId: stranger.userId })
    expect([foreign.status, foreign.body.message]).toEqual([404, 'User does not exist'])
    expect(await list(stranger, { ownerId: owner.userId })).toEqual([])
  })
})

describe('hoursOf', () => {
  const minutes = (iso: string) => Date.parse(iso) / 60_000
  const open = (schedule: object, from: string, to: string) => {
    const { availability = [], overrides = [] } = schedule as Parameters<typeof hoursOf>[0]
    const hours = hoursOf({ timeZone: 'UTC', availability, overrides })
    return openings(hours, minutes(from), minutes(to)).map(m =>
      new Date(m * 60_000).toISOString().slice(8, 16),
    )
  }

  it('is open until midnight where it says 23:59, and closed on a date of no length', () => {
    const availability = [
      { days: ['Monday', 'Tuesday'], startTime: '22:00', endTime: '23:59' },
      { days: ['Wednesday'], startTime: '00:00', endTime: '02:00' },
    ]
    const overrides = [{ date: '2031-06-02', startTime: '09:00', endTime: '09:00' }]
    expect(open({ availability, overrides }, '2031-06-02T00:00Z', '2031-06-05T00:00Z')).toEqual([
      '03T22:00',
      '04T02:00',
    ])
  })

  it('adds up several hours of one date, which take the place of the weekday’s', () => {
    const availability = [{ days: ['Monday'], startTime: '09:00', endTime: '17:00' }]
    const overrides = [
      { date: '2031-06-02', startTime: '18:00', endTime: '19:00' },
      { date: '2031-06-02', startTime: '07:00', endTime: '08:00' },
    ]
    expect(open({ availability, overrides }, '2031-06-02T00:00Z', '2031-06-03T00:00Z')).toEqual([
      '02T07:00',
      '02T08:00',
      '02T18:00',
      '02T19:00',
    ])
  })
})
