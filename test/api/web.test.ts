import { describe, expect, it } from 'vitest'
import {
  anyone,
  cookieOf,
  HTML,
  newEmail,
  PASSWORD,
  sendForm,
  setCookie,
  signUp,
  signUpForm,
  somebody,
} from '../browser.ts'

describe('GET pages', () => {
  it.each(['/', '/signup', '/signin'])('200 with a page and its headers: %s', async path => {
    const reply = await anyone.get(path, { ...HTML, ...somebody() })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = reply.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(reply.headers.get('referrer-policy')).toBe('same-origin')
    expect(reply.headers.get('x-ratelimit-limit')).toBe('60')
    expect(reply.headers.get('x-request-id')).toBeTruthy()
    expect(reply.text).not.toMatch(/<script>| style="| on\w+="/)
  })

  it('200 for every file a page names, to be kept for good, counted by nobody', async () => {
    const { text } = await anyone.get('/signup', somebody())
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
    expect(files).toHaveLength(3)
    for (const file of files) {
      const { status, headers } = await anyone.get(file, somebody())
      expect([status, headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      // Else the page of a refused visitor would come without its style.
      expect(headers.get('x-ratelimit-limit')).toBeNull()
    }
    expect((await anyone.get('/assets/style-0.css', somebody())).status).toBe(404)
    expect((await anyone.post(files[0]!, {}, somebody())).status).toBe(405)
  })

  it('200 for /health', async () => {
    expect((await anyone.get('/health', somebody())).body).toEqual({ status: 'ok' })
  })

  it('303 from /home to the sign-in page without a session', async () => {
    const reply = await anyone.get('/home', { ...HTML, ...somebody() })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/signin'])
    expect((await anyone.get('/home', somebody())).status).toBe(401)
  })

  it('404 as a page for browsers and in the envelope for programs', async () => {
    const page = await anyone.get('/no/such/page', { ...HTML, ...somebody() })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const reply = await anyone.get('/no/such/page', { accept, ...somebody() })
      expect(reply.status).toBe(404)
      expect(reply.body).toMatchObject({ status: 'error', error: 'NOT_FOUND' })
      expect(reply.headers.get('x-ratelimit-remaining')).toBeTruthy()
    }
  })

  it('405 with Allow for a method that a page does not have', async () => {
    const reply = await anyone.del('/signin', somebody())
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe('POST /signup', () => {
  it('303 to /home with a session that browsers guard', async () => {
    const reply = await sendForm('/signup', signUpForm())
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/home'])
    const cookie = setCookie(reply.headers)
    expect(cookie).toMatch(/^__Host-session=[\w-]{43};/)
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=2592000'])
      expect(cookie.split('; ')).toContain(attribute)
    expect(cookie).not.toContain('Domain')
    const home = await anyone.get('/home', { cookie: cookieOf(reply.headers), ...HTML })
    expect(home.status).toBe(200)
    expect(home.text).toContain('<h1>Bee &amp; Sons &lt;Ltd&gt;</h1>')
    expect(home.text).toContain('Europe/Berlin')
  })

  it('201 for JSON with the new ids, and a session', async () => {
    const email = newEmail()
    const body = { name: 'Ann', email, password: PASSWORD }
    const reply = await anyone.post('/signup', body, somebody())
    expect(reply.status).toBe(201)
    expect(Object.keys(reply.body).toSorted()).toEqual([
      'accountId',
      'subdomain',
      'userId',
      'username',
    ])
    const cookie = cookieOf(reply.headers)
    expect((await anyone.get('/api/services/services', { cookie })).status).toBe(200)
  })

  it('201 once under one Idempotency-Key, whose answer holds no session', async () => {
    const body = { name: 'Ann', email: newEmail(), password: PASSWORD }
    const headers = { 'idempotency-key': crypto.randomUUID(), ...somebody() }
    const first = await anyone.post('/signup', body, headers)
    const second = await anyone.post('/signup', body, headers)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(setCookie(second.headers)).toBe('')
  })

  it('409 for an address that has an account, with what was typed but the password', async () => {
    const fields = await signUp()
    const again = await sendForm('/signup', signUpForm({ email: fields.email.toUpperCase() }))
    expect(again.status).toBe(409)
    expect(again.text).toContain('href="/signin"')
    expect(again.text).toContain('value="Bee &amp; Sons &lt;Ltd&gt;"')
    expect(again.text).not.toContain(PASSWORD)
    const body = { name: 'Ann', email: fields.email, password: PASSWORD }
    const json = await anyone.post('/signup', body, somebody())
    expect([json.status, json.body.error]).toEqual([409, 'CONFLICT'])
  })

  it('422 with each fault beside its field', async () => {
    const reply = await sendForm('/signup', signUpForm({ name: '', email: 'nope', password: 'x' }))
    expect(reply.status).toBe(422)
    for (const field of ['name', 'email', 'password'])
      expect(reply.text).toContain(`id="${field}-fault"`)
    expect(reply.text).toContain('value="nope"')
    expect(setCookie(reply.headers)).toBe('')
    const json = await anyone.post('/signup', { email: 'nope' }, somebody())
    expect([json.status, json.body.error]).toEqual([422, 'VALIDATION_ERROR'])
  })

  it('400 for a body that is neither a form nor JSON', async () => {
    const headers = { 'content-type': 'text/plain', ...somebody() }
    expect((await anyone.post('/signup', 'name=Ann', headers)).status).toBe(400)
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['an origin that is hidden', { origin: 'null' }],
    ['a neighbouring site', { 'sec-fetch-site': 'same-site' }],
  ])('403 for a form of %s', async (_, headers) => {
    const reply = await sendForm('/signup', signUpForm(), headers)
    expect(reply.status).toBe(403)
    expect(setCookie(reply.headers)).toBe('')
  })

  it('303 when the browser says that the form is ours', async () => {
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' }
    expect((await sendForm('/signup', signUpForm(), headers)).status).toBe(303)
  })

  it('403 for JSON of another origin', async () => {
    const body = { name: 'Ann', email: newEmail(), password: PASSWORD }
    const headers = { origin: 'https://evil.example', ...somebody() }
    expect((await anyone.post('/signup', body, headers)).status).toBe(403)
  })
})
