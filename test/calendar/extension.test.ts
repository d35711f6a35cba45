import { expect, it } from 'vitest'
import { createAccount } from '../client.ts'
import { callTool } from '../mcp/rpc.ts'

const PATH = '/api/extension/event-types'

it('GET /api/extension/event-types: 200 with pages of what the member hosts, in order', async () => {
  const { apiKey, client, username } = await createAccount()
  for (const title of ['Second call', 'Third call'])
    await callTool('create_event_type', { title, length: 15 }, { key: apiKey })
  const first = await client.get(`${PATH}?limit=2`)
  expect(first.body.pagination).toEqual({ limit: 2, nextCursor: expect.any(String) })
  const rest = await client.get(`${PATH}?limit=2&cursor=${first.body.pagination.nextCursor}`)
  expect(rest.body.pagination).toEqual({ limit: 2, nextCursor: null })
  const titles = [...first.items, ...rest.items].map(type => type.title)
  expect(titles).toEqual(['30 minute meeting', 'Second call', 'Third call'])
  const { items } = await client.get(`${PATH}?search=third&sort=-title`)
  expect(items).toMatchObject([{ title: 'Third call', slug: 'third-call', length: 15 }])
  expect(new URL(String(items[0]!.bookingUrl)).pathname).toBe(`/${username}/third-call`)
})
