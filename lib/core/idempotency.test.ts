import { expect, it } from 'vitest'
import { Claim, PressClaim } from './idempotency.ts'

it('a press keeps nothing of what its work answered, which is not what its page says', () => {
  const of = ['f1 /settings/keys', 'print', 'print', new Date()] as const
  const kept = (claim: Claim) => JSON.stringify(claim.storing('{"key":"secret"}'))
  expect(kept(new Claim(...of))).toContain('secret')
  expect(kept(new PressClaim(...of))).not.toContain('secret')
})
