import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  newAddress,
  visitor,
} from '../calendar/world.ts'
import { type Receiver, startReceiver, until } from './receiver.ts'

let calendar: Calendar
let receiver: Receiver
const AT = '2027-03-03T15:00:00.000Z'

beforeAll(async () => {
  calendar = await createCalendar()
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

const subscribe = async (path: string, more: object = {}) => {
  const triggers = ['BOOKING_CREATED', 'BOOKING_CANCELLED']
  const body = { subscriberUrl: receiver.url + path, triggers, ...more }
  const made = await calendar.account.client.post('/api/services/webhooks', body)
  expect(made, made.text).toMatchObject({ status: 201 })
}
const triggersAt = (path: string) => receiver.at(path).map(({ json }) => json.triggerEvent)

describe('a subscription to bookings', () => {
  it('gets them in their order, of all event types or of the one that it names', async () => {
    const other = await calendar.account.client.post('/api/services/webhooks', {
      subscriberUrl: `${receiver.url}/elsewhere`,
      triggers: ['BOOKING_CREATED'],
      eventTypeId: (await createCalendar()).eventTypeId,
    })
    expect(other.status).toBe(404)
    await subscribe('/all')
    await subscribe('/one', { eventTypeId: calendar.eventTypeId })
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    const headers = { ...clock, 'x-test-client': newAddress() }
    expect((await visitor.post('/api/cancel', { uid: body.uid }, headers)).status).toBe(200)
    for (const path of ['/all', '/one']) {
      await until(() => receiver.at(path).length === 2)
      expect(triggersAt(path)).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED'])
    }
    expect(receiver.at('/all')[0]?.json.payload).toMatchObject({
      uid: body.uid,
      startTime: AT,
      organizer: { email: calendar.account.email },
      attendees: [{ name: 'Zoe', email: 'zoe@example.com', timeZone: 'Europe/Berlin' }],
    })
  })
})
