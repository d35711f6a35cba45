import { sql } from 'drizzle-orm'
import type { ServiceBookingPayload } from '#lib/events/catalog.ts'
import { emitFrom } from '#lib/events/emit.ts'
import { type Body, type Client, createAccount, directly, type TestAccount } from '../client.ts'
import { platform } from '../platform.ts'

const WEBHOOKS = '/api/services/webhooks'

/** A subject that events are about, which a test numbers as it likes. */
export interface Subject {
  subjectId: number
  version: number
}

/** A business that has subscribed to events, and ways to make them happen. */
export interface Subscriber {
  at: ReturnType<typeof platform>
  account: TestAccount
  client: Client
  subscribe(subscriberUrl: string, more?: object): Promise<number>
  /** The deliveries of a webhook, oldest first. */
  deliveries(webhookId: number): Promise<Body[]>
  webhook(id: number): Promise<Body>
}

/** Opens an account without any webhook, on the shared platform or another. */
export async function openSubscriber(at = platform()): Promise<Subscriber> {
  const account = await createAccount('enterprise', {}, at)
  const { client } = account
  const subscribe = async (subscriberUrl: string, more: object = {}) => {
    const triggers = ['SERVICE_BOOKING_UPDATED']
    const made = await client.post(WEBHOOKS, { subscriberUrl, triggers, ...more })
    if (made.status !== 201) throw new Error(made.text)
    return Number(made.body.id)
  }
  const deliveries = async (webhookId: number) => {
    const path = `${WEBHOOKS}/deliveries?webhookId=${webhookId}&sort=id&limit=100`
    return (await client.get(path)).items
  }
  const webhook = async (id: number) => (await client.get(`${WEBHOOKS}?id=${id}`)).body.data
  return { at, account, client, subscribe, deliveries, webhook }
}

/**
 * Emits events as a write leaves them that was cut off before it could send: one for each subject, in
 * their order; the price tells the version. They are due at once.
 */
export const leaveEvents = (
  { account, at }: Subscriber,
  subjects: readonly Subject[],
): Promise<unknown> =>
  directly(
    async base => {
      const write = base.enter(account.accountId).write('test.emit')
      for (const { subjectId, version } of subjects)
        write.run(emitUpdate, {
          ...{ type: 'SERVICE_BOOKING_UPDATED', now: base.now.toISOString(), subjectId, version },
          payload: JSON.stringify({ ...PAYLOAD, id: subjectId, price: version }),
        })
      await write.commit(undefined)
    },
    new Date(),
    at,
  )

const emitUpdate = emitFrom<Subject & { payload: string }>(p => ({
  subject: 'appointment',
  subjectId: sql`${p.subjectId}::int`,
  version: sql`${p.version}::int`,
  payload: sql`${p.payload}::json`,
  from: sql``,
}))

const PAYLOAD = {
  ...{ uid: 'u', title: 'Cut', type: 'cut', status: 'approved', previousStatus: 'pending' },
  ...{ startTime: '2031-01-01T00:00:00.000Z', endTime: '2031-01-01T01:00:00.000Z' },
  ...{ organizer: null, attendees: [], service: { id: 1, name: 'Cut' }, customer: null },
  ...{ employee: null, location: null, currency: 'usd' },
} satisfies Partial<ServiceBookingPayload>
