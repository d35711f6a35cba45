// What the tests of webhooks share: an account and a receiver.
import { afterAll, beforeAll, expect } from 'vitest'
import { type Client, createAccount, type TestAccount } from '../client.ts'
import { type Receiver, startReceiver } from '../events/receiver.ts'
import { platform } from '../platform.ts'

export const WEBHOOKS = '/api/services/webhooks'
export const by = (id: unknown) => `${WEBHOOKS}?id=${id}`
export let account: TestAccount
export let owner: Client
export let receiver: Receiver

/** Opens them for the tests of a file. */
export function openWorld(): void {
  beforeAll(async () => {
    account = await createAccount()
    owner = account.client
    receiver = await startReceiver(({ path }, response) => {
      const [, kind, status] = path.split(/[/?]/)
      if (kind === 'redirect') {
        response.setHeader('location', `${receiver.url}/secret`)
        return 302
      }
      return status === undefined ? 200 : Number(status)
    })
  })
  afterAll(() => receiver.stop())
}

let count = 0
/** A number that no other request of the file has. */
export const nextCount = (): number => ++count
export const body = (more: object = {}) => ({
  subscriberUrl: `${receiver.url}/status/200?n=${nextCount()}`,
  triggers: ['SERVICE_BOOKING_CREATED'],
  ...more,
})
export const create = async (more: object = {}) => {
  const made = await owner.post(WEBHOOKS, body(more))
  expect(made, made.text).toMatchObject({ status: 201 })
  return made.body
}
export const fault = async (more: object): Promise<string> => {
  const { status, body: answer, text } = await owner.post(WEBHOOKS, body(more))
  expect(status, text).toBe(422)
  const [detail] = answer.details as unknown as { field: string; message: string }[]
  return `${detail?.field}: ${detail?.message}`
}
export const resetNames = () => fetch(`${platform().url}/_dev/dns/forget`, { method: 'POST' })
