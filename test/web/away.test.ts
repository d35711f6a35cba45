import { beforeAll, describe, expect, it } from 'vitest'
import { fingerprint, queryDatabase } from '../database.ts'
import { fieldOf, joining, newOwner, type Person, textOf } from './person.ts'

let owner: Person
let manager: Person
let staff: Person
let colleague: Person
beforeAll(async () => {
  owner = await newOwner()
  ;[manager, staff, colleague] = await Promise.all([
    joining(owner.accountId, 'manager', 'Mia'),
    joining(owner.accountId, 'staff', 'Sam'),
    joining(owner.accountId, 'staff', 'Cora'),
  ])
})

const PAGE = '/settings/away'
const EMPTY = { startTime: '', endTime: '', reason: 'vacation', toUserId: '', notes: '' }
const add = (by: Person, fields: Record<string, string>) =>
  by.press(PAGE, 'create', { ...EMPTY, ...fields })
const pathOf = ({ text }: { text: string }, name: string) =>
  new RegExp(`href="(/settings/away/\\d+)">${name}:`).exec(text)?.[1] ?? ''
const kept = async (userId: number) => {
  const rows = await queryDatabase<{ start_time: Date; end_time: Date; to_user_id: number | null }>(
    'select * from out_of_office where user_id = $1 order by start_time',
    [userId],
  )
  return rows.map(r => [r.start_time.toISOString(), r.end_time.toISOString(), r.to_user_id])
}

describe(PAGE, () => {
  it('303 for whole days in the zone of the user, both included, and with a colleague', async () => {
    const page = await add(staff, {
      start: '2041-07-01',
      end: '2041-07-02',
      toUserId: ` ${colleague.email.toUpperCase()} `,
      notes: 'Sea <b>',
    })
    expect(await kept(staff.userId)).toEqual([
      ['2041-06-30T22:00:00.000Z', '2041-07-02T22:00:00.000Z', colleague.userId],
    ])
    const text = textOf(page)
    expect(text).toContain('You: Vacation Jul 1 – 2, 2041')
    expect(text).toContain('Cora takes over')
    expect(text).toContain('Times are in the zone of your profile , Europe/Berlin.')
    const one = await staff.open(pathOf(page, 'You'))
    const fields = ['start', 'startTime', 'end', 'endTime', 'toUserId'].map(n => fieldOf(one, n))
    expect(fields).toEqual(['2041-07-01', '', '2041-07-02', '', colleague.email])
    expect(one.text).toContain('>Sea &lt;b&gt;</textarea>')
  })

  it('303 with times; saving what is shown changes nothing; then it is deleted', async () => {
    const page = await add(colleague, {
      start: '2041-08-01',
      startTime: '12:00',
      end: '2041-08-01',
      endTime: '15:30',
    })
    const before = await kept(colleague.userId)
    expect(before).toEqual([['2041-08-01T10:00:00.000Z', '2041-08-01T13:30:00.000Z', null]])
    const path = pathOf(page, 'You')
    const one = await colleague.open(path)
    const names = ['start', 'startTime', 'end', 'endTime', 'toUserId']
    const same = Object.fromEntries(names.map(name => [name, fieldOf(one, name) ?? '']))
    await colleague.press(path, 'save', { ...same, reason: 'sick', notes: '' })
    expect(await kept(colleague.userId)).toEqual(before)
    expect((await colleague.press(path, 'delete')).location).toBe(PAGE)
    expect(await kept(colleague.userId)).toEqual([])
  })

  it('303 for a manager who adds a colleague’s; staff have no field for it', async () => {
    const page = await add(manager, { start: '2041-09-01', end: '2041-09-01', userId: staff.email })
    expect(textOf(page)).toContain('Sam: Vacation')
    expect(textOf(await staff.open(PAGE))).toContain('You: Vacation')
    expect((await staff.open(PAGE)).text).not.toContain('name="userId"')
    const before = await fingerprint(owner.accountId)
    const fields = { ...EMPTY, start: '2041-10-01', end: '2041-10-01', userId: manager.email }
    expect((await staff.send(PAGE, { ...fields, act: 'create' })).status).toBe(403)
    expect((await staff.open(pathOf(page, 'Mia') || '/settings/away/1')).status).toBe(404)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it.each([
    ['start', { start: '', end: '2041-11-02' }, 422, 'Please enter a date such as 2026-03-08.'],
    ['end', { start: '2041-11-03', end: '2041-11-02' }, 422, 'Must be after the start.'],
    [
      'startTime',
      { start: '2041-11-03', startTime: 'x', end: '2041-11-03' },
      422,
      'a time such as',
    ],
    ['toUserId', { toUserId: 'nobody' }, 422, 'Is nobody of this business.'],
    ['userId', { userId: 'nobody@example.com' }, 422, 'Is nobody of this business.'],
    ['reason', { reason: 'boredom' }, 422, 'Please enter one of'],
    ['toUserId', { toUserId: 'SELF' }, 422, 'Must be somebody else.'],
  ])('the fault at %s for %j, which changes nothing', async (field, change, status, fault) => {
    const before = await fingerprint(owner.accountId)
    const typed = { ...EMPTY, start: '2041-11-01', end: '2041-11-02', ...change }
    const self = typed.toUserId === 'SELF' ? { toUserId: manager.email } : {}
    const reply = await manager.send(PAGE, { ...typed, ...self, act: 'create' })
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(`id="${field}-fault"`)
    expect(textOf(reply)).toContain(fault)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('409 for who is away then already, and for bookings that would be led in a circle', async () => {
    await add(owner, { start: '2041-12-01', end: '2041-12-05', toUserId: manager.email })
    const twice = { ...EMPTY, act: 'create', start: '2041-12-05', end: '2041-12-06' }
    const again = await owner.send(PAGE, twice)
    expect([again.status, again.text.includes('id="start-fault"')]).toEqual([409, true])
    const circle = await manager.send(PAGE, { ...twice, toUserId: owner.email })
    expect([circle.status, circle.text.includes('id="toUserId-fault"')]).toEqual([409, true])
  })

  it('lists what is now or later, the next first', async () => {
    await queryDatabase(
      `insert into out_of_office (account_id, user_id, start_time, end_time, reason, created_at, updated_at)
       values ($1, $2, '2020-01-01', '2020-01-02', 'travel', now(), now())`,
      [owner.accountId, owner.userId],
    )
    const text = textOf(await owner.open(PAGE))
    expect(text).not.toContain('You: Travel')
    expect(text.indexOf('Sam:')).toBeGreaterThan(-1)
    expect(text.indexOf('Sam:')).toBeLessThan(text.indexOf('You:'))
  })
})
