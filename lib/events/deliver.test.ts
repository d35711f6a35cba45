import { describe, expect, it } from 'vitest'
import type { Base } from '#lib/core/context.ts'
import { notConfigured } from '#lib/core/errors.ts'
import type { Cells, Statement } from '#lib/db/client.ts'
import type { OutgoingPost, Poster } from '#lib/providers/webhooks/port.ts'
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

/** When runs begin here. */
const NOW = Date.parse('2026-03-01T12:00:00Z')

/** What a run has: what is due, a poster, and how long ago it began. Each trip is told to `onTrip`. */
function baseOf(
  due: readonly Due[],
  { post, elapsed = () => 0, onTrip }: Pick<Poster, 'post'> & Partial<Watched>,
): Base {
  const waiting = due.flatMap((some, n) => claimed(some, 1000 * (n + 1)))
  const settings = { publicUrl: '', secret: '', emailFrom: '', allowLoopback: true }
  return {
    ...{ now: new Date(NOW), elapsed },
    ...{ requestId: 'r', via: 'api', settings: { ...settings, deliveriesAtOnce: 24 } },
    // A claim is the last statement of a trip; what waits is taken by the first.
    db: {
      trip: async statements => {
        onTrip?.(statements)
        return statements.map((_, n) => (n === statements.length - 1 ? waiting.splice(0) : []))
      },
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
}

interface Watched {
  elapsed: Base['elapsed']
  onTrip(statements: readonly Statement[]): void
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
  await deliverEvents(baseOf(due, { post }))
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

describe('a run that lasts', () => {
  /**
   * When the next try of each is due, in seconds after the run began, of a receiver that takes 4 s to
   * answer 503, or does not answer within 10 s. The run itself begins 3 s after its `now`.
   */
  async function dueAgain(each: number, status: number | null) {
    let seconds = 3
    const nextAt: number[] = []
    const sentAt: string[] = []
    const notedAt: unknown[] = []
    const post = async ({ headers }: OutgoingPost) => {
      sentAt.push(String(headers['x-service-timestamp']))
      const took = status === null ? 10 : 4
      seconds += took
      return { status, fault: status === null ? 'timeout' : null, durationMs: took * 1000 } as const
    }
    const onTrip = (statements: readonly Statement[]) => {
      for (const { params } of statements.filter(({ params }) => params.some(Array.isArray)))
        notedAt.push(
          ...params.filter(param => /^2026-/.test(String(param)) && param === String(param)),
        )
      const lists = statements.flatMap(({ params }) => params.filter(Array.isArray))
      const instants = lists.find(list => list.length > 0 && /^2026-/.test(String(list[0])))
      for (const at of instants ?? []) nextAt.push((Date.parse(String(at)) - NOW) / 1000)
    }
    const elapsed = () => seconds * 1000
    await deliverEvents(baseOf([{ webhooks: 1, each }], { post, elapsed, onTrip }))
    return { nextAt, sentAt, notedAt }
  }

  it('tries again 5 s after a try has ended, or up to 15 % earlier, however late that is', async () => {
    const { nextAt } = await dueAgain(3, 503)
    expect(nextAt).toHaveLength(3)
    for (const [n, at] of nextAt.entries()) {
      const ended = 3 + 4 * (n + 1)
      expect(at).toBeGreaterThanOrEqual(ended + 4.25)
      expect(at).toBeLessThanOrEqual(ended + 5)
    }
  })

  it('puts off by 5 s from then on what waits for a receiver that keeps silent', async () => {
    const { nextAt } = await dueAgain(3, null)
    const [tried, ...released] = nextAt.toSorted((a, b) => a - b)
    expect(tried).toBeGreaterThanOrEqual(13 + 4.25)
    expect(tried).toBeLessThanOrEqual(13 + 5)
    expect(released).toEqual([18, 18])
  })

  it('says of each try when it was sent', async () => {
    const { sentAt } = await dueAgain(3, 503)
    const seconds = ['03', '07', '11']
    expect(sentAt).toEqual(seconds.map(second => `2026-03-01T12:00:${second}.000Z`))
  })
  it('notes a try when it has ended', async () => {
    const { notedAt } = await dueAgain(3, 503)
    expect(notedAt.at(-1)).toBe('2026-03-01T12:00:15.000Z')
  })
})
