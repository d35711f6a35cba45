import { beforeAll, describe, expect, it } from 'vitest'
import { endPreviousClientSecret, rotateClientSecret } from '#lib/domain/oauth/clients.ts'
import type { ShownClient } from '#lib/domain/oauth/schema.ts'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'
import {
  codeFor,
  credentials,
  exchange,
  inNameOf,
  makeClient,
  post,
  refresh,
  type SignedIn,
  signedInAccount,
} from './world.ts'

const MINUTE = 60_000
const at = (ms: number) => ({ 'x-test-now': new Date(Date.now() + ms).toISOString() })

let user: SignedIn
beforeAll(async () => {
  user = await signedInAccount()
})

describe('a client whose secret was changed', () => {
  const changed = async (overlapMinutes?: number) => {
    const old = await makeClient(user)
    const { id } = old
    const rotation = overlapMinutes === undefined ? { id } : { id, overlapMinutes }
    const next = await inNameOf(user, m => rotateClientSecret(m, rotation))
    return { id, old, next }
  }
  const asked = async (client: ShownClient, ms = 0) => {
    const token = exchange(client, 'no code')
    const { status, body } = await post('token', token, at(ms))
    return [status, body.error]
  }
  const [ENDED, WORKS] = [
    [401, 'invalid_client'],
    [400, 'invalid_grant'],
  ]

  it('200 with either of the two for a day, and to the second', async () => {
    const { old, next } = await changed()
    for (const client of [old, next]) {
      const tokens = await post('token', exchange(client, await codeFor(user, client)))
      expect(tokens.status).toBe(200)
      const again = refresh(client, tokens.body.refresh_token)
      expect((await post('refreshToken', again)).status).toBe(200)
    }
    const until = Date.parse(String(next.previousSecretUntil)) - Date.now()
    expect(until / MINUTE).toBeCloseTo(1440, 0)
    expect(await asked(old, until - 2000)).toEqual(WORKS)
    expect(await asked(old, until + 2000)).toEqual(ENDED)
    expect(await asked(next, until + 2000)).toEqual(WORKS)
    const revoked = await post('revoke', { ...credentials(old), token: 'none' }, at(until + 2000))
    expect([revoked.status, revoked.body.error]).toEqual(ENDED)
  })

  it('401 with the one before where nothing else was asked for', async () => {
    const { old, next } = await changed(0)
    expect(await asked(old)).toEqual(ENDED)
    expect(await asked(next)).toEqual(WORKS)
  })

  it('401 with the one before once it was ended', async () => {
    const { id, old, next } = await changed()
    const ended = await inNameOf(user, m => endPreviousClientSecret(m, { id }))
    expect(ended.read().previousSecretUntil).toBeNull()
    expect(await asked(old)).toEqual(ENDED)
    expect(await asked(next)).toEqual(WORKS)
  })

  it('401 with the one before the one before', async () => {
    const { id, old, next } = await changed()
    const last = await inNameOf(user, m => rotateClientSecret(m, { id }))
    expect(await asked(old)).toEqual(ENDED)
    expect(await asked(next)).toEqual(WORKS)
    expect(await asked(last)).toEqual(WORKS)
  })

  it('the one before is forgotten when it has ended', async () => {
    const { id } = await changed(0)
    const kept = await changed()
    await fireJob('cleanup')
    const rows = await queryDatabase(
      'select id, previous_secret_hash is null as gone from oauth_clients where id = any($1)',
      [[id, kept.id]],
    )
    expect(Object.fromEntries(rows.map(r => [r.id, r.gone]))).toEqual({
      [id]: true,
      [kept.id]: false,
    })
  })
})
