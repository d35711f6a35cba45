import { beforeEach, describe, expect, it } from 'vitest'
import { HTML, own } from '../browser.ts'
import { client } from '../client.ts'
import { fingerprint, queryDatabase } from '../database.ts'
import { cookiesOf, joining, newOwner, type Person, textOf } from './person.ts'

const PAGE = '/settings/keys'
let owner: Awaited<ReturnType<typeof newOwner>>
beforeEach(async () => {
  owner = await newOwner()
})

const keyIn = ({ text }: { text: string }) => /cal_[\w-]{43}/.exec(text)?.[0] ?? ''
const make = async (by: Person, fields: Record<string, string> = {}) =>
  keyIn(await by.press(PAGE, 'create', { note: '', expiresAt: '', ...fields }))
const idOf = async (key: string) => {
  const rows = await queryDatabase<{ id: number }>(
    'select id from api_keys where account_id = $1 and hint = $2',
    [owner.accountId, key.slice(-4)],
  )
  return String(rows[0]?.id)
}

describe(PAGE, () => {
  it('303 to the key, which is shown once and opens the API', async () => {
    const page = await owner.press(PAGE, 'create', { note: 'Till & bell', expiresAt: '' })
    const key = keyIn(page)
    expect(textOf(page)).toContain('it is not shown again')
    expect((await client(key).get('/api/services/services')).status).toBe(200)
    const again = await owner.open(PAGE)
    expect(again.text).not.toContain(key)
    expect(textOf(again)).toContain('Till & bell')
    expect(textOf(again)).toContain(key.slice(-4))
    expect(textOf(again)).toContain('last used')
    expect(textOf(again)).toContain('does not expire')
    expect(textOf(again)).toContain('Times are in the zone of your profile , America/New York.')
  })

  it('the notice with the key is gone once it was seen, and a script cannot read it', async () => {
    const reply = await owner.send(PAGE, { act: 'create' })
    const [line = ''] = cookiesOf(reply.headers)
    for (const part of ['__Host-notice=', 'HttpOnly', 'Secure', 'SameSite=Lax', 'Max-Age=60'])
      expect(line).toContain(part)
    expect(reply.text).toBe('')
    const cookie = `${owner.cookie}; ${line.split(';')[0]}`
    const shown = await owner.open(PAGE, { cookie })
    expect(keyIn(shown)).toMatch(/^cal_/)
    expect(cookiesOf(shown.headers)).toEqual([expect.stringMatching(/^__Host-notice=; Max-Age=0;/)])
  })

  it('until the end of the last day, in the zone of the user', async () => {
    const key = await make(owner, { expiresAt: '2041-07-01' })
    const [row] = await queryDatabase<{ expires_at: Date }>(
      'select expires_at from api_keys where id = $1',
      [await idOf(key)],
    )
    expect(row?.expires_at.toISOString()).toBe('2041-07-02T04:00:00.000Z')
    expect(textOf(await owner.open(PAGE))).toContain('works until the end of Jul 1, 2041')
  })

  it('422 for a day that is over or none; nothing is made', async () => {
    const before = await fingerprint(owner.accountId)
    for (const [expiresAt, fault] of [
      ['2020-01-01', 'Must be in the future.'],
      ['soon', 'Please enter a date such as 2026-03-08.'],
    ] as const) {
      const reply = await owner.send(PAGE, { act: 'create', note: 'Kept', expiresAt })
      expect(reply.status).toBe(422)
      expect(reply.text).toContain('id="expiresAt-fault"')
      expect(textOf(reply)).toContain(fault)
      expect(reply.text).toContain('value="Kept"')
    }
    const long = await owner.send(PAGE, { act: 'create', note: 'x'.repeat(201) })
    expect([long.status, long.text.includes('id="note-fault"')]).toEqual([422, true])
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('no copy is kept under an Idempotency-Key', async () => {
    const idempotency = crypto.randomUUID()
    const headers = { ...own(), 'idempotency-key': idempotency }
    const reply = await owner.send(PAGE, { act: 'create' }, headers)
    expect(reply.status).toBe(303)
    const rows = await queryDatabase('select * from idempotency_keys where key = $1', [idempotency])
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('cal_')
  })

  it('303 when revoked, which this function knows at once and others within 10 seconds', async () => {
    const key = await make(owner)
    // The page takes no key, but whose requests are counted shows whether it knows one.
    const limit = async () => (await client(key).get(PAGE, HTML)).headers.get('x-ratelimit-limit')
    const known = await limit()
    const page = await owner.press(PAGE, 'revoke', { id: await idOf(key) })
    expect([known, await limit()]).toEqual(['600', '60'])
    expect(textOf(page)).toContain('The key is revoked.')
    expect(page.text).not.toContain(`<code>${key.slice(-4)}</code>`)
  })

  it('404 for the key of another user of the account, which goes on working', async () => {
    const key = await make(owner)
    const admin = await joining(owner.accountId, 'admin')
    const reply = await admin.send(PAGE, { act: 'revoke', id: await idOf(key) })
    expect(reply.status).toBe(404)
    expect(textOf(reply)).toContain('API key does not exist.')
    expect((await client(key).get('/api/services/services')).status).toBe(200)
    expect((await admin.open(PAGE)).text).not.toContain(key.slice(-4))
  })

  it('shows the rest of many on further pages', async () => {
    await queryDatabase(
      `insert into api_keys (account_id, user_id, note, hash, hint, created_at)
       select $1, $2, 'Key ' || n, gen_random_uuid()::text, 'abcd', now() from generate_series(1, 60) n`,
      [owner.accountId, owner.userId],
    )
    const first = await owner.open(PAGE)
    const more = /href="(\/settings\/keys\?cursor=[^"]+)"/.exec(first.text)?.[1] ?? ''
    const second = await owner.open(more)
    expect(first.text.match(/name="act" value="revoke"/g)).toHaveLength(50)
    expect(second.text.match(/name="act" value="revoke"/g)).toHaveLength(11)
    expect((await owner.open(`${PAGE}?cursor=nonsense`)).status).toBe(400)
  })
})
