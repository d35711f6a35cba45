import { expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import { startReceiver } from '../events/receiver.ts'
import { leaveEvents, openSubscriber } from '../events/subscriber.ts'
import { fireJob } from '../platform.ts'

it('job cleanup deletes events after 30 days, with the log of their deliveries', async () => {
  const shop = await openSubscriber()
  const { accountId } = shop.account
  const receiver = await startReceiver()
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
