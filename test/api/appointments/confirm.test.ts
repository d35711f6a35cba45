import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '#lib/core/tokens.ts'
import { client } from '../../client.ts'
import { platform, readMessages } from '../../platform.ts'
import {
  at,
  atOnce,
  BOOK,
  bookingBy,
  by,
  clocked,
  closeRows,
  eventsOf,
  hourFrom,
  minutesAfter,
  NOW,
  openShop,
  rows,
  type Shop,
  someAddress,
  tally,
} from './shop.ts'

const CONFIRM = '/api/services/confirm-appointment'
const visitor = clocked(client())
/** A business that wants its customers to confirm. */
let shop: Shop
beforeAll(async () => {
  shop = await openShop({ service: { enableRecurring: true } })
  await shop.client.patch('/api/services/company-settings', {
    bookingPolicy: { autoConfirm: false },
  })
})
afterAll(closeRows)

let day = 0
const start = () => at('10:00', new Date(Date.UTC(2030, 3, ++day)).toISOString().slice(0, 10))
const confirm = (token: unknown, now = NOW) =>
  clocked(client(), now).post(CONFIRM, { token }, someAddress())

/** The token of the link in the letter that asks for a confirmation. */
async function tokenFor(to: string): Promise<string> {
  const requests = async () =>
    (await readMessages({ to })).filter(m => m.subject?.startsWith('Please confirm'))
  await expect.poll(requests).toHaveLength(1)
  const [letter] = await requests()
  return /\/confirm\?token=([\w.-]+)/.exec(letter?.text ?? '')?.[1] ?? 'no link'
}

/** Books and answers what was answered, the appointment's id and the token. */
async function pending(more: object = {}, from = start()) {
  const email = `${crypto.randomUUID()}@example.com`
  const { body } = await visitor.post(
    BOOK,
    bookingBy(shop.serviceId, from, more, email),
    someAddress(),
  )
  expect(body.status).toBe('pending')
  const [row] = await rows<{ id: number }>('select id from appointments where uid = $1', [body.uid])
  return { body, email, id: Number(row?.id), token: await tokenFor(email) }
}
const statusOf = async (id: unknown) => (await shop.client.get(by(id))).body.data.status

describe('POST /confirm-appointment', () => {
  it('200 with the token of the letter, again 200, and a letter that it is confirmed', async () => {
    const { body, email, id, token } = await pending()
    const { uid, startTime, endTime } = body
    const expected = {
      status: 'success',
      data: { status: 'approved', appointment: { uid, startTime, endTime } },
    }
    const first = await confirm(token)
    const again = await confirm(token)
    expect([first.status, first.body]).toEqual([200, expected])
    expect([again.status, again.body]).toEqual([200, expected])
    expect(await statusOf(id)).toBe('approved')
    expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'UPDATED'])
    await expect
      .poll(async () => (await readMessages({ to: email })).map(m => m.subject?.split(':')[0]))
      .toEqual(['Confirmed', 'Please confirm'])
  })

  it('200 for all of twelve at once, with one event', async () => {
    const { id, token } = await pending()
    const replies = await atOnce(12, () => confirm(token))
    expect(tally(replies)).toEqual({ 200: 12 })
    expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'UPDATED'])
  })

  it('200 for every date of a series by its one letter', async () => {
    const weekly = { recurrenceRule: 'weekly', recurrenceCount: 3 }
    const { body, email, token } = await pending(weekly)
    expect((await confirm(token)).status).toBe(200)
    const uids = (body.occurrences as unknown as { uid: string }[]).map(o => o.uid)
    const found = await rows<{ id: number; status: string }>(
      'select id, status from appointments where uid = any($1)',
      [uids],
    )
    expect(found.map(row => row.status)).toEqual(['approved', 'approved', 'approved'])
    for (const { id } of found)
      expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'UPDATED'])
    await expect
      .poll(async () => (await readMessages({ to: email })).map(m => m.subject?.split(':')[0]))
      .toEqual(['Confirmed', 'Please confirm'])
  })

  it('200 for what the business made pending itself', async () => {
    const email = `${crypto.randomUUID()}@example.com`
    const customerId = await shop.customer({ email })
    const made = await shop.make('appointments', {
      serviceId: shop.serviceId,
      customerId,
      status: 'pending',
      ...hourFrom(start()),
    })
    expect((await confirm(await tokenFor(email))).status).toBe(200)
    expect(await statusOf(made.id)).toBe('approved')
  })

  it('409 for what was canceled or completed meanwhile', async () => {
    const { id, token } = await pending()
    await shop.client.put(by(id), { status: 'canceled' })
    const { status, body } = await confirm(token)
    expect([status, body.error]).toEqual([409, 'CONFLICT'])
    expect(await statusOf(id)).toBe('canceled')
    expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'CANCELLED'])
  })

  it('422 without a token for who has credentials: they are not the customer', async () => {
    const { status, body } = await shop.client.post(CONFIRM, {})
    expect([status, body.details]).toEqual([422, [{ field: 'token', message: 'required' }]])
  })

  it('400 for a token that is forged, of another purpose, of another key, or expired', async () => {
    const { body, id, token } = await pending()
    const [subject, expires, signature] = token.split('.')
    const secret = String(platform().bindings.APP_SECRET)
    const claims = {
      purpose: 'confirm',
      subject: String(body.uid),
      expiresAt: new Date('2030-12-31'),
    }
    const genuine = { ...claims, expiresAt: new Date(String(body.startTime)) }
    expect(await signToken(secret, genuine)).toBe(token)
    const forged = [
      `${subject}.${expires}.${'A'.repeat(signature!.length)}`,
      `${subject}.zzzzzzzzz.${signature}`,
      `${token}.x`,
      'x',
      String(body.uid),
      await signToken(`${secret}x`, claims),
      await signToken(secret, { ...claims, purpose: 'manage' }),
    ]
    for (const bad of forged) {
      const { status, body } = await confirm(bad)
      expect([bad, status, body.error]).toEqual([bad, 400, 'BAD_REQUEST'])
    }
    expect((await confirm(token, String(body.startTime))).status).toBe(400)
    expect(await statusOf(id)).toBe('pending')
    const last = minutesAfter(String(body.startTime), -1 / 60)
    expect((await confirm(token, last)).status).toBe(200)
  })

  it('400 beside the uid of another appointment, 200 beside its own', async () => {
    const { body, id, token } = await pending()
    const ask = (uid: unknown) => visitor.post(CONFIRM, { token, uid }, someAddress())
    expect((await ask(crypto.randomUUID())).status).toBe(400)
    expect(await statusOf(id)).toBe('pending')
    expect((await ask(body.uid)).status).toBe(200)
  })

  it('200 with the token in the query, with or without a body', async () => {
    for (const body of [undefined, {}]) {
      const { id, token } = await pending()
      const path = `${CONFIRM}?token=${token}`
      const { status } = await visitor.post(path, body, someAddress())
      expect([status, await statusOf(id)]).toEqual([200, 'approved'])
    }
  })
})
