import { createDecipheriv, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSealed, seal, unseal } from './seal.ts'

const OF = { purpose: 'webhook secret', owner: 'account 7' }

describe('a sealed text', () => {
  it('opens for its purpose and owner, and is another each time', async () => {
    const [one, other] = [await seal('app', 'shh 💇', OF), await seal('app', 'shh 💇', OF)]
    expect(one).not.toBe(other)
    expect(one).not.toContain('shh')
    expect([isSealed(one), isSealed('shh')]).toEqual([true, false])
    for (const sealed of [one, other]) expect(await unseal('app', sealed, OF)).toBe('shh 💇')
    expect(await unseal('app', await seal('app', '', OF), OF)).toBe('')
  })

  it('is AES-256-GCM under a key by HKDF-SHA-256, as another implementation reads it', async () => {
    const sealed = await seal('app', 'shh', OF)
    const [iv, bytes] = sealed
      .slice('sealed:1:'.length)
      .split('.')
      .map(part => Buffer.from(part, 'base64url'))
    const key = hkdfSync('sha256', 'app', Buffer.alloc(32), OF.purpose, 32)
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), iv!)
    decipher.setAAD(Buffer.from(OF.owner))
    decipher.setAuthTag(bytes!.subarray(-16))
    expect(decipher.update(bytes!.subarray(0, -16)).toString() + decipher.final('utf8')).toBe('shh')
  })

  it('does not open for another owner, purpose or secret, nor when it was changed', async () => {
    const sealed = await seal('app', 'shh', OF)
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
    await expect(unseal('app', sealed, { ...OF, owner: 'account 8' })).rejects.toThrow(/sealed by/)
    await expect(unseal('app', sealed, { ...OF, purpose: 'x' })).rejects.toThrow(/sealed by/)
    await expect(unseal('other', sealed, OF)).rejects.toThrow(/sealed by/)
    await expect(unseal('app', changed, OF)).rejects.toThrow(/sealed by/)
    await expect(unseal('app', 'sealed:1:%', OF)).rejects.toThrow(/not readable/)
  })

  it('that was kept before there was sealing is what it is', async () => {
    expect(await unseal('app', 'plain', OF)).toBe('plain')
  })
})
