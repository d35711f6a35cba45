import { expect, it } from 'vitest'
import { anyone, HTML, somebody } from '../browser.ts'

it('GET /openapi.json: 200 with the description of the API', async () => {
  const { status, headers, body } = await anyone.get('/openapi.json', somebody())
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(body.openapi).toBe('3.1.0')
  const create = body.paths?.['/api/services/services']?.post
  expect(create).toMatchObject({ summary: 'Create a service', operationId: 'postServicesServices' })
  expect(Object.keys(create?.responses ?? {})).toEqual(
    expect.arrayContaining(['201', '401', '409', '422', '429']),
  )
})

it('GET /docs: 200 with every endpoint, its fields and an example', async () => {
  const [{ text, status }, { body }] = await Promise.all([
    anyone.get('/docs', { ...HTML, ...somebody() }),
    anyone.get('/openapi.json', somebody()),
  ])
  expect(status).toBe(200)
  const operations = Object.values(body.paths ?? {}).flatMap(path => Object.values(path ?? {}))
  expect(text.match(/<article/g)).toHaveLength(operations.length)
  expect(text).toContain('id="post-services-appointments"')
  expect(text).toContain('<code>extras[].quantity</code>')
  expect(text).toContain('201: <a href="#record-Service">Service</a>.')
  expect(text.match(/<div[^>]* id="record-/g)).toHaveLength(
    Object.keys(body.components?.schemas ?? {}).length,
  )
  expect(text).toMatch(/BOOKING_CREATED.*?href="#record-BookingPayload"/s)
  expect(text).toMatch(/curl -X POST .*\/api\/services\/services/)
  expect(text).not.toMatch(/<script(?! src="\/assets\/)/)
})
