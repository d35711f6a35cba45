import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import {
  EMPLOYEES,
  employeeOf,
  invited,
  invitedToken,
  inviters,
  join,
  look,
  mailsTo,
  newAddress,
  takeBack,
} from '../invited.ts'
import { fireJob, readMessages } from '../platform.ts'

let a: TestAccount
let other: TestAccount
let admin: Client
let manager: Client
beforeAll(async () => {
  ;({ a, other, admin, manager } = await inviters())
})

describe('DELETE /employees/invite', () => {
  it('200, and the link leads nowhere; 409 for one that is over', async () => {
    const { token, invitation } = await invitedToken(a.client)
    const ended = await takeBack(manager, invitation.inviteId)
    expect([ended.status, ended.body.data]).toEqual([
      200,
      { id: invitation.inviteId, deleted: true },
    ])
    expect((await look(token)).status).toBe(404)
    expect((await join(token)).status).toBe(409)
    expect((await takeBack(a.client, invitation.inviteId)).status).toBe(409)
  })

  it('404 for another account’s, 403 for staff, and for a manager one above staff', async () => {
    const invitation = await invited(a.client, { email: newAddress(), role: 'admin' })
    expect((await takeBack(other.client, invitation.inviteId)).status).toBe(404)
    expect((await takeBack(a.staffClient, invitation.inviteId)).status).toBe(403)
    const refused = await takeBack(manager, invitation.inviteId)
    expect(refused.body.message).toContain('roles.write')
    expect((await takeBack(admin, invitation.inviteId)).status).toBe(200)
  })

  it('an invitation that ended before its e-mail was sent is not sent', async () => {
    const email = newAddress()
    const { inviteId } = await invited(a.client, { email })
    await mailsTo(email)
    await takeBack(a.client, inviteId)
    await queryDatabase(
      `update messages set status = 'queued', next_at = now() - interval '1 hour', attempts = 0
       where recipient = $1`,
      [email],
    )
    await fireJob('messages')
    expect(await readMessages({ to: email })).toHaveLength(1)
    const [row] = await queryDatabase(`select error from messages where recipient = $1`, [email])
    expect(row!.error).toBe('skipped: the invitation is over')
  })
})

describe('what ends an invitation', () => {
  it('the employee is deleted', async () => {
    const { token, invitation } = await invitedToken(a.client)
    await a.client.del(`${EMPLOYEES}?id=${invitation.employeeId}`)
    expect((await look(token)).status).toBe(404)
    expect((await join(token)).status).toBe(409)
  })

  it('their address is another; the same in another case is none', async () => {
    const { token, email, invitation } = await invitedToken(a.client)
    const at = `${EMPLOYEES}?id=${invitation.employeeId}`
    await a.client.put(at, { email: email.toUpperCase() })
    expect((await look(token)).text).toContain('Choose a password')
    await a.client.put(at, { email: newAddress() })
    expect((await employeeOf(a.client, invitation.employeeId)).inviteStatus).toBe('none')
    await a.client.put(at, { email })
    expect((await look(token)).status).toBe(404)
    expect((await join(token)).status).toBe(409)
  })
})
