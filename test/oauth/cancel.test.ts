import { expect, it } from 'vitest'
import { bodyOf, book, newAddress, setEventType } from '../calendar/world.ts'
import { queryDatabase } from '../database.ts'
import { platform } from '../platform.ts'
import { bearerClient, makeClient, signedInAccount, tokensFor } from './world.ts'

it('POST /api/cancel: a token acts for the host if it may, else as guests do', async () => {
  const user = await signedInAccount()
  const client = await makeClient(user)
  const [type] = await queryDatabase<{ id: number }>(
    'select id from event_types where account_id = $1 and user_id = $2',
    [user.accountId, user.userId],
  )
  await setEventType(type!.id, { disable_cancelling: true })
  const { body } = await book(bodyOf(type!.id, '2027-03-03T15:00:00Z'))
  const cancelWith = async (asked: Record<string, string>) => {
    const { access_token } = await tokensFor(user, client, asked)
    const headers = { 'x-test-client': newAddress() }
    return (await bearerClient(access_token).post('/api/cancel', { uid: body.uid }, headers)).status
  }
  expect(await cancelWith({ scope: 'READ_BOOKING' })).toBe(409)
  const resource = `${platform().url}/api/mcp`
  expect(await cancelWith({ scope: 'mcp', resource })).toBe(409)
  expect(await cancelWith({ scope: 'BOOKING_WRITE' })).toBe(200)
})
