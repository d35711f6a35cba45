import { beforeAll, describe, expect, it } from 'vitest'
import { ById } from '#lib/core/schemas.ts'
import {
  createOutOfOffice,
  deleteOutOfOffice,
  findOutOfOffice,
  listOutOfOffice,
  updateOutOfOffice,
} from '#lib/domain/out-of-office/operations.ts'
import {
  NewOutOfOffice,
  OutOfOfficeChange,
  OutOfOfficeFilter,
} from '#lib/domain/out-of-office/schema.ts'
import { queryDatabase } from '../database.ts'
import { type Actor, type Actors, as, join, makeActors } from './actors.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const Change = OutOfOfficeChange.safeExtend({ id: ById.shape.id })
const day = (n: number) => `2031-06-${String(n).padStart(2, '0')}T00:00:00.000Z`
const away = (who: Actor, first: number, last: number, more: object = {}) =>
  as(who, createOutOfOffice, NewOutOfOffice, { start: day(first), end: day(last), ...more })
const list = async (who: Actor, filter: object = {}) =>
  (await as(who, listOutOfOffice, OutOfOfficeFilter, filter)).items
const change = (who: Actor, id: unknown, input: object) =>
  as(who, updateOutOfOffice, Change, { id, ...input })
const find = (who: Actor, id: unknown) => as(who, findOutOfOffice, ById, { id })
const remove = (who: Actor, id: unknown) => as(who, deleteOutOfOffice, ById, { id })
const hire = () => join(actors.owner.accountId, 'staff')

describe('create an absence', () => {
  it('200 with who is away and who takes over, and OOO_CREATED', async () => {
    const [who, other] = [await hire(), await hire()]
    const more = { toUserId: other.userId, reason: 'vacation', notes: 'Sea' }
    const { status, body } = await away(who, 1, 5, more)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...more,
      userId: who.userId,
      start: day(1),
      end: day(5),
      user: { id: who.userId, name: 'A staff' },
      toUser: { id: other.userId },
    })
    expect(body.uuid).toMatch(/^[0-9a-f-]{36}$/)
    const { userId: _, toUserId: _to, ...told } = body
    const entry = { ...told, reason: { emoji: '🏝️', reason: 'vacation' }, reasonId: 2 }
    const events = await queryDatabase<{ type: string; payload: unknown }>(
      `select type, payload from events where account_id = ${who.accountId}
        and subject = 'out_of_office' and subject_id = ${body.id}`,
    )
    expect(events).toEqual([{ type: 'OOO_CREATED', payload: { oooEntry: entry } }])
  })

  it('422 when it ends before it begins, leads to oneself or has another reason', async () => {
    const { owner } = actors
    const wrong = await away(owner, 5, 5, { reason: 'bored' })
    expect([wrong.status, wrong.body.details]).toEqual([
      422,
      [
        {
          field: 'reason',
          message: 'expected one of "unspecified", "vacation", "travel", "sick", "public_holiday"',
        },
      ],
    ])
    expect((await away(owner, 5, 5)).body.details).toEqual([
      { field: 'end', message: 'must be after start' },
    ])
    expect((await away(owner, 5, 6, { toUserId: owner.userId })).body.details).toEqual([
      { field: 'toUserId', message: 'must be somebody else' },
    ])
    expect((await away(owner, 5, 6, { start: '2031-06-05' })).status).toBe(422)
  })

  it('404 when who takes over is not of this account', async () => {
    const { status, body } = await away(actors.owner, 5, 6, { toUserId: actors.stranger.userId })
    expect([status, body.message]).toEqual([404, 'User does not exist'])
  })

  it('409 for all but one of absences that overlap, made at once; 200 back to back', async () => {
    const who = await hire()
    const made = await Promise.all([1, 2, 3, 4].map(n => away(who, n, 10)))
    expect(made.map(m => m.status).sort()).toEqual([200, 409, 409, 409])
    expect(made.find(m => m.status === 409)?.body.details).toEqual([
      { field: 'start', message: 'The user is away at this time already' },
    ])
    expect((await away(who, 10, 12)).status).toBe(200)
  })

  it('409 when bookings would be led in a circle, however long', async () => {
    const [a, b, c] = [await hire(), await hire(), await hire()]
    expect((await away(a, 1, 10, { toUserId: b.userId })).status).toBe(200)
    expect((await away(b, 5, 15, { toUserId: c.userId })).status).toBe(200)
    const closing = await away(c, 9, 12, { toUserId: a.userId })
    expect([closing.status, closing.body.details]).toEqual([
      409,
      [{ field: 'toUserId', message: 'This would lead bookings in a circle' }],
    ])
    expect((await away(c, 10, 12, { toUserId: a.userId })).status).toBe(200)
  })

  it('409 for one of two that close a circle at once', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async () => [await hire(), await hire()]),
    )
    for (const [a, b] of pairs) {
      const both = await Promise.all([
        away(a!, 1, 3, { toUserId: b!.userId }),
        away(b!, 2, 4, { toUserId: a!.userId }),
      ])
      expect(both.map(m => m.status).sort()).toEqual([200, 409])
    }
  })
})

describe('change, list and delete absences', () => {
  it('200 and what is left out stays; 409 and 422 as for a new one', async () => {
    const [who, other] = [await hire(), await hire()]
    const { body } = await away(who, 1, 5, { notes: 'Sea' })
    await away(who, 10, 12)
    const longer = await change(who, body.id, { end: day(7), toUserId: other.userId })
    expect(longer.body).toMatchObject({ start: day(1), end: day(7), notes: 'Sea' })
    expect((await change(who, body.id, { end: day(11) })).status).toBe(409)
    expect((await change(who, body.id, { start: day(8) })).body.details).toEqual([
      { field: 'end', message: 'must be after start' },
    ])
    expect((await change(who, body.id, { toUserId: who.userId })).body.details).toEqual([
      { field: 'toUserId', message: 'must be somebody else' },
    ])
    await away(other, 1, 3, { toUserId: (await hire()).userId })
    const [theirs] = await list(other)
    expect((await change(other, theirs?.id, { toUserId: who.userId })).status).toBe(409)
    expect((await change(who, body.id, { toUserId: null })).body.toUser).toBeNull()
  })

  it('200 with those in a time', async () => {
    const who = await hire()
    for (const n of [1, 10, 20]) await away(who, n, n + 5)
    const days = async (filter: object) => (await list(who, filter)).map(o => o.start)
    expect(await days({ from: day(6), to: day(20), sort: 'start' })).toEqual([day(10)])
    expect(await days({ sort: '-start', limit: '2' })).toEqual([day(20), day(10)])
  })

  it('200 when deleted, and the time is free for another', async () => {
    const who = await hire()
    const { body } = await away(who, 1, 5)
    expect((await remove(who, body.id)).body).toEqual({ id: body.id, deleted: true })
    expect((await remove(who, body.id)).status).toBe(404)
    expect((await away(who, 1, 5)).status).toBe(200)
  })
})

describe('whose absences', () => {
  it('staff see and change their own alone; managers everybody’s', async () => {
    const { manager, staff } = actors
    const who = await hire()
    const { id } = (await away(who, 1, 5)).body
    for (const { status } of [
      await find(staff, id),
      await change(staff, id, { notes: 'X' }),
      await remove(staff, id),
    ])
      expect(status).toBe(404)
    expect((await list(staff)).map(o => o.id)).not.toContain(id)
    expect((await away(staff, 1, 5, { userId: who.userId })).status).toBe(403)
    expect((await change(manager, id, { notes: 'Seen' })).body.notes).toBe('Seen')
    expect((await away(manager, 7, 9, { userId: who.userId })).body.userId).toBe(who.userId)
    expect(await list(manager, { userId: String(who.userId) })).toHaveLength(2)
  })

  it('404 for those of another account', async () => {
    const { owner, stranger } = actors
    const { id } = (await away(await hire(), 1, 5)).body
    expect((await find(stranger, id)).status).toBe(404)
    expect((await change(stranger, id, { notes: 'X' })).status).toBe(404)
    expect((await remove(stranger, id)).status).toBe(404)
    expect((await away(owner, 1, 2, { userId: stranger.userId })).status).toBe(404)
  })
})
