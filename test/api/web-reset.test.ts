import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createApiKey } from '#lib/domain/accounts/operations.ts'
import { anyone, HTML, newEmail, PASSWORD, sendForm, signUp, somebody } from '../browser.ts'
import { client, directly, type Reply } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { platform, readMessages } from '../platform.ts'

const NEW = 'battery staple'
const HOUR = 3_600_000
const look = (path: string, headers: object = {}) =>
  anyone.get(path, { ...HTML, ...somebody(), ...headers })
const at = (instant: number) => ({ 'x-test-now': new Date(instant).toISOString() })

/** The e-mails that lead somebody to a new password, once there are as many as that. */
async function resets(to: string, count = 1) {
  for (let tries = 0; tries < 40; tries++) {
    const found = await readMessages({ to, channel: 'email' })
    if (found.length >= count) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return readMessages({ to, channel: 'email' })
}

/** Asks for a link and answers its path. */
async function askedLink(email: string, headers: object = {}): Promise<string> {
  const sent = await sendForm('/forgot', { email }, { ...own(), ...headers })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/forgot/sent'])
  const [message] = await resets(email)
  const link = /http\S+\/reset\?token=\S+/.exec(message?.text ?? '')?.[0] ?? ''
  return link.replace(platform().url, '')
}

const own = () => ({ origin: platform().url })
const tokenOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('token') ?? ''
const choose = (path: string, password = NEW, headers: object = own()) =>
  sendForm('/reset', { token: tokenOf(path), password }, headers)
const signIn = async (email: string, password: string) =>
  (await sendForm('/signin', { email, password })).status

describe('POST /forgot and /reset', () => {
  it('303 and a link that changes the password once, and ends all sessions', async () => {
    const { email, cookie } = await signUp()
    const path = await askedLink(email)
    const page = await look(path)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(`For ${email}.`)])
    expect(page.text).toContain('<meta name="robots" content="noindex, nofollow"/>')
    expect((await look('/home', { cookie })).status).toBe(200)

    const changed = await choose(path)
    expect([changed.status, changed.headers.get('location')]).toEqual([303, '/signin'])
    expect((await look('/home', { cookie })).status).toBe(303)
    expect(await signIn(email, PASSWORD)).toBe(401)
    expect(await signIn(email, NEW)).toBe(303)

    expect((await choose(path, 'another one')).status).toBe(404)
    expect((await look(path)).text).toContain('This link has ended')
    expect(await signIn(email, NEW)).toBe(303)
  })

  it('leaves API keys alone, and the sessions of others', async () => {
    const [{ email }, other] = await Promise.all([signUp(), signUp()])
    const [user] = await queryDatabase<{ id: number; account: number }>(
      'select u.id, m.account_id as account from users u join members m on m.user_id = u.id where email = $1',
      [email],
    )
    const { key } = await directly(base =>
      createApiKey(base, base.enter(user!.account), { userId: user!.id }),
    )
    expect((await choose(await askedLink(email))).status).toBe(303)
    expect((await client(key).get('/api/services/services')).status).toBe(200)
    expect((await look('/home', { cookie: other.cookie })).status).toBe(200)
  })

  it('303 in the same words for an address of nobody, which gets no e-mail', async () => {
    const [known, email] = [(await signUp()).email, newEmail()]
    const answers = await Promise.all([known, email].map(to => sendForm('/forgot', { email: to })))
    const comparable = answers.map(({ status, text, headers }) => [
      status,
      text,
      [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
    ])
    expect(comparable[0]).toEqual(comparable[1])
    await resets(known)
    expect(await readMessages({ to: email })).toEqual([])
  })

  it('303 before anything is looked up or written: the time tells nothing', async () => {
    const { email } = await signUp()
    const connection = new pg.Client({ connectionString: platform().databaseUrl })
    await connection.connect()
    try {
      await connection.query('begin')
      // What is written for the account waits for this row.
      await connection.query(
        `select 1 from accounts a join members m on m.account_id = a.id join users u on u.id = m.user_id
         where u.email = $1 for update of a`,
        [email],
      )
      expect((await sendForm('/forgot', { email })).status).toBe(303)
      expect(await readMessages({ to: email })).toEqual([])
      await connection.query('commit')
    } finally {
      await connection.end()
    }
    expect(await resets(email)).toHaveLength(1)
  })

  it('goes to the address that is kept, whatever its case, and never to one that was typed', async () => {
    const { email } = await signUp()
    await sendForm('/forgot', { email: email.toUpperCase() })
    expect((await resets(email)).map(({ to }) => to)).toEqual([email])
  })

  it('one e-mail a minute, however often it is asked for', async () => {
    const { email } = await signUp()
    const now = at(Date.now())
    for (let n = 0; n < 3; n++) await sendForm('/forgot', { email }, { ...own(), ...now })
    await resets(email)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(await readMessages({ to: email })).toHaveLength(1)
  })

  it('nothing of the link is kept: neither the token nor what would make it', async () => {
    const { email } = await signUp()
    const token = tokenOf(await askedLink(email))
    const rows = await queryDatabase('select * from messages where recipient = $1', [email])
    expect(rows).toHaveLength(1)
    const [, , signature] = token.split('.')
    expect(JSON.stringify(rows)).not.toContain(signature)
  })

  it('404 after an hour, for a forged token, and for one of another password', async () => {
    const { email } = await signUp()
    const path = await askedLink(email)
    const token = tokenOf(path)
    const late = at(Date.now() + HOUR + 60_000)
    expect((await look(path, late)).status).toBe(404)
    expect((await choose(path, NEW, { ...own(), ...late })).status).toBe(404)
    const [subject, expires, signature = ''] = token.split('.')
    const forged = [
      [btoa('1.x'), expires, signature].join('.'),
      [subject, 'zzzzzzzz', signature].join('.'),
      [subject, expires, signature.replace(/^./, c => (c === 'a' ? 'b' : 'a'))].join('.'),
      '',
      'a.b.c',
    ]
    for (const wrong of forged)
      expect((await sendForm('/reset', { token: wrong, password: NEW })).status).not.toBe(303)
    await queryDatabase(
      `update users set password_hash = password_hash || 'x' where email = $1 returning id`,
      [email],
    )
    expect((await choose(path)).status).toBe(404)
  })

  it('303 for one of two that use a link at once', async () => {
    const { email } = await signUp()
    const path = await askedLink(email)
    const both = await Promise.all([choose(path, 'first one!'), choose(path, 'second one')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 404])
  })

  it('422 for a short password, with the link still in the form', async () => {
    const { email } = await signUp()
    const path = await askedLink(email)
    const reply = await choose(path, 'short')
    expect(reply.status).toBe(422)
    expect(reply.text).toContain('id="password-fault"')
    expect(reply.text).toContain('href="#password"')
    expect(reply.text).toContain(`value="${tokenOf(path)}"`)
    expect(reply.text).not.toContain('short"')
    expect((await choose(path)).status).toBe(303)
  })

  it('422 for no address; 403 from another site; 429 after ten in a minute', async () => {
    expect((await sendForm('/forgot', {})).status).toBe(422)
    for (const path of ['/forgot', '/reset']) {
      const foreign = { origin: 'https://evil.example' }
      const fields = { email: newEmail(), token: 'a.b.c', password: NEW }
      expect((await sendForm(path, fields, foreign)).status).toBe(403)
      const me = { ...own(), ...somebody() }
      // They may begin in one minute and end in the next.
      const windowOf = ({ headers }: Reply) => headers.get('x-ratelimit-reset')
      const taken: Reply[] = []
      let reply = await sendForm(path, fields, me)
      for (; reply.status !== 429 && taken.length < 21; reply = await sendForm(path, fields, me))
        taken.push(reply)
      const window = windowOf(reply)
      expect(reply.status).toBe(429)
      expect(taken.filter(one => windowOf(one) === window)).toHaveLength(10)
    }
  })
})

describe('POST /signin', () => {
  it('303 to where the user was on their way to, and nowhere else', async () => {
    const { email } = await signUp()
    const asked = await look('/home?tab=1')
    expect(asked.headers.get('location')).toBe('/signin?next=%2Fhome%3Ftab%3D1')
    const page = await look('/signin?next=%2Fhome%3Ftab%3D1')
    expect(page.text).toContain('name="next" value="/home?tab=1"')
    const lead = async (next: string) => {
      const reply = await sendForm('/signin', { email, password: PASSWORD, next })
      return reply.headers.get('location')
    }
    expect(await lead('/home?tab=1')).toBe('/home?tab=1')
    for (const evil of ['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil'])
      expect(await lead(evil)).toBe('/home')
    const again = await sendForm('/signin', { email, password: 'wrong', next: '/docs' })
    expect(again.text).toContain('name="next" value="/docs"')
  })
})

describe('POST /signup', () => {
  it('303 with a username that none of our own pages has', async () => {
    const names: string[] = []
    for (const local of ['settings', 'Sign.Up', 'oauth']) {
      const email = `${local}@${crypto.randomUUID()}.example.com`
      const body = { name: 'Ann', email, password: PASSWORD }
      const reply = await anyone.post('/signup', body, somebody())
      names.push(String(reply.body.username))
    }
    expect(names[0]).toMatch(/^settings-\d+$/)
    expect(names[1]).toMatch(/^sign-up(-\d+)?$/)
    expect(names[2]).toMatch(/^oauth-\d+$/)
  })
})
