import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ById, Paging } from '#lib/core/schemas.ts'
import {
  createKey,
  getMe,
  listApiKeys,
  revokeApiKey,
  updateProfile,
} from '#lib/domain/users/operations.ts'
import { NewApiKey, ProfileChange } from '#lib/domain/users/schema.ts'
import { client } from '../client.ts'
import { type Actor, type Actors, as, join, makeActors } from './actors.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const me = (who: Actor) => as(who, m => getMe(m), z.object({}))
const change = (who: Actor, input: object) => as(who, updateProfile, ProfileChange, input)
const hire = () => join(actors.owner.accountId, 'staff')

describe('the profile', () => {
  it('200 with oneself, the default schedule and the account', async () => {
    const { owner } = actors
    const { status, body } = await me(owner)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: owner.userId,
      username: owner.username,
      name: 'Olive Owner',
      timeFormat: 12,
      weekStart: 'Sunday',
      timeZone: 'America/New_York',
      locale: 'en',
      bio: null,
      avatarUrl: null,
      defaultScheduleId: expect.any(Number),
      organizationId: owner.accountId,
      role: 'owner',
    })
    expect(JSON.stringify(body)).not.toContain('pbkdf2')
  })

  it('200 and what is left out stays; null takes away; it can be sent back', async () => {
    const who = await hire()
    const input = {
      name: 'Ann Other',
      username: `Ann.${who.userId}`,
      bio: 'Hello',
      avatarUrl: 'https://example.org/a.png',
      timeFormat: 24,
      weekStart: 'Monday',
      locale: 'de',
      timeZone: 'Europe/Vienna',
    }
    const changed = await change(who, input)
    expect(changed.body).toMatchObject({ ...input, username: `ann.${who.userId}` })
    const again = await change(who, { bio: null, weekStart: 'Sunday' })
    expect(again.body).toMatchObject({
      ...input,
      username: `ann.${who.userId}`,
      bio: null,
      weekStart: 'Sunday',
    })
    const { updatedAt: _, ...same } = again.body
    expect((await change(who, again.body)).body).toMatchObject(same)
  })

  it('409 for a username that is taken, whatever its case', async () => {
    const { owner, stranger } = actors
    const { status, body } = await change(stranger, { username: owner.username?.toUpperCase() })
    expect([status, body.details]).toEqual([
      409,
      [{ field: 'username', message: 'This username is taken' }],
    ])
  })

  it('422 for a name of our own pages, another e-mail address, a clock of 13 hours', async () => {
    const of = async (input: object) => (await change(actors.staff, input)).body.details
    expect(await of({ username: 'Signin' })).toEqual([
      { field: 'username', message: 'is reserved' },
    ])
    expect(await of({ username: '-a' })).toHaveLength(1)
    expect(await of({ email: 'new@example.org' })).toEqual([
      { field: 'email', message: 'cannot be changed here' },
    ])
    expect(await of({ timeFormat: 13 })).toEqual([
      { field: 'timeFormat', message: 'expected 12 or 24' },
    ])
  })
})

describe('API keys', () => {
  const make = (who: Actor, input: object = {}) => as(who, createKey, NewApiKey, input)
  const list = async (who: Actor) => (await as(who, listApiKeys, Paging)).items
  const revoke = (who: Actor, id: unknown) => as(who, revokeApiKey, ById, { id })

  it('200 with the value once; the list never has it', async () => {
    const who = await hire()
    const expiresAt = '2040-01-01T00:00:00.000Z'
    const made = await make(who, { note: 'CI', expiresAt })
    const { key, ...shown } = made.body
    expect(key).toMatch(/^cal_[\w-]{43}$/)
    const items = await list(who)
    expect(items).toEqual([{ ...shown, note: 'CI', expiresAt, lastUsedAt: null }])
    expect(String(key).endsWith(String(items[0]?.hint))).toBe(true)
    const answer = await client(String(key)).get('/api/services/services')
    expect(answer.status).toBe(200)
    expect((await list(who))[0]?.lastUsedAt).toMatch(/Z$/)
  })

  it('200 when revoked: it opens nothing, and is listed no more', async () => {
    const who = await hire()
    const made = await make(who)
    const revoked = await revoke(who, made.body.id)
    expect(revoked.body).toEqual({
      answer: { id: made.body.id, deleted: true },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await list(who)).toEqual([])
    const answer = await client(String(made.body.key)).get('/api/services/services')
    expect(answer.status).toBe(401)
    expect((await revoke(who, made.body.id)).status).toBe(404)
  })

  it('404 for those of others, and the list has one’s own alone', async () => {
    const { owner, manager, stranger } = actors
    const made = await make(owner, { note: 'Mine' })
    expect((await revoke(manager, made.body.id)).status).toBe(404)
    expect((await revoke(stranger, made.body.id)).status).toBe(404)
    expect((await list(manager)).map(k => k.id)).not.toContain(made.body.id)
    expect((await list(owner)).map(k => k.id)).toContain(made.body.id)
  })

  it('422 when it would have expired already', async () => {
    const { body } = await make(actors.owner, { expiresAt: '2020-01-01T00:00:00Z' })
    expect(body.details).toEqual([{ field: 'expiresAt', message: 'must be in the future' }])
  })
})
