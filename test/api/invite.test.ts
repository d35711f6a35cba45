import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, client, createAccount, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import {
  EMPLOYEES,
  employeeOf,
  INVITE,
  inDays,
  invited,
  invitedToken,
  inviters,
  join,
  look,
  mailsTo,
  newAddress,
  takeBack,
  tokenTo,
} from '../invited.ts'
import { readMessages } from '../platform.ts'

let a: TestAccount
let other: TestAccount
let admin: Client
let manager: Client
beforeAll(async () => {
  ;({ a, other, admin, manager } = await inviters())
})

const hire = async (more: object = {}) => {
  const made = await a.client.post(EMPLOYEES, { name: 'Eve', email: newAddress(), ...more })
  expect(made.status).toBe(201)
  return made.body
}

describe('POST /employees/invite', () => {
  it('201 for an address: an employee is made, who is invited for seven days', async () => {
    const email = newAddress()
    const before = Date.now()
    const reply = await a.client.post(INVITE, { email, name: 'Ida Lang' })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      inviteId: expect.any(Number),
      employeeId: expect.any(Number),
      email,
      role: 'staff',
      expiresAt: expect.stringMatching(/Z$/),
    })
    const days = (Date.parse(String(reply.body.expiresAt)) - before) / 86_400_000
    expect(days).toBeCloseTo(7, 2)
    const employee = await employeeOf(a.client, reply.body.employeeId)
    expect(employee).toMatchObject({ name: 'Ida Lang', email, userId: null })
    expect(employee).toMatchObject({ inviteStatus: 'invited', timeZone: 'America/New_York' })
  })

  it('201 for an employee, by id or by their address in any case', async () => {
    const { id, email } = await hire()
    expect(await invited(a.client, { employeeId: id })).toMatchObject({ employeeId: id, email })
    const again = await invited(manager, { email: String(email).toUpperCase(), name: 'Other' })
    expect(again).toMatchObject({ employeeId: id, email })
    expect(await employeeOf(a.client, id)).toMatchObject({ name: 'Eve', inviteStatus: 'invited' })
  })

  it('tells in the e-mail who asks, into which business, as what and until when', async () => {
    const { email, token } = await invitedToken(a.client, newAddress(), { role: 'manager' })
    const [message] = await mailsTo(email)
    expect(message!.subject).toBe('Olive Owner invites you to Olive Owner')
    for (const words of [`Olive Owner (${a.email})`, 'You will be: Manager', 'Until: ', token])
      expect(message!.text).toContain(words)
    expect(message!.text).toContain('gave us your address')
  })

  it('nothing of the link is kept', async () => {
    const { email, token, invitation } = await invitedToken(a.client)
    const signature = token.split('.')[2]!
    const kept = await queryDatabase(
      `select (select json_agg(m) from messages m where recipient = $1)::text
        || (select json_agg(i) from invitations i where id = $2)::text as text`,
      [email, invitation.inviteId],
    )
    expect(kept[0]!.text).toContain('invitation')
    expect(kept[0]!.text).not.toContain(signature)
  })

  it('inviting again sends a new link and ends the old one', async () => {
    const { email, token, invitation } = await invitedToken(a.client)
    const later = await invited(a.client, { employeeId: invitation.employeeId }, inDays(1))
    expect(later.inviteId).not.toBe(invitation.inviteId)
    const newer = await tokenTo(email, 2)
    expect(newer).not.toBe(token)
    expect((await look(token)).text).toContain('A newer one was sent to you')
    expect((await join(token)).status).toBe(409)
    expect((await look(newer)).text).toContain('Choose a password')
  })

  it('the state of an employee goes by the clock and by what happens', async () => {
    const { invitation } = await invitedToken(a.client)
    const status = async (headers?: Record<string, string>) =>
      (await employeeOf(a.client, invitation.employeeId, headers)).inviteStatus
    expect(await status()).toBe('invited')
    expect(await status(inDays(6.9))).toBe('invited')
    expect(await status(inDays(7.1))).toBe('expired')
    const list = await a.client.get(`${EMPLOYEES}?limit=1`, inDays(7.1))
    expect(list.items[0]).toMatchObject({ id: invitation.employeeId, inviteStatus: 'expired' })
    expect((await takeBack(a.client, invitation.inviteId)).status).toBe(200)
    expect(await status()).toBe('none')
  })

  it('409 for a member: by employee, by their address, in any case, and for the owner', async () => {
    const tries = [
      { employeeId: a.staff.employeeId },
      { email: a.staff.email },
      { email: a.email.toUpperCase() },
    ]
    for (const body of tries) {
      const { status, body: said } = await a.client.post(INVITE, body)
      expect([status, said.error]).toEqual([409, 'CONFLICT'])
      const field = Object.keys(body)[0]
      expect(said.details).toEqual([{ field, message: 'is a member already' }])
    }
    expect((await other.client.post(INVITE, { email: a.email })).status).toBe(201)
  })

  it('404 for an employee of nobody, of another account, or deleted', async () => {
    const { id } = await hire()
    await a.client.del(`${EMPLOYEES}?id=${id}`)
    const theirs = await other.client.post(EMPLOYEES, { name: 'Tom', email: newAddress() })
    for (const employeeId of [2_147_483_647, theirs.body.id, id]) {
      const { status, body } = await a.client.post(INVITE, { employeeId })
      expect([status, body.message]).toEqual([404, 'Employee does not exist'])
    }
  })

  it('401 without credentials, 403 for staff, who lack employees.write', async () => {
    expect((await client().post(INVITE, { email: newAddress() })).status).toBe(401)
    const { status, body } = await a.staffClient.post(INVITE, { email: newAddress() })
    expect([status, body.message]).toEqual([
      403,
      'Your role "staff" lacks the permission employees.write',
    ])
  })

  it('403 for a manager who invites above staff, in whatever way; 201 for an admin', async () => {
    const lead = await hire({ role: 'admin' })
    const tries = [
      { email: newAddress(), role: 'manager' },
      { email: newAddress(), role: 'owner' },
      { employeeId: lead.id },
      { email: lead.email },
      { employeeId: lead.id, role: 'staff' },
    ]
    for (const body of tries) {
      const { status, body: said } = await manager.post(INVITE, body)
      expect([status, said.message]).toEqual([
        403,
        'Your role "manager" lacks the permission roles.write',
      ])
    }
    expect(await employeeOf(a.client, lead.id)).toMatchObject({
      role: 'admin',
      inviteStatus: 'none',
    })
    expect(await invited(admin, { employeeId: lead.id })).toMatchObject({ role: 'admin' })
    const changed = await invited(admin, { employeeId: lead.id, role: 'manager' })
    expect(changed.role).toBe('manager')
    expect((await employeeOf(a.client, lead.id)).role).toBe('manager')
  })

  it('403 for an admin who invites an owner: nobody invites above their own role', async () => {
    const body = { email: newAddress(), role: 'owner' }
    const reply = await admin.post(INVITE, body)
    expect([reply.status, reply.body.message]).toEqual([
      403,
      'Your role "admin" is below "owner": nobody is invited above their own role',
    ])
    expect((await invited(a.client, body)).role).toBe('owner')
  })

  it('422 with a detail for every fault', async () => {
    const faults = async (body: object) => {
      const reply = await a.client.post(INVITE, body)
      return [reply.status, reply.body.details]
    }
    expect(await faults({})).toEqual([
      422,
      [{ field: 'email', message: 'required, unless employeeId is given' }],
    ])
    expect(await faults({ employeeId: a.staff.employeeId, email: newAddress() })).toEqual([
      422,
      [{ field: 'email', message: 'is another address than the employee has' }],
    ])
    expect(await faults({ email: 'nobody', role: 'boss', name: ' ', employeeId: 'x' })).toEqual([
      422,
      expect.arrayContaining([
        { field: 'email', message: 'expected an e-mail address' },
        { field: 'role', message: 'expected one of "owner", "admin", "manager", "staff"' },
      ]),
    ])
  })

  it('once for one Idempotency-Key: one invitation, one e-mail', async () => {
    const email = newAddress()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await a.client.post(INVITE, { email }, headers)
    const again = await a.client.post(INVITE, { email }, headers)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    await mailsTo(email)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(await readMessages({ to: email })).toHaveLength(1)
  })

  it('two at once for one address: one employee, and one invitation that is open', async () => {
    const email = newAddress()
    const both = await Promise.all([1, 2, 3].map(() => a.client.post(INVITE, { email })))
    expect(both.map(r => r.status)).toEqual([201, 201, 201])
    const [row] = await queryDatabase(
      `select count(distinct employee_id) as employees, count(*) filter (where ended_at is null) as open
       from invitations where email = $1`,
      [email],
    )
    expect(row).toEqual({ employees: '1', open: '1' })
  })

  it('429 after 50 within a day, also at once, with the seconds until there is room', async () => {
    const account = await createAccount()
    const { employeeId } = await invited(account.client, { email: newAddress() })
    // 47 more, sent 23 hours ago.
    await queryDatabase(
      `insert into invitations (account_id, employee_id, email, user_id, created_at, expires_at,
         ended_at, outcome)
       select account_id, employee_id, email, user_id, now() - interval '23 hours', expires_at,
         now(), 'replaced' from invitations, generate_series(1, 47) where employee_id = $1`,
      [employeeId],
    )
    const many = await Promise.all(
      [1, 2, 3, 4, 5].map(() => account.client.post(INVITE, { email: newAddress() })),
    )
    expect(many.map(r => r.status).toSorted()).toEqual([201, 201, 429, 429, 429])
    const refused = many.find(r => r.status === 429)!
    expect(refused.body).toEqual({
      status: 'error',
      error: 'RATE_LIMITED',
      message: 'At most 50 invitations can be sent within a day',
    })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(3400)
    expect(wait).toBeLessThan(3700)
    expect((await a.client.post(INVITE, { email: newAddress() })).status).toBe(201)
    const later = await account.client.post(INVITE, { email: newAddress() }, inDays(1.1))
    expect(later.status).toBe(201)
  })
})
