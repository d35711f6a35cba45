import { beforeAll, describe, expect, it } from 'vitest'
import { sendForm } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { join, look, newAddress, tokenTo } from '../invited.ts'
import { joining, newOwner, type Person, textOf } from './person.ts'

const PAGE = '/settings/people'

let owner: Person
let manager: Person
let staff: Person
beforeAll(async () => {
  owner = await newOwner()
  ;[manager, staff] = await Promise.all([
    joining(owner.accountId, 'manager', 'Mia'),
    joining(owner.accountId, 'staff', 'Sam <b>'),
  ])
})

const send = (by: Person, email: string, more: Record<string, string> = {}) =>
  by.press(PAGE, 'invite', { email, name: 'Ida', role: 'staff', ...more })
/** The markup of somebody's row. */
const markupOf = (page: { text: string }, email: string): string =>
  page.text
    .split('<li>')
    .filter(part => part.includes('class="name"'))
    .find(part => part.includes(email))
    ?.split('</li>')[0] ?? ''
/** What it says. */
const rowOf = (page: { text: string }, email: string) => textOf({ text: markupOf(page, email) })
/** What goes along with its buttons. */
const hiddenOf = (page: { text: string }, email: string, field: string): string =>
  new RegExp(`name="${field}" value="(\\d+)"`).exec(markupOf(page, email))?.[1] ?? ''

describe(PAGE, () => {
  it('shows everybody by name: who signs in, and who does not', async () => {
    const page = await owner.open(PAGE)
    expect(rowOf(page, owner.email)).toContain('Olive Owner (you) Owner')
    expect(rowOf(page, manager.email)).toContain(`Mia Manager ${manager.email} signs in`)
    expect(page.text).toContain('Sam &lt;b&gt;')
    const names = [...page.text.matchAll(/<h3 class="name">([^<]+)/g)].map(m => m[1])
    expect(names.length).toBeGreaterThan(3)
    expect(names).toEqual(names.toSorted((x, y) => x!.localeCompare(y!, 'en')))
  })

  it('303 when somebody is invited, who joins by the link and is shown as a member', async () => {
    const email = newAddress()
    const page = await send(owner, email, { role: 'manager' })
    expect(textOf(page)).toContain(`An invitation is on its way to ${email}.`)
    expect(rowOf(page, email)).toMatch(/Ida Manager \S+ invited by Olive Owner, until /)
    const token = await tokenTo(email)
    expect((await join(token, { name: 'Ida Lang' })).status).toBe(303)
    const after = rowOf(await owner.open(PAGE), email)
    expect(after).toContain(`Ida Lang Manager ${email} signs in`)
    expect(after).not.toContain('Send again')
  })

  it('303 when it is sent again, also once it has expired: the link before it ends', async () => {
    const email = newAddress()
    const first = await send(manager, email)
    const old = await tokenTo(email)
    await queryDatabase(
      `update invitations set expires_at = now() - interval '1 hour' where email = $1 returning id`,
      [email],
    )
    expect(rowOf(await owner.open(PAGE), email)).toContain('; it expired ')
    const employeeId = hiddenOf(first, email, 'employeeId')
    const again = await manager.press(PAGE, 'again', { employeeId, bare: 'on' })
    expect(textOf(again)).toContain(`An invitation is on its way to ${email}.`)
    const token = await tokenTo(email, 2)
    expect((await look(old)).status).toBe(404)
    expect((await join(token)).status).toBe(303)
  })

  it('303 when it is taken back; 409 for one that is over', async () => {
    const email = newAddress()
    const page = await send(owner, email)
    // What is taken back before it was sent is not sent any more.
    const token = await tokenTo(email)
    const fields = { id: hiddenOf(page, email, 'id'), bare: 'on' }
    const after = await owner.press(PAGE, 'revoke', fields)
    expect(textOf(after)).toContain('The invitation is taken back.')
    expect(rowOf(after, email)).toContain('does not sign in')
    expect((await look(token)).status).toBe(404)
    const refused = await owner.send(PAGE, { act: 'revoke', ...fields })
    expect([refused.status, textOf(refused).includes('The invitation is over.')]).toEqual([
      409,
      true,
    ])
  })

  it('shows that somebody declined', async () => {
    const email = newAddress()
    await send(owner, email)
    await sendForm('/invitation/decline', { token: await tokenTo(email) })
    expect(rowOf(await owner.open(PAGE), email)).toContain('declined')
  })

  it('409 at the field for a member, 422 for no address, both with what was typed', async () => {
    const fields = { act: 'invite', name: 'Zoe', role: 'staff' }
    const member = await owner.send(PAGE, { ...fields, email: staff.email })
    expect([member.status, member.text.includes('id="email-fault"')]).toEqual([409, true])
    expect(textOf(member)).toContain('Is a member already.')
    const nobody = await owner.send(PAGE, { ...fields, email: 'zoe' })
    expect([nobody.status, nobody.text.includes('value="Zoe"')]).toEqual([422, true])
  })

  it('409 in words after as many as a day may have', async () => {
    const busy = await newOwner()
    const email = newAddress()
    await send(busy, email)
    await queryDatabase(
      `insert into invitations (account_id, employee_id, email, user_id, created_at, expires_at,
         ended_at, outcome)
       select account_id, employee_id, email, user_id, created_at, expires_at, now(), 'replaced'
       from invitations, generate_series(1, 49) where email = $1 returning id`,
      [email],
    )
    const fields = { act: 'invite', email: newAddress(), role: 'staff' }
    const refused = await busy.send(PAGE, fields)
    expect(refused.status).toBe(409)
    expect(textOf(refused)).toContain('At most 50 invitations can be sent within a day.')
  })

  it('offers a manager the role of staff alone, and no button at those above; 403 for both', async () => {
    const email = newAddress()
    const sent = await send(owner, email, { role: 'admin' })
    const page = await manager.open(PAGE)
    expect(page.text).toContain('<option value="staff"')
    expect(page.text).not.toContain('<option value="manager"')
    expect(rowOf(page, email)).not.toContain('Send again')
    const employeeId = hiddenOf(sent, email, 'employeeId')
    const tries: Record<string, string>[] = [
      { act: 'again', employeeId },
      { act: 'revoke', id: hiddenOf(sent, email, 'id') },
      { act: 'invite', email: newAddress(), role: 'owner' },
    ]
    for (const fields of tries) expect((await manager.send(PAGE, fields)).status).toBe(403)
  })

  it('is not for staff', async () => {
    expect((await staff.open(PAGE)).status).toBe(403)
    expect((await staff.open('/settings/profile')).text).not.toContain(PAGE)
    const fields = { act: 'invite', email: newAddress(), role: 'staff' }
    expect((await staff.send(PAGE, fields)).status).toBe(403)
  })
})
