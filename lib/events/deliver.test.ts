import { describe, expect, it } from 'vitest'
import type { Base } from '#lib/core/context.ts'
import { notConfigured } from '#lib/core/errors.ts'
import type { Cells } from '#lib/db/client.ts'
import { deliverEvents } from './deliver.ts'

/** What waits: so many deliveries of each of some webhooks, which may be failing. */
interface Due {
  webhooks: number
  each: number
  isFailing?: boolean
}

/** What a claim answers, as the database writes it: the receiver stands in the first of its webhook. */
function claimed({ webhooks, each, isFailing = false }: Due, firstId: number): Cells {
  const nothing = { payloadTemplate: null, secret: null, previousSecret: null }
  return Array.from({ length: webhooks * each }, (_, n) => {
    const id = firstId + n
    const webhookId = firstId + Math.floor(n / each)
    const subscriberUrl = `http://127.0.0.1/${isFailing ? 'failing' : 'well'}/${webhookId}`
    const receiver = { ...nothing, id: webhookId, subscriberUrl, previousSecretUntil: null }
    const told = n % each === 0 ? JSON.stringify({ ...receiver, isFailing }) : null
    const at = '2026-03-01T12:00:00Z'
    return ['1', String(id), '1', `e${id}`, 'BOOKING_CREATED', at, '{}', told]
  })
}

/** Sends what is due, 24 at once, to receivers that take a moment; counts what is under way. */
async function deliver(...due: Due[]) {
  const open: string[] = []
  const most = { all: 0, one: 0, failing: 0 }
  let sent = 0
  const post = async ({ url }: { url: string }) => {
    open.push(url)
    most.all = Math.max(most.all, open.length)
    most.one = Math.max(most.one, open.filter(other => other === url).length)
    most.failing = Math.max(most.failing, open.filter(other => /failing/.test(other)).length)
    await new Promise(resolve => setTimeout(resolve, 3))
    open.splice(open.indexOf(url), 1)
    sent++
    return { status: 200, fault: null, durationMs: 3 }
  }
  const waiting = due.flatMap((some, n) => claimed(some, 1000 * (n + 1)))
  const settings = { publicUrl: '', secret: '', emailFrom: '', allowLoopback: true }
  const base: Base = {
    now: new Date('2026-03-01T12:00:00Z'),
    ...{ requestId: 'r', via: 'api', settings: { ...settings, deliveriesAtOnce: 24 } },
    // A claim is the last statement of a trip; what waits is taken by the first.
    db: {
      trip: async statements =>
        statements.map((_, n) => (n === statements.length - 1 ? waiting.splice(0) : [])),
    },
    ports: {
      email: () => notConfigured('RESEND_API_KEY'),
      sms: () => notConfigured('TWILIO_ACCOUNT_SID'),
      dns: () => ({ addresses: () => Promise.reject(new Error('asked for a name')) }),
      poster: () => ({ post }),
      video: () => notConfigured('DAILY_API_KEY'),
    },
    admission: () => Promise.resolve(),
    after: () => {},
    enter: () => {
      throw new Error('entered an account')
    },
  }
  await deliverEvents(base)
  return { ...most, sent }
}

describe('of what is under way at once', () => {
  it('one webhook has a third, however much waits for it', async () => {
    expect(await deliver({ webhooks: 1, each: 60 })).toEqual({
      ...{ all: 8, one: 8, failing: 0, sent: 60 },
    })
  })

  it('three have all of it', async () => {
    expect(await deliver({ webhooks: 3, each: 30 })).toMatchObject({ all: 24, one: 8, sent: 90 })
  })

  it('one that is failing has a twelfth', async () => {
    const due = { webhooks: 1, each: 20, isFailing: true }
    expect(await deliver(due)).toMatchObject({ one: 2, failing: 2, sent: 20 })
  })

  it('all that are failing have a third, and leave the rest to the others', async () => {
    const failing = { webhooks: 20, each: 2, isFailing: true }
    const { sent, ...most } = await deliver(failing, { webhooks: 20, each: 2 })
    expect([sent, most.failing, most.all]).toEqual([80, 8, 24])
  })
})
