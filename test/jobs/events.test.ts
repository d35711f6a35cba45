import { expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import { signatureOf, startReceiver } from '../events/receiver.ts'
import { leaveEvents, openSubscriber } from '../events/subscriber.ts'
import { fireJob } from '../platform.ts'

it('job cleanup deletes events after 30 days, with the log of their deliveries', async () => {
  const shop = await openSubscriber()
  const { accountId } = shop.account
  const receiver = await startReceiver(() => 500)
  const id = await shop.subscribe(receiver.url)
  const subjects = [1, 2].map(subjectId => ({ subjectId, version: 1 }))
  await leaveEvents(shop, subjects)
  await fireJob('deliver')
  await receiver.stop()
  const ages = { 1: 31, 2: 29 }
  for (const [subjectId, days] of Object.entries(ages))
    await queryDatabase(
      `update events set created_at = now() - $3 * interval '1 day'
       where account_id = $1 and subject_id = $2`,
      [accountId, subjectId, days],
    )
  await Promise.all([fireJob('cleanup'), fireJob('cleanup')])
  const left = await queryDatabase('select subject_id from events where account_id = $1', [
    accountId,
  ])
  expect(left).toEqual([{ subject_id: 2 }])
  expect(await shop.deliveries(id)).toHaveLength(1)
  const tries = await queryDatabase(
    'select count(*)::int as n from delivery_attempts where account_id = $1',
    [accountId],
  )
  expect(tries).toEqual([{ n: 1 }])
})

it('job cleanup seals secrets that were kept as they are; they sign as before', async () => {
  const shop = await openSubscriber()
  const { accountId } = shop.account
  const receiver = await startReceiver()
  const id = await shop.subscribe(receiver.url, { secret: 'given' })
  const kept = async () =>
    (
      await queryDatabase<{ secret: string; previous: string | null }>(
        'select secret, previous_secret as previous from webhooks where id = $1',
        [id],
      )
    )[0]!
  expect((await kept()).secret).toMatch(/^sealed:1:[\w-]+\.[\w-]+$/)
  await queryDatabase(
    "update webhooks set secret = 'plain', previous_secret = 'older' where id = $1",
    [id],
  )
  const send = async (subjectId: number) => {
    await leaveEvents(shop, [{ subjectId, version: 1 }])
    await fireJob('deliver')
    const got = receiver.at('/').at(-1)!
    expect(got.headers['x-service-signature']).toBe(signatureOf(got.body, 'plain'))
  }
  await send(1)
  await Promise.all([fireJob('cleanup'), fireJob('cleanup')])
  const { secret, previous } = await kept()
  for (const text of [secret, previous]) expect(text).toMatch(/^sealed:1:/)
  await send(2)
  const [other] = await queryDatabase(
    `update webhooks set secret = 'sealed:1:AAAAAAAAAAAAAAAA.' || repeat('A', 24)
     where account_id = $1 returning id`,
    [accountId],
  )
  expect(other).toBeDefined()
  await leaveEvents(shop, [{ subjectId: 3, version: 1 }])
  await fireJob('deliver')
  const last = (await shop.deliveries(id)).at(-1)
  const error = expect.stringMatching(/another APP_SECRET/)
  expect(last).toMatchObject({ status: 'pending', error })
  expect(receiver.at('/')).toHaveLength(2)
  await receiver.stop()
})
