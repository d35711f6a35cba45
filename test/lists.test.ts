import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createAccount, type Reply } from './client.ts'
import { type Route, readRoutes } from './routes.ts'
import { fieldsOf } from './samples.ts'
import { together } from './together.ts'

let owners: Client[] = []
let lists: Route[] = []
let turn = 0

beforeAll(async () => {
  const accounts = await Promise.all([createAccount(), createAccount()])
  owners = accounts.map(account => account.client)
  lists = (await readRoutes()).filter(
    r => r.method === 'GET' && r.query && fieldsOf(r.query).has('cursor'),
  )
})

/** Asks every list the same; requests go round, for they are more than one account may make. */
async function askAll(
  search: string,
  asked = (_: Route) => true,
): Promise<[path: string, reply: Reply][]> {
  const replies: [path: string, reply: Reply][] = []
  await together(lists.filter(asked), async ({ path }) => {
    replies.push([path, await owners[turn++ % 2]!.get(`${path}?${search}`)])
  })
  return replies
}

describe('every list', () => {
  it('there are some', () => expect(lists.length).toBeGreaterThan(8))

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    [`cursor=${btoa('["-id","1",9007199254740993]')}`, 'cursor'],
    [`cursor=${btoa('["-id","1; drop table users",1]')}`, undefined],
    [`cursor=${btoa('[{},[],"1"]')}`, 'cursor'],
    ['sort=nothing', 'sort'],
    ['sort=constructor', 'sort'],
    ['sort=__proto__', 'sort'],
    ['sort=-toString', 'sort'],
    ['sort=--id', 'sort'],
    ['sort=id;select 1', 'sort'],
    ['id=0', 'id'],
    ['id=99999999999', 'id'],
    ['id=1.5', 'id'],
    ['id=1e3', 'id'],
  ])('400 for %s', async (search, field) => {
    const hasIt = ({ query }: Route) => field !== 'id' || fieldsOf(query!).has('id')
    for (const [path, { status, body, text }] of await askAll(search, hasIt)) {
      expect([path, status, body.error], text).toEqual([path, 400, 'BAD_REQUEST'])
      if (field) expect(text).toContain(`"field":"${field}"`)
    }
  })

  it.each([
    ['search=%00'],
    ["search=';--"],
    ['search=%25'],
    ['search=_'],
    ['search=\\'],
    ['search=💇'],
  ])('takes %s for what it is, text', async search => {
    // A list without anything to search in takes the word for granted.
    for (const [path, { status, text }] of await askAll(search))
      expect(search === 'search=%00' ? [200, 400] : [200], `${path} ${text}`).toContain(status)
  })

  it('200 for limits of 1 and 100 and for parameters that it does not know', async () => {
    for (const search of ['limit=1', 'limit=100', 'nothing=1&__proto__=2&constructor=3'])
      for (const [path, { status, body }] of await askAll(search)) {
        expect([path, status, body.status]).toEqual([path, 200, 'success'])
        expect(body.pagination.limit).toBeGreaterThan(0)
      }
  })
})
