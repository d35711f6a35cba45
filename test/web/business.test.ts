import { describe, expect, it } from 'vitest'
import { anyone, HTML, somebody } from '../browser.ts'
import { fingerprint } from '../database.ts'
import { formsOf } from './forms.ts'
import { joining, newOwner, type Person, textOf } from './person.ts'

const PAGE = '/settings/business'

const fieldsOf = async (by: Person): Promise<Record<string, string>> =>
  formsOf(await by.open(PAGE), PAGE)[0]?.fields ?? {}
const save = async (by: Person, change: Record<string, string>) =>
  by.send(PAGE, { ...(await fieldsOf(by)), ...change })

describe(PAGE, () => {
  it('303 with what customers then see, and how they reach the business', async () => {
    const owner = await newOwner()
    const { email, subdomain = '', currency, weekStart } = await fieldsOf(owner)
    expect([email, currency, weekStart]).toEqual(['', 'usd', 'Sunday'])
    const saved = await save(owner, {
      name: 'Bee & Sons',
      email: 'hello@bee.example',
      phone: '+1 212 555 0123',
      address: '1 Main St',
      weekStart: 'Monday',
      currency: 'EUR',
    })
    expect([saved.status, saved.location]).toEqual([303, PAGE])
    const shop = await anyone.get(`/b/${subdomain}`, { ...HTML, ...somebody() })
    for (const shown of ['Bee & Sons', 'hello@bee.example', '1 Main St'])
      expect(textOf(shop)).toContain(shown)
    expect(await fieldsOf(owner)).toMatchObject({ currency: 'eur', weekStart: 'Monday' })
    expect((await save(owner, { email: '', phone: '', address: '' })).status).toBe(303)
    const after = await anyone.get(`/b/${subdomain}`, { ...HTML, ...somebody() })
    expect(textOf(after)).not.toMatch(/hello@bee|1 Main St|555/)
  })

  it.each([
    ['name', '', 422],
    ['email', 'nobody', 422],
    ['website', 'bee', 422],
    ['subdomain', 'A B', 422],
    ['currency', 'euros', 422],
  ])('at %s, %j: %i, and nothing is changed', async (field, value, status) => {
    const owner = await newOwner()
    const before = await fingerprint(owner.accountId)
    const reply = await save(owner, { [field]: value })
    expect([reply.status, reply.text.includes(`id="${field}-fault"`)]).toEqual([status, true])
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('409 at the field for a subdomain that another business has', async () => {
    const [owner, other] = await Promise.all([newOwner(), newOwner()])
    const { subdomain = '' } = await fieldsOf(other)
    const reply = await save(owner, { subdomain })
    expect([reply.status, reply.text.includes('id="subdomain-fault"')]).toEqual([409, true])
  })

  it('is read by staff, who change nothing', async () => {
    const owner = await newOwner()
    const staff = await joining(owner.accountId, 'staff')
    const page = await staff.open(PAGE)
    expect(page.status).toBe(200)
    expect(formsOf(page, PAGE)).toEqual([])
    const before = await fingerprint(owner.accountId)
    const sent = await staff.send(PAGE, { ...(await fieldsOf(owner)), act: 'save', name: 'Mine' })
    expect(sent.status).toBe(403)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })
})
