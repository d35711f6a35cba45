import { beforeAll, describe, expect, it } from 'vitest'
import { fingerprint, queryDatabase } from '../database.ts'
import { fieldOf, joining, newOwner, type Person, textOf } from './person.ts'

let owner: Person
let manager: Person
let staff: Person
beforeAll(async () => {
  owner = await newOwner()
  ;[manager, staff] = await Promise.all([
    joining(owner.accountId, 'manager'),
    joining(owner.accountId, 'staff'),
  ])
})

const PAGE = '/settings/schedules'
let count = 0
const make = async (by: Person = owner) => {
  const name = `Summer ${++count}`
  const page = await by.press(PAGE, 'create', { name, timeZone: 'Europe/Vienna' })
  return page.location ?? ''
}
const kept = async (path: string) => {
  const [row] = await queryDatabase<{ availability: object[]; overrides: object[]; name: string }>(
    'select * from schedules where id = $1',
    [path.split('/').at(-1)],
  )
  return row!
}
const WEEKEND = {
  name: 'Weekend',
  timeZone: 'Europe/Vienna',
  'Saturday.0.start': '09:00',
  'Saturday.0.end': '12:00',
  'Saturday.1.start': '13:00',
  'Saturday.1.end': '23:59',
  'Sunday.0.start': '09:00',
  'Sunday.0.end': '12:00',
  'Monday.0.start': '',
  'Monday.0.end': '',
}

describe(PAGE, () => {
  it('lists one’s own with their hours, the default among them', async () => {
    const text = textOf(await owner.open(PAGE))
    expect(text).toContain('Working hours Default Mon, Tue, Wed, Thu, Fri 9:00 AM – 5:00 PM')
    expect(text).toContain('America/New York')
  })

  it('303 to the new one, for oneself or, for a manager, for a colleague', async () => {
    const path = await make()
    expect(textOf(await owner.open(path))).toContain(`Summer ${count}`)
    const made = await manager.press(`${PAGE}?of=${staff.userId}`, 'create', {
      name: 'For a colleague',
      timeZone: 'UTC',
      ownerId: String(staff.userId),
    })
    expect(textOf(await staff.open(PAGE))).toContain('For a colleague')
    expect((await staff.open(String(made.location))).status).toBe(200)
    expect(textOf(await manager.open(PAGE))).not.toContain('For a colleague')
  })

  it('403 for staff who make one for somebody else; their list has their own alone', async () => {
    const before = await fingerprint(owner.accountId)
    const fields = { act: 'create', name: 'Evil', timeZone: 'UTC', ownerId: String(owner.userId) }
    expect((await staff.send(PAGE, fields)).status).toBe(403)
    expect(textOf(await staff.open(`${PAGE}?of=${owner.userId}`))).toContain(
      'There are no schedules.',
    )
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('422 without a name', async () => {
    const reply = await owner.send(PAGE, { act: 'create', name: ' ', timeZone: 'UTC' })
    expect([reply.status, reply.text.includes('id="name-fault"')]).toEqual([422, true])
  })
})

describe(`${PAGE}/{id}, hours of the week`, () => {
  it('303 with several stretches a day; days with the same hours are kept together', async () => {
    const path = await make()
    const page = await owner.press(path, 'save', WEEKEND)
    expect((await kept(path)).availability).toEqual([
      { days: ['Sunday', 'Saturday'], startTime: '09:00', endTime: '12:00' },
      { days: ['Saturday'], startTime: '13:00', endTime: '23:59' },
    ])
    expect(fieldOf(page, 'Saturday.1.start')).toBe('13:00')
    expect(fieldOf(page, 'Saturday.2.start')).toBe('')
    expect(fieldOf(page, 'Monday.0.start')).toBe('')
    expect(fieldOf(page, 'Monday.1.start')).toBeUndefined()
    expect(page.text).toContain('aria-label="Saturday from"')
  })

  it('303 with none at all: never open', async () => {
    const path = await make()
    await owner.press(path, 'save', { name: 'Closed', timeZone: 'UTC' })
    expect((await kept(path)).availability).toEqual([])
    expect(textOf(await owner.open(PAGE))).toContain('never open')
  })

  it('what is saved as it is shown stays as it is', async () => {
    const path = await make()
    const before = (await kept(path)).availability
    const page = await owner.open(path)
    const names = [...page.text.matchAll(/name="(\w+day\.\d+\.(?:start|end))"/g)].map(m => m[1]!)
    const fields = Object.fromEntries(names.map(name => [name, fieldOf(page, name) ?? '']))
    await owner.press(path, 'save', { ...fields, name: 'Same', timeZone: 'UTC' })
    expect((await kept(path)).availability).toEqual(before)
  })

  it.each([
    [
      'Monday.0.end',
      { 'Monday.0.start': '17:00', 'Monday.0.end': '09:00' },
      'Must be after the start.',
    ],
    ['Monday.0.end', { 'Monday.0.start': '17:00' }, 'Please enter a time such as 09:30.'],
    [
      'Saturday.2.start',
      { 'Saturday.2.start': '11:00', 'Saturday.2.end': '14:00' },
      'Overlaps other hours of the day.',
    ],
  ])('422 with the fault at %s, and all that was typed', async (field, change, fault) => {
    const path = await make()
    const before = await fingerprint(owner.accountId)
    const reply = await owner.send(path, { act: 'save', ...WEEKEND, ...change })
    expect(reply.status).toBe(422)
    expect(reply.text).toContain(`id="${field}-fault"`)
    expect(reply.text).toContain(`href="#${field}"`)
    const label = field.replace(/\.\d\.start/, ' from').replace(/\.\d\.end/, ' until')
    expect(textOf(reply)).toContain(`${label}: ${fault}`)
    for (const [name, value] of Object.entries(change)) expect(fieldOf(reply, name)).toBe(value)
    expect(fieldOf(reply, 'Saturday.0.start')).toBe('09:00')
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })
})

describe(`${PAGE}/{id}, dates`, () => {
  it('303 for other hours and for a closed day, in order; and again when one is removed', async () => {
    const path = await make()
    await owner.press(path, 'override', {
      date: '2041-12-24',
      startTime: '09:00',
      endTime: '12:00',
    })
    await owner.press(path, 'override', {
      date: '2041-05-01',
      closed: 'on',
      startTime: '',
      endTime: '',
    })
    const page = await owner.press(path, 'override', {
      date: '2041-12-24',
      startTime: '14:00',
      endTime: '15:00',
    })
    const all = [
      { date: '2041-05-01', startTime: '00:00', endTime: '00:00' },
      { date: '2041-12-24', startTime: '09:00', endTime: '12:00' },
      { date: '2041-12-24', startTime: '14:00', endTime: '15:00' },
    ]
    expect((await kept(path)).overrides).toEqual(all)
    expect(textOf(page)).toContain('Wed, May 1, 2041 closed')
    expect(textOf(page)).toContain('Tue, Dec 24, 2041 9:00 AM – 12:00 PM')
    await owner.press(path, 'unset', { key: '2041-12-24 09:00 12:00' })
    expect((await kept(path)).overrides).toEqual([all[0], all[2]])
  })

  it.each([
    ['date', { date: '', closed: 'on' }, 'Please enter a date such as 2026-03-08.'],
    ['startTime', { date: '2041-06-01' }, 'Please enter a time such as 09:30.'],
    [
      'endTime',
      { date: '2041-06-01', startTime: '09:00', endTime: '09:00' },
      'Must be after the start.',
    ],
    ['date', { date: '2041-05-01', closed: 'on' }, 'Overlaps other hours of this date.'],
    ['date', { date: '2041-05-01', startTime: '10:00', endTime: '11:00' }, 'Overlaps other hours'],
  ])('422 at %s for %j, which changes nothing', async (field, fields, fault) => {
    const path = await make()
    await owner.press(path, 'override', { date: '2041-05-01', closed: 'on' })
    const before = await fingerprint(owner.accountId)
    const typed = { startTime: '', endTime: '', ...fields }
    const reply = await owner.send(path, { act: 'override', ...typed })
    expect(reply.status).toBe(422)
    expect(reply.text).toContain(`id="${field}-fault"`)
    expect(textOf(reply)).toContain(fault)
    expect(fieldOf(reply, 'date')).toBe(fields.date)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })
})

describe(`${PAGE}/{id}, the default`, () => {
  it('303 when another takes its place, and when one that is not is deleted', async () => {
    const [first, second] = [await make(staff), await make(staff)]
    expect(textOf(await staff.press(first, 'default'))).toContain('What has no schedule of its own')
    expect(textOf(await staff.open(second))).toContain('Delete schedule')
    const gone = await staff.press(second, 'delete')
    expect(gone.location).toBe(PAGE)
    expect((await staff.open(second)).status).toBe(404)
  })

  it('409 for the default, which is still there', async () => {
    const path = await make(manager)
    await manager.press(path, 'default')
    const reply = await manager.send(path, { act: 'delete' })
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('role="alert"')
    expect((await manager.open(path)).status).toBe(200)
  })

  it('404 for staff at a colleague’s, which a manager may change', async () => {
    const path = await make()
    expect((await staff.open(path)).status).toBe(404)
    const before = await fingerprint(owner.accountId)
    for (const act of ['save', 'override', 'unset', 'default', 'delete']) {
      const fields = { ...WEEKEND, act, date: '2041-01-01', closed: 'on' }
      expect([act, (await staff.send(path, fields)).status]).toEqual([act, 404])
    }
    expect(await fingerprint(owner.accountId)).toEqual(before)
    expect(textOf(await manager.press(path, 'save', WEEKEND))).toContain('The hours are saved.')
  })
})
