import { ownerOf } from '#dev/operator.ts'
import type { Member } from '#lib/core/context.ts'
import type { Json } from '#lib/core/json.ts'
import { type Body, createAccount, directly, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'

/** The moment of these tests: a Wednesday noon in New York. */
export const NOW = '2031-03-12T16:00:00.000Z'
export const clock = { 'x-test-now': NOW }

/** A business in New York with two services, an employee beside the staff member, and a customer. */
export interface Shop {
  account: TestAccount
  cut: number
  color: number
  eva: number
  mira: number
  cleo: number
}

/** Opens one, two days before the moment of these tests. */
export async function openShop(timeZone = 'America/New_York'): Promise<Shop> {
  const account = await createAccount('enterprise', {
    timeZone,
    now: new Date('2031-03-10T00:00Z'),
  })
  const make = async (path: string, body: object) => {
    const made = await account.client.post(`/api/services/${path}`, body, clock)
    if (made.status !== 201) throw new Error(`${path}: ${made.text}`)
    return Number(made.body.id)
  }
  return {
    account,
    cut: await make('services', { name: 'Cut', price: 5000 }),
    color: await make('services', { name: 'Colour', price: 12_000 }),
    eva: await make('employees', { name: 'Eva', email: `${crypto.randomUUID()}@example.org` }),
    mira: account.staff.employeeId,
    cleo: await make('customers', { name: 'Cleo' }),
  }
}

/** Makes an appointment of an hour; what is over by now is completed unless `more` says otherwise. */
export async function serve(shop: Shop, startTime: string, more: object = {}): Promise<Body> {
  const start = new Date(startTime)
  const made = await shop.account.client.post(
    '/api/services/appointments',
    {
      serviceId: shop.cut,
      startTime: start.toISOString(),
      endTime: new Date(start.getTime() + 3_600_000).toISOString(),
      status: startTime < NOW ? 'completed' : 'approved',
      ...more,
    },
    clock,
  )
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}

/** Carries an operation out as the owner, and reads what it answers. */
export const asOwner = <R>(
  { account }: Pick<Shop, 'account'>,
  work: (m: Member) => Promise<Json<R>>,
  now = NOW,
): Promise<R> =>
  directly(
    async base => (await work(ownerOf(base, { ...account, plan: 'enterprise' }))).read(),
    new Date(now),
  )

const MEASURES =
  'pending, approved, completed, canceled, rejected, no_shows, host_no_shows, minutes, revenue'

/** What the rollups add up to and what is not there: nothing where they are right. */
export const wrongSums = (accountId: number): Promise<object[]> => {
  const sums = MEASURES.split(', ').map(m => `sum(${m}) as ${m}`)
  const kept = `select kind, item_id, currency, bucket, ${sums.join(', ')} from rollups
    where account_id = $1 group by 1, 2, 3, 4 having ${MEASURES.split(', ')
      .map(m => `sum(${m}) <> 0`)
      .join(' or ')}`
  const counted = `select kind, item_id, currency, bucket, ${MEASURES} from recount
    where account_id = $1`
  return queryDatabase<object>(
    `((${kept}) except (${counted})) union all ((${counted}) except (${kept}))`,
    [accountId],
  )
}
