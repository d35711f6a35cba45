import { beforeAll, describe, expect, it } from 'vitest'
import type { ApiDocument } from '#lib/http/openapi-types.ts'
import { anyone, somebody } from '../browser.ts'
import { createAccount, type Reply, type TestAccount } from '../client.ts'

let account: TestAccount
let described: ApiDocument['paths']
beforeAll(async () => {
  account = await createAccount()
  described = (await anyone.get('/openapi.json', somebody())).body
    .paths as unknown as ApiDocument['paths']
})

type Schema = { type?: string; required?: string[] }
type Answer = { content?: { 'application/json': { schema: Schema } } }

/** What the description has of an answer; undefined where it knows of none with that status. */
const answerOf = (method: string, path: string, { status }: Reply): Answer | undefined =>
  described[path]?.[method]?.responses[status] as Answer | undefined
const schemaOf = (...of: Parameters<typeof answerOf>) =>
  answerOf(...of)?.content?.['application/json'].schema

describe('GET /openapi.json describes', () => {
  it('the user of a credential without an envelope', async () => {
    const path = '/api/auth/oauth/me'
    const reply = await account.client.get(path)
    const schema = schemaOf('get', path, reply)
    expect([reply.status, schema]).toEqual([200, { $ref: '#/components/schemas/Me' }])
    expect(reply.body).toHaveProperty('username')
  })

  it.each(['', '/api/mcp'])('where tokens for a resource come from: %s', async which => {
    const path = `/.well-known/oauth-protected-resource${which}`
    const { status, body } = await anyone.get(path, somebody())
    expect([status, body.authorization_servers]).toEqual([200, [expect.stringMatching(/^http/)]])
  })

  it('the bookings of a series as a list, and what a dry run answers', async () => {
    const path = '/api/book/recurring-event'
    const day = new Date(Date.now() + 14 * 86_400_000)
    while (day.getUTCDay() !== 3) day.setUTCDate(day.getUTCDate() + 1)
    const eventTypeId = (await account.client.get('/api/extension/event-types')).items[0]?.id
    const body = {
      ...{ eventTypeId, start: `${day.toISOString().slice(0, 10)}T16:00:00Z` },
      ...{ timeZone: 'UTC', language: 'en' },
      responses: { name: 'Ann', email: 'ann@example.org' },
    }
    const tried = await anyone.post(path, [{ ...body, _isDryRun: true }], somebody())
    const made = await anyone.post(path, [body], somebody())
    expect([tried.status, made.status], made.text).toEqual([200, 201])
    expect(answerOf('post', path, tried)).toBeDefined()
    expect(Array.isArray(made.body)).toBe(true)
    expect(schemaOf('post', path, made)?.type).toBe('array')
    expect(answerOf('post', '/api/book/event', tried)).toBeDefined()
  })

  it('refusals of what is shown or repeated: a signature, a token, another request’s key', async () => {
    const video = '/api/webhooks/video'
    const unsigned = await anyone.post(video, { type: 'recording.ready' }, somebody())
    expect(unsigned.status).toBe(401)
    expect(answerOf('post', video, unsigned)).toBeDefined()
    const confirming = '/api/services/confirm-appointment'
    const bare = await anyone.post(confirming, { uid: 'nobody' }, somebody())
    expect([bare.status, answerOf('post', confirming, bare)]).toEqual([401, expect.anything()])
    const reminders = '/api/services/notifications/reminders'
    const headers = { 'idempotency-key': 'once' }
    await account.client.post('/api/services/districts', { name: 'North' }, headers)
    const reused = await account.client.post(reminders, undefined, headers)
    expect(reused.status, reused.text).toBe(422)
    expect(answerOf('post', reminders, reused)).toBeDefined()
  })
})
