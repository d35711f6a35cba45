import { beforeAll, describe, expect, it } from 'vitest'
import { type Asked, askedOf, needOf, sendAsked } from './ask.ts'
import { cookieOf, sendForm } from './browser.ts'
import { type Client, createAccount, createMember, type TestAccount } from './client.ts'
import { fingerprint, messagesSettled } from './database.ts'
import { bearerClient, makeClient, tokensFor } from './oauth/world.ts'
import { type Route, readRoutes } from './routes.ts'
import { inputSchema } from './samples.ts'
import { together } from './together.ts'

let routes: Route[] = []

beforeAll(async () => {
  routes = (await readRoutes()).filter(r => r.isForMembers && r.path.startsWith('/api/'))
})

/** A token that changes nothing, of whoever signs in so. */
async function reader(owner: TestAccount, who: { email: string; password: string }) {
  const { email, password } = who
  const cookie = cookieOf((await sendForm('/signin', { email, password })).headers)
  const client = await makeClient(owner)
  const scope = 'READ_PROFILE READ_BOOKING SERVICES_READ'
  return bearerClient((await tokensFor({ ...owner, cookie }, client, { scope })).access_token)
}

/** Who may not do everything. */
const CALLERS: [name: string, make: (account: TestAccount) => Promise<Client>][] = [
  ['staff', async account => account.staffClient],
  ['a manager', account => createMember(account.accountId, 'manager')],
  ["the owner's token for reading", account => reader(account, account)],
  ["a token of staff's for reading", account => reader(account, account.staff)],
]

/** The same request with something wrong each time, by what that is. */
function* faulty(route: Route, asked: Asked): Generator<[fault: string, asked: Asked]> {
  if (route.body) {
    yield ['a body of another shape', { ...asked, body: [] }]
    yield ['a body that is no JSON', { ...asked, body: '{"name":' }]
    yield ['a body of another type', { ...asked, type: 'text/plain' }]
  }
  const parameter = wrongParameter(route, asked)
  if (parameter === undefined) return
  const query = { ...asked.query, [parameter]: '~' }
  yield [`a wrong ${parameter}`, { ...asked, query }]
  if (route.body) yield [`a wrong ${parameter} and body`, { ...asked, query, body: [] }]
}

const wrongParameter = ({ query: schema }: Route, { query }: Asked) =>
  schema &&
  Object.keys(inputSchema(schema).properties ?? {}).find(
    name => !schema.safeParse({ ...query, [name]: '~' }).success,
  )

describe('every route for members', () => {
  it.each(CALLERS)('403 to %s whatever is wrong, where nothing wrong is 403', async (_, make) => {
    const account = await createAccount()
    const by = await make(account)
    const service = await account.client.post('/api/services/services', { name: 'Cut' })
    const answers = await Promise.all(
      routes.map(async route => {
        const asked = askedOf(route, { serviceId: service.body.id })
        return { route, asked, whole: await sendAsked(by, asked) }
      }),
    )
    await messagesSettled(account.accountId)
    const before = await fingerprint(account.accountId)
    const wrong: string[] = []
    const seen = { closed: 0, open: 0 }
    await together(answers, async ({ route, asked, whole }) => {
      // Of what is everybody's own, the record decides: one that is not named is nobody else's.
      const isByRecord = needOf(route) === 'own' && whole.text.includes('Your role')
      const isClosed = whole.status === 403 && !isByRecord
      seen[isClosed ? 'closed' : 'open']++
      for (const [fault, request] of faulty(route, asked)) {
        const { status, text } = await sendAsked(by, request)
        const isRight = isClosed ? text === whole.text : status === 400 || status === 422
        if (!isRight) wrong.push(`${route.name} with ${fault}: ${status} ${text}`)
      }
    })
    expect(wrong).toEqual([])
    expect(await fingerprint(account.accountId)).toEqual(before)
    expect(Math.min(seen.closed, seen.open)).toBeGreaterThan(5)
  })
})
