import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import { OPT_OUT } from '../database.ts'
import { fireJob, platform, readMessages } from '../platform.ts'

const pool = new pg.Pool({ connectionString: platform().databaseUrl, max: 4 })
let account: TestAccount
let serviceId: number
let customerId: number
/** Where this test's messages go: nobody else writes to it. */
let recipient: string

const MINUTE = 60_000
const now = () => new Date()
const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE)

async function insertRow(table: string, row: Record<string, unknown>): Promise<number> {
  const names = Object.keys(row)
  const slots = names.map((_, i) => `$${i + 1}`)
  const result = await pool.query<{ id: number }>(
    `insert into ${table} (${names.join()}) values (${slots.join()}) returning id`,
    Object.values(row),
  )
  return result.rows[0]!.id
}

const addAppointment = (change: Record<string, unknown> = {}) =>
  insertRow('appointments', {
    account_id: account.accountId,
    uid: crypto.randomUUID(),
    service_id: serviceId,
    customer_id: customerId,
    status: 'approved',
    start_time: later(24 * 60),
    end_time: later(25 * 60),
    currency: 'usd',
    source: 'api',
    created_at: now(),
    updated_at: now(),
    ...change,
  })

const addMessage = (subjectId: number | null, change: Record<string, unknown> = {}) =>
  insertRow('messages', {
    account_id: account.accountId,
    channel: 'email',
    kind: 'booking_confirmation',
    recipient,
    subject: subjectId === null ? null : 'appointment',
    subject_id: subjectId,
    dedupe: crypto.randomUUID(),
    next_at: now(),
    created_at: now(),
    ...change,
  })

async function readMessage(id: number) {
  const result = await pool.query(
    'select status, attempts, next_at, error, provider_id, sent_at from messages where account_id = $1 and id = $2',
    [account.accountId, id],
  )
  return result.rows[0]
}

/** Makes the next e-mails to this test's recipient go wrong. */
async function breakEmail(fault: { status: number; times: number; delayMilliseconds?: number }) {
  const body = JSON.stringify({ contains: recipient, ...fault })
  const answer = await fetch(`${platform().url}/_dev/resend/fault`, { method: 'POST', body })
  expect(answer.ok).toBe(true)
}

const delivered = () => readMessages({ to: recipient })

beforeAll(async () => {
  account = await createAccount()
  const stamps = { created_at: now(), updated_at: now() }
  const owned = { account_id: account.accountId, ...stamps }
  serviceId = await insertRow('services', {
    ...owned,
    name: 'Deep "tissue" & <more>',
    slug: 'deep',
    duration: 60,
  })
  customerId = await insertRow('customers', { ...owned, name: 'Ann', email: 'ann@example.com' })
})
beforeEach(() => {
  recipient = `${crypto.randomUUID()}@example.com`
})
afterAll(() => pool.end())

describe('job messages', () => {
  it('sends what is due, once', async () => {
    const id = await addMessage(await addAppointment())
    await fireJob('messages')
    await fireJob('messages', later(10))
    const [mail, ...others] = await delivered()
    expect(others).toEqual([])
    expect(mail?.subject).toMatch(/^Confirmed: Deep "tissue" & <more>, /)
    expect(mail?.html).toContain('Deep &quot;tissue&quot; &amp; &lt;more&gt;')
    expect(mail?.attachments[0]?.contentType).toContain('text/calendar')
    expect(await readMessage(id)).toMatchObject({ status: 'sent', attempts: 1, error: null })
    expect((await readMessage(id)).provider_id).toBeTruthy()
  })

  it('leaves what is due later', async () => {
    const id = await addMessage(await addAppointment(), { next_at: later(30) })
    await fireJob('messages', later(29))
    expect(await readMessage(id)).toMatchObject({ status: 'queued', attempts: 0 })
    await fireJob('messages', later(31))
    expect(await readMessage(id)).toMatchObject({ status: 'sent' })
  })

  it('sends each message once when two runs overlap', async () => {
    const subject = await addAppointment()
    const ids = await Promise.all(Array.from({ length: 30 }, () => addMessage(subject)))
    await breakEmail({ status: 200, times: 10, delayMilliseconds: 150 })
    await Promise.all([fireJob('messages'), fireJob('messages'), fireJob('messages')])
    expect(await delivered()).toHaveLength(ids.length)
    const rows = await Promise.all(ids.map(readMessage))
    expect(rows.map(row => row.attempts)).toEqual(ids.map(() => 1))
  })

  it('passes over what another run is taking at this moment', async () => {
    const id = await addMessage(await addAppointment())
    const other = await pool.connect()
    try {
      await other.query('begin')
      await other.query('select from messages where account_id = $1 and id = $2 for update', [
        account.accountId,
        id,
      ])
      await fireJob('messages')
      expect(await readMessage(id)).toMatchObject({ status: 'queued', attempts: 0 })
    } finally {
      await other.query('rollback')
      other.release()
    }
    await fireJob('messages')
    expect(await delivered()).toHaveLength(1)
  })

  it('tries again after 1, 5, 30, 120 and 360 minutes, then gives up', async () => {
    // Far from the clock, by which the platform fires the same job.
    const start = Date.now() + 1440 * MINUTE
    const at = (minutes: number) => new Date(start + minutes * MINUTE)
    const subject = await addAppointment({ start_time: at(5000), end_time: at(5060) })
    const id = await addMessage(subject, { next_at: at(0) })
    let elapsed = 0
    for (const wait of [1, 5, 30, 120, 360]) {
      await breakEmail({ status: 500, times: 1 })
      await fireJob('messages', at(elapsed))
      const row = await readMessage(id)
      expect(row.status).toBe('queued')
      expect(row.error).toContain('500')
      expect(row.next_at.getTime() - at(elapsed).getTime()).toBe(wait * MINUTE)
      elapsed += wait
    }
    await breakEmail({ status: 500, times: 1 })
    await fireJob('messages', at(elapsed))
    expect(await readMessage(id)).toMatchObject({ status: 'failed', attempts: 6 })
    await fireJob('messages', at(elapsed + 1000))
    expect(await delivered()).toEqual([])
  })

  it('delivers at the next try what a broken connection held up', async () => {
    const id = await addMessage(await addAppointment())
    await breakEmail({ status: 0, times: 1 })
    await fireJob('messages')
    expect(await delivered()).toEqual([])
    await fireJob('messages', later(2))
    expect(await delivered()).toHaveLength(1)
    expect(await readMessage(id)).toMatchObject({ status: 'sent', attempts: 2, error: null })
  })

  it('delivers once when the sender died after sending and the row comes up again', async () => {
    const id = await addMessage(await addAppointment())
    await fireJob('messages')
    await pool.query(
      `update messages set status = 'queued', provider_id = null where account_id = $1 and id = $2`,
      [account.accountId, id],
    )
    await fireJob('messages', later(2))
    expect(await delivered()).toHaveLength(1)
    expect(await readMessage(id)).toMatchObject({ status: 'sent', attempts: 2 })
  })

  it('does not send the same e-mail twice in other words', async () => {
    const subject = await addAppointment()
    const id = await addMessage(subject)
    await fireJob('messages')
    await pool.query(`update messages set status = 'queued' where account_id = $1 and id = $2`, [
      account.accountId,
      id,
    ])
    await pool.query(
      'update appointments set version = version + 1 where account_id = $1 and id = $2',
      [account.accountId, subject],
    )
    await fireJob('messages', later(2))
    expect(await delivered()).toHaveLength(1)
    expect(await readMessage(id)).toMatchObject({ status: 'sent' })
  })

  it('gives up at once when the provider refuses the e-mail itself', async () => {
    const id = await addMessage(await addAppointment())
    await breakEmail({ status: 422, times: 1 })
    await fireJob('messages')
    expect(await readMessage(id)).toMatchObject({ status: 'failed', attempts: 1 })
  })

  it('skips a confirmation of an appointment that was canceled meanwhile', async () => {
    const id = await addMessage(await addAppointment({ status: 'canceled' }))
    await fireJob('messages')
    expect(await delivered()).toEqual([])
    expect(await readMessage(id)).toMatchObject({
      status: 'sent',
      provider_id: null,
      sent_at: null,
    })
    expect((await readMessage(id)).error).toMatch(/^skipped/)
  })

  it('one message that cannot be made does not hold up the others', async () => {
    const broken = await addMessage(
      await addAppointment({ currency: 'not money', total_amount: 5 }),
    )
    const good = await addMessage(await addAppointment())
    await fireJob('messages')
    expect(await readMessage(broken)).toMatchObject({ status: 'queued', attempts: 1 })
    expect(await readMessage(good)).toMatchObject({ status: 'sent' })
  })

  it('lists the dates of a series in one e-mail', async () => {
    const seriesId = await insertRow('appointment_series', {
      account_id: account.accountId,
      rule: 'weekly',
      count: 3,
      created_at: now(),
    })
    const dates = await Promise.all(
      [1, 2, 3].map(day =>
        addAppointment({
          series_id: seriesId,
          start_time: later(day * 1440),
          end_time: later(day * 1440 + 60),
        }),
      ),
    )
    await addMessage(dates[0]!, { data: { seriesId } })
    await fireJob('messages')
    const [mail] = await delivered()
    expect(mail?.subject).toContain('3 dates from')
    expect(mail?.html?.match(/<li/g)).toHaveLength(3)
  })

  it('sends also to a customer who wants no advertising', async () => {
    const email = 'bea@example.com'
    const bea = { name: 'Bea', email, created_at: now(), updated_at: now() }
    const unsubscribed = await insertRow('customers', { account_id: account.accountId, ...bea })
    await pool.query(OPT_OUT, [account.accountId, email])
    await addMessage(await addAppointment({ customer_id: unsubscribed }))
    await fireJob('messages')
    expect(await delivered()).toHaveLength(1)
  })
})

describe('job cleanup', () => {
  it('deletes what has expired and nothing else', async () => {
    const key = crypto.randomUUID()
    const addKey = (name: string, expires: Date) =>
      pool.query(
        `insert into idempotency_keys (scope, key, fingerprint, token, lease_until, expires_at)
         values ('test', $1, '', '', $2, $2)`,
        [name, expires],
      )
    await Promise.all(Array.from({ length: 1200 }, (_, i) => addKey(`${key}-${i}`, later(-1))))
    await addKey(`${key}-live`, later(60))
    const session = (hash: string, expires: Date) =>
      insertRow('web_sessions', {
        account_id: account.accountId,
        user_id: account.userId,
        hash,
        created_at: now(),
        expires_at: expires,
      })
    await session(`${key}-old`, later(-1))
    await session(`${key}-live`, later(60))
    await Promise.all([fireJob('cleanup'), fireJob('cleanup')])
    const keys = await pool.query('select key from idempotency_keys where key like $1', [`${key}%`])
    expect(keys.rows).toEqual([{ key: `${key}-live` }])
    const sessions = await pool.query('select hash from web_sessions where hash like $1', [
      `${key}%`,
    ])
    expect(sessions.rows).toEqual([{ hash: `${key}-live` }])
  })
})
