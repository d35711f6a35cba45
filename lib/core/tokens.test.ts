import { describe, expect, it } from 'vitest'
import { readToken, signToken } from './tokens.ts'

const now = new Date('2026-03-08T12:00:00Z')
const later = new Date('2026-03-08T13:00:00Z')
const claims = { purpose: 'confirm', subject: 'uid-ünï😀', expiresAt: later }

describe('tokens', () => {
  it('give their subject back for their purpose and secret', async () => {
    const token = await signToken('secret', claims)
    expect(token).toMatch(/^[\w-]+\.[0-9a-z]+\.[0-9a-f]{64}$/)
    expect(await readToken('secret', 'confirm', token, now)).toBe(claims.subject)
  })

  it('end at the millisecond', async () => {
    const token = await signToken('secret', claims)
    const before = new Date(later.getTime() - 1)
    expect(await readToken('secret', 'confirm', token, before)).toBe(claims.subject)
    expect(await readToken('secret', 'confirm', token, later)).toBeUndefined()
  })

  it('open nothing for another purpose or under another secret', async () => {
    const token = await signToken('secret', claims)
    expect(await readToken('secret', 'cancel', token, now)).toBeUndefined()
    expect(await readToken('other', 'confirm', token, now)).toBeUndefined()
  })

  it('open nothing when a part was changed, moved or left out', async () => {
    const token = await signToken('secret', claims)
    const [subject = '', expires = '', signature = ''] = token.split('.')
    const other = (await signToken('secret', { ...claims, subject: 'b' })).split('.')[0]
    const forged = [
      [other, expires, signature],
      [subject, `${expires}0`, signature],
      [subject, expires, signature.replace(/.$/, c => (c === '0' ? '1' : '0'))],
      [subject, expires, signature.slice(0, -1)],
      [subject, expires],
      [subject, expires, signature, signature],
      [`${subject}!`, expires, signature],
    ]
    for (const parts of forged)
      expect(await readToken('secret', 'confirm', parts.join('.'), now)).toBeUndefined()
    expect(await readToken('secret', 'confirm', '', now)).toBeUndefined()
  })
})
