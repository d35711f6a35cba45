import { beforeAll, describe, expect, it } from 'vitest'
import { fingerprint } from '../database.ts'
import { fieldOf, joining, newOwner, type Person, textOf } from './person.ts'

let owner: Person
let manager: Person
let staff: Person
let colleague: Person
let stranger: Person
beforeAll(async () => {
  ;[owner, stranger] = await Promise.all([newOwner(), newOwner()])
  ;[manager, staff, colleague] = await Promise.all([
    joining(owner.accountId, 'manager', 'Mia'),
    joining(owner.accountId, 'staff', 'Sam <b>'),
    joining(owner.accountId, 'staff', 'Cora'),
  ])
})

const PAGE = '/settings/teams'
let count = 0
const make = async () => {
  const page = await owner.press(PAGE, 'create', { name: `Front ${++count}` })
  return page.location ?? ''
}
const add = (by: Person, path: string, who: Person, role = 'MEMBER') =>
  by.press(path, 'add', { userId: who.email, role })
const give = (by: Person, path: string, who: Person, role: string) =>
  by.send(path, { act: 'role', userId: String(who.userId), role, bare: 'on' })
const remove = (by: Person, path: string, who: Person) =>
  by.send(path, { act: 'remove', userId: String(who.userId) })

describe(PAGE, () => {
  it('303 to the new team with its owner; it is listed', async () => {
    const path = await make()
    expect(textOf(await owner.open(path))).toContain('Olive Owner (you) Owner')
    expect(textOf(await owner.open(PAGE))).toContain(`Front ${count} 1 member`)
  })

  it('403 for staff, who have no form for it, and see the teams they are in', async () => {
    const path = await make()
    expect((await staff.open(PAGE)).text).not.toContain('value="create"')
    expect((await staff.send(PAGE, { act: 'create', name: 'Mine' })).status).toBe(403)
    expect((await staff.open(path)).status).toBe(404)
    await add(owner, path, staff)
    expect(textOf(await staff.open(PAGE))).toContain(`Front ${count} 2 members`)
  })
})

describe(`${PAGE}/{id}`, () => {
  it('303 when its name, slug and the rest are changed', async () => {
    const path = await make()
    const page = await owner.press(path, 'save', {
      name: 'Back office',
      slug: `back-${count}`,
      timeZone: 'UTC',
      bio: 'Quiet',
      isPrivate: 'on',
    })
    expect([fieldOf(page, 'name'), fieldOf(page, 'slug')]).toEqual(['Back office', `back-${count}`])
    expect(page.text).toMatch(/name="isPrivate"[^>]*checked/)
    const open = { name: 'Back office', slug: `back-${count}`, timeZone: 'UTC', bio: '' }
    expect((await owner.press(path, 'save', open)).text).not.toMatch(/name="isPrivate"[^>]*checked/)
  })

  it('303 for a colleague by e-mail address, username or name, with a role; names are escaped', async () => {
    const path = await make()
    const page = await add(owner, path, staff)
    expect(page.text).toContain('Sam &lt;b&gt;')
    expect(textOf(page)).toContain('Sam <b> is in the team.')
    const byUsername = await owner.press(path, 'add', { userId: colleague.username, role: 'ADMIN' })
    expect(textOf(byUsername)).toContain('Cora Admin')
    const byName = await owner.press(await make(), 'add', { userId: 'CORA', role: 'ADMIN' })
    expect(textOf(byName)).toContain('Cora Admin')
  })

  it('422 for a name that several have; an address or username is told from a name', async () => {
    const path = await make()
    const [one, two] = await Promise.all([
      joining(owner.accountId, 'staff', 'Kim'),
      joining(owner.accountId, 'staff', 'Kim'),
    ])
    const refused = await owner.send(path, { act: 'add', userId: 'Kim', role: 'MEMBER' })
    expect(refused.status).toBe(422)
    expect(textOf(refused)).toContain('Is nobody of this business, or the name of several.')
    await joining(owner.accountId, 'staff', two!.username)
    const page = await owner.press(path, 'add', { userId: two!.username, role: 'MEMBER' })
    expect(page.text).toContain(two!.email)
    expect(page.text).not.toContain(one!.email)
  })

  it.each([
    ['nobody', 422, 'userId-fault'],
    ['', 422, 'userId-fault'],
  ])('%j is nobody: %d at the field', async (userId, status, fault) => {
    const path = await make()
    const before = await fingerprint(owner.accountId)
    const reply = await owner.send(path, { act: 'add', userId, role: 'MEMBER' })
    expect([reply.status, reply.text.includes(`id="${fault}"`)]).toEqual([status, true])
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('422 for a user of another business, in the words for nobody; 409 for who is in it', async () => {
    const path = await make()
    const foreign = await owner.send(path, { act: 'add', userId: stranger.email, role: 'MEMBER' })
    expect([
      foreign.status,
      textOf(foreign).includes('Is nobody of this business, or the name of several.'),
    ]).toEqual([422, true])
    const again = await owner.send(path, { act: 'add', userId: owner.email, role: 'MEMBER' })
    expect(again.status).toBe(409)
    expect(again.text).toContain('role="alert"')
  })

  it('roles: an ADMIN who is staff manages, and makes no OWNER; a MEMBER manages nothing', async () => {
    const path = await make()
    await add(owner, path, staff, 'ADMIN')
    await add(owner, path, colleague)
    const page = await staff.open(path)
    expect(page.text).toContain('value="add"')
    expect(page.text).not.toContain('value="OWNER"')
    expect(page.text).not.toContain('Delete team')
    expect((await give(staff, path, colleague, 'ADMIN')).status).toBe(303)
    expect((await give(staff, path, colleague, 'OWNER')).status).toBe(403)
    expect((await give(staff, path, colleague, 'MEMBER')).status).toBe(303)
    const plain = await colleague.open(path)
    expect(plain.text).not.toMatch(/value="(?:add|role|save|delete)"/)
    const before = await fingerprint(owner.accountId)
    for (const act of ['save', 'add', 'role', 'delete']) {
      const fields = {
        act,
        name: 'Evil',
        timeZone: 'UTC',
        userId: String(staff.userId),
        role: 'MEMBER',
      }
      const who = act === 'add' ? { userId: manager.email } : {}
      expect([act, (await colleague.send(path, { ...fields, ...who })).status]).toEqual([act, 403])
    }
    expect((await remove(colleague, path, staff)).status).toBe(403)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('303 to the list for staff who leave; 409 for the last owner', async () => {
    const path = await make()
    await add(owner, path, staff)
    const left = await remove(staff, path, staff)
    expect([left.status, left.location]).toEqual([303, PAGE])
    expect((await staff.open(path)).status).toBe(404)
    const last = await remove(owner, path, owner)
    expect(last.status).toBe(409)
    const given = await give(owner, path, owner, 'MEMBER')
    expect(given.status).toBe(409)
    expect(textOf(given)).toContain('A team needs an owner: give the role to somebody else first.')
    expect((await owner.open(path)).text).toContain('name="bare" value="on"')
  })

  it('303 when it is deleted, which takes a second press', async () => {
    const path = await make()
    const { text } = await owner.open(path)
    expect(text).toMatch(/<details class="confirm"><summary>Delete team/)
    expect((await owner.press(path, 'delete')).location).toBe(PAGE)
    expect((await owner.open(path)).status).toBe(404)
  })

  it('leads managers to the schedules of its members', async () => {
    const path = await make()
    await add(owner, path, staff)
    const link = `/settings/schedules?of=${staff.userId}`
    expect((await manager.open(path)).text).toContain(`href="${link}"`)
    expect((await staff.open(path)).text).not.toContain('schedules?of=')
    expect(textOf(await manager.open(link))).toContain('Working hours')
  })
})
