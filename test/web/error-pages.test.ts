import { describe, expect, it } from 'vitest'
import { anyone, HTML, own, sendForm, somebody } from '../browser.ts'
import { textOf } from './person.ts'

describe('a page of an error', () => {
  it.each([
    '/invitation/accept',
    '/invitation/decline',
    '/auth/oauth2/consent',
    '/e/x/cancel',
    '/a/x/cancel',
    '/signout',
  ])('405 tells who opens %s that a form is sent there, and programs the methods', async path => {
    const page = await anyone.get(path, { ...HTML, ...somebody() })
    expect(page.status).toBe(405)
    expect(textOf(page)).toContain('takes what a form sends, and has nothing to show')
    expect(page.text).not.toContain('GET')
    const { status, body } = await anyone.get(path, somebody())
    expect([status, body.message]).toEqual([405, expect.stringContaining('use POST')])
  })

  it('413 for more than a form may send, without a number of bytes', async () => {
    const page = await sendForm('/signin', { email: 'x'.repeat(1_100_000) })
    expect(page.status).toBe(413)
    expect(textOf(page)).toContain('larger than can be taken')
    expect(textOf(page)).not.toMatch(/\d{4}/)
  })

  it('429 says for how long to wait', async () => {
    const one = { ...own(), ...somebody() }
    const guess = () => sendForm('/signin', { email: 'a@example.com', password: 'not it' }, one)
    let page = await guess()
    for (let tries = 0; tries < 11 && page.status !== 429; tries++) page = await guess()
    expect(page.status).toBe(429)
    expect(textOf(page)).toContain('Please wait for a minute and try again.')
    expect(Number(page.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })
})
