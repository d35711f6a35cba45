import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { callTool, post, request } from './rpc.ts'

let account: TestAccount
beforeAll(async () => {
  account = await createAccount()
})

const create = (name: string, meta?: object, headers?: Record<string, string>) =>
  callTool(
    'create_customer',
    { name },
    { key: account.apiKey, ...(meta ? { meta } : {}), ...(headers ? { headers } : {}) },
  )

const countOf = async (name: string) => {
  const sql = 'select count(*) as n from customers where account_id = $1 and name = $2'
  return Number((await queryDatabase(sql, [account.accountId, name]))[0]?.n)
}

describe('_meta.idempotencyKey', () => {
  it('the same call again is answered alike, and carried out once', async () => {
    const meta = { idempotencyKey: crypto.randomUUID() }
    const [first, again] = [await create('Once', meta), await create('Once', meta)]
    expect([first.isError, again.text]).toEqual([false, first.text])
    expect(again.structured).toEqual(first.structured)
    expect(await countOf('Once')).toBe(1)
  })

  it('many at once are carried out once: the others are told, or answered alike', async () => {
    const meta = { idempotencyKey: crypto.randomUUID() }
    const all = await Promise.all(Array.from({ length: 12 }, () => create('Race', meta)))
    expect(await countOf('Race')).toBe(1)
    const made = all.filter(o => !o.isError)
    expect(new Set(made.map(o => o.text)).size).toBe(1)
    for (const o of all.filter(o => o.isError)) expect(o.value.error).toBe('CONFLICT')
  })

  it('another call with the same key is refused by the field', async () => {
    const meta = { idempotencyKey: crypto.randomUUID() }
    await create('First', meta)
    const other = await create('Second', meta)
    expect([other.isError, other.value.error]).toEqual([true, 'VALIDATION_ERROR'])
    expect(await countOf('Second')).toBe(0)
  })

  it('who may do less is not told what another was answered', async () => {
    const meta = { idempotencyKey: crypto.randomUUID() }
    await create('Not for all', meta)
    const name = { name: 'Not for all' }
    const staff = await callTool('create_customer', name, { key: account.staff.apiKey, meta })
    expect([staff.isError, staff.value.error]).toEqual([true, 'VALIDATION_ERROR'])
  })

  it('repeats a refusal of the operation; arguments that are wrong do not use the key up', async () => {
    const meta = { idempotencyKey: crypto.randomUUID() }
    const wrong = await callTool('update_customer', { id: 'x' }, { key: account.apiKey, meta })
    expect(wrong.value.error).toBe('VALIDATION_ERROR')
    const gone = { id: 2147483647, name: 'Nobody' }
    const [first, again] = [
      await callTool('update_customer', gone, { key: account.apiKey, meta }),
      await callTool('update_customer', gone, { key: account.apiKey, meta }),
    ]
    expect([first.value.error, again.text]).toEqual(['NOT_FOUND', first.text])
  })

  it('goes for a bulk change as a whole', async () => {
    const { body } = await account.client.post('/api/services/services', { name: 'Cut' })
    const times = { startTime: '2031-06-02T14:00:00Z', endTime: '2031-06-02T15:00:00Z' }
    const made = await account.client.post('/api/services/appointments', {
      serviceId: body.id,
      ...times,
    })
    const args = { ids: [Number(made.body.id), 2147483647], status: 'canceled' }
    const meta = { idempotencyKey: crypto.randomUUID() }
    const sender = { key: account.apiKey, meta }
    const [first, again] = [
      await callTool('bulk_update_appointments', args, sender),
      await callTool('bulk_update_appointments', args, sender),
    ]
    expect(first.value).toMatchObject({
      updated: 1,
      updatedIds: [Number(made.body.id)],
      failed: [{ id: 2147483647, error: 'NOT_FOUND' }],
    })
    expect(again.text).toBe(first.text)
    const anew = await callTool('bulk_update_appointments', args, { key: account.apiKey })
    expect(anew.value).toMatchObject({
      updated: 0,
      failed: [{ error: 'CONFLICT' }, { error: 'NOT_FOUND' }],
    })
  })

  it('must have 1 to 255 characters; for what changes nothing it means nothing', async () => {
    for (const idempotencyKey of ['', 'x'.repeat(256), 7]) {
      const { isError, value } = await create('Bad key', { idempotencyKey })
      expect([isError, value.details?.[0]?.field]).toEqual([true, '_meta.idempotencyKey'])
    }
    const meta = { idempotencyKey: 7 }
    expect((await callTool('list_services', {}, { key: account.apiKey, meta })).isError).toBe(false)
  })
})

describe('the header Idempotency-Key', () => {
  it('goes for the call that has no key of its own', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const [first, again] = [
      await create('By header', undefined, headers),
      await create('By header', undefined, headers),
    ]
    expect([again.text, await countOf('By header')]).toEqual([first.text, 1])
  })

  it('of a batch goes for each call by its place', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const batch = ['A', 'B'].map((name, id) =>
      request('tools/call', { name: 'create_customer', arguments: { name: `Batch ${name}` } }, id),
    )
    const sender = { key: account.apiKey, headers }
    const [first, again] = [await post(batch, sender), await post(batch, sender)]
    expect([again.text, await countOf('Batch A'), await countOf('Batch B')]).toEqual([
      first.text,
      1,
      1,
    ])
  })
})
