import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  anyone,
  cookieOf,
  HTML,
  newEmail,
  own,
  PASSWORD,
  sendForm,
  setCookie,
  signUp,
  somebody,
} from '../browser.ts'
import { roomInMinute } from '../platform.ts'

describe('POST /signin', () => {
  it('303 to /home with a session', async () => {
    const { email } = await signUp()
    const reply = await sendForm('/signin', { email, password: PASSWORD })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/home'])
    expect(cookieOf(reply.headers)).toMatch(/^__Host-session=/)
  })

  it('200 for JSON, and the key of a repetition keeps no secret', async () => {
    const { email } = await signUp()
    const headers = { 'idempotency-key': crypto.randomUUID(), ...somebody() }
    const reply = await anyone.post('/signin', { email, password: PASSWORD }, headers)
    const again = await anyone.post('/signin', { email, password: PASSWORD }, headers)
    expect(reply.status).toBe(200)
    expect(reply.body.data).toEqual({ expiresAt: expect.stringMatching(/Z$/) })
    const secret = cookieOf(reply.headers).split('=')[1]!
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text + JSON.stringify([...again.headers])).not.toContain(secret)
  })

  it('401 in the same words for a wrong password and an unknown address', async () => {
    const { email } = await signUp()
    const wrong = await sendForm('/signin', { email, password: 'wrong' })
    const unknown = await sendForm('/signin', { email: newEmail(), password: 'wrong' })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    const words = (text: string) => /role="alert">([^<]+)/.exec(text)?.[1]
    expect(words(wrong.text)).toBe(words(unknown.text))
    expect(words(wrong.text)).toContain('wrong')
    expect(wrong.text).toContain(`value="${email}"`)
  })

  it('429 at the eleventh try a minute for one address, whatever its case', async () => {
    await roomInMinute()
    // All tries must fall into one window of the clock.
    if (Date.now() % 60_000 > 50_000) await sleep(60_001 - (Date.now() % 60_000))
    const email = newEmail()
    const from = somebody()
    const attempt = (n: number) =>
      sendForm(
        '/signin',
        { email: n % 2 ? email : email.toUpperCase(), password: 'wrong' },
        { ...own(), ...from },
      )
    const statuses: number[] = []
    for (let n = 1; n <= 10; n++) statuses.push((await attempt(n)).status)
    expect(statuses).toEqual(Array(10).fill(401))
    const refused = await attempt(11)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await sendForm(
      '/signin',
      { email: newEmail(), password: 'wrong' },
      { ...own(), ...from },
    )
    expect(other.status).toBe(401)
  })

  it('403 for a form of another origin', async () => {
    const { email } = await signUp()
    const headers = { origin: 'https://evil.example' }
    expect((await sendForm('/signin', { email, password: PASSWORD }, headers)).status).toBe(403)
  })
})

describe('a session', () => {
  it('200 for reads of the API, 403 for a write without an Origin of ours', async () => {
    const { cookie } = await signUp()
    const path = '/api/services/categories'
    expect((await anyone.get(path, { cookie })).status).toBe(200)
    expect((await anyone.post(path, { name: 'A' }, { cookie })).status).toBe(403)
    const evil = { cookie, origin: 'https://evil.example' }
    expect((await anyone.post(path, { name: 'A' }, evil)).status).toBe(403)
    expect((await anyone.post(path, { name: 'A' }, { cookie, ...own() })).status).toBe(201)
  })

  it('303 on signing out, and 401 with its cookie at once in every function', async () => {
    const { cookie } = await signUp()
    const read = () => anyone.get('/api/services/services', { cookie, ...somebody() })
    expect((await read()).status).toBe(200)
    const out = await sendForm('/signout', {}, { cookie, ...own() })
    expect([out.status, out.headers.get('location')]).toEqual([303, '/'])
    expect(setCookie(out.headers)).toMatch(/^__Host-session=; Max-Age=0; Path=\/;.*Secure/)
    expect((await read()).status).toBe(401)
    expect((await anyone.get('/home', { cookie, ...somebody() })).status).toBe(401)
  })

  it('403 for signing out from another site', async () => {
    const { cookie } = await signUp()
    expect(
      (await sendForm('/signout', {}, { cookie, origin: 'https://evil.example' })).status,
    ).toBe(403)
    expect((await anyone.get('/home', { cookie, ...HTML })).status).toBe(200)
  })

  it('401 after 30 days', async () => {
    const { cookie } = await signUp()
    const at = (days: number) => ({
      'x-test-now': new Date(Date.now() + days * 86_400_000).toISOString(),
    })
    expect((await anyone.get('/home', { cookie, ...at(29.9) })).status).toBe(200)
    expect((await anyone.get('/home', { cookie, ...at(30.1) })).status).toBe(401)
  })
})
