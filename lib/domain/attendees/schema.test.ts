import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { keyOf, lineOf } from './person.ts'
import { isReached, numberOf } from './schema.ts'

const digits = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.array(fc.nat(9), { minLength: 6, maxLength: 14 }))
  .map(([first, rest]) => `${first}${rest.join('')}`)
const separators = fc.array(fc.constantFrom('', ' ', '-', '.', '(', ')'), {
  minLength: 15,
  maxLength: 15,
})
const prefix = fc.constantFrom('+', '00', ' + ')

const Person = z
  .object({ email: z.string().optional(), tel: z.string().max(40).optional() })
  .refine(...isReached('tel'))
  .transform(({ email, tel }, context) => ({
    email,
    number: numberOf(email, ['tel', tel], context),
  }))
const read = (given: object) => Person.safeParse(given)

describe('who is one person', () => {
  it('is known by one number however it is written', () => {
    fc.assert(
      fc.property(digits, prefix, separators, (number, before, between) => {
        const tel = before + [...number].map((digit, at) => digit + between[at]).join('')
        fc.pre(tel.length <= 40)
        expect(read({ tel }).data).toEqual({ number: `+${number}` })
      }),
    )
  })

  it('needs a country code where there is no address, and none where there is', () => {
    fc.assert(
      fc.property(digits, number => {
        fc.pre(!number.startsWith('00'))
        expect(read({ tel: number }).error?.issues).toMatchObject([{ path: ['tel'] }])
        expect(read({ email: 'a@example.org', tel: number }).data?.number).toBe(number)
      }),
    )
    expect(read({}).error?.issues).toMatchObject([
      { path: ['email'], message: 'required, unless tel is given' },
    ])
    for (const tel of ['+', '+0151234567', '+1 555 CALL', '+1234567890123456', '００'])
      expect(read({ tel }).success).toBe(false)
  })

  it('has one key by their address in any case, else by their number; no two share one', () => {
    const phoneNumber = '+15550100001'
    expect(keyOf({ email: 'Ann@Example.org', phoneNumber })).toBe('ann@example.org')
    expect(keyOf({ email: null, phoneNumber })).toBe(phoneNumber)
    expect(keyOf({ email: 'ann@example.org' })).not.toBe(keyOf({ phoneNumber }))
  })

  it('is called by name and address, or number; a guest by the address alone', () => {
    const [email, phoneNumber] = ['ann@example.org', '+15550100001']
    expect(lineOf({ name: 'Ann', email, phoneNumber })).toBe(`Ann, ${email}`)
    expect(lineOf({ name: 'Ann', email: null, phoneNumber })).toBe(`Ann, ${phoneNumber}`)
    expect(lineOf({ name: email, email, phoneNumber: null })).toBe(email)
  })
})
