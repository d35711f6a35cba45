import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createAccount, createMember, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { EMPLOYEES, INVITE, newAddress } from '../invited.ts'
import { platform } from '../platform.ts'

let a: TestAccount
let manager: Client
beforeAll(async () => {
  a = await createAccount()
  manager = await createMember(a.accountId, 'manager')
})

/** Changes an employee while somebody invites them, who has read how they were before. */
async function meanwhile(by: Client, change: string) {
  const made = await a.client.post(EMPLOYEES, { name: 'Eve', email: newAddress() })
  const employeeId = Number(made.body.id)
  const connection = new pg.Client({ connectionString: platform().databaseUrl })
  await connection.connect()
  try {
    await connection.query('begin')
    await connection.query(`update employees set ${change} where id = $1`, [employeeId])
    const inviting = by.post(INVITE, { employeeId })
    const waits = `select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`
    for (let tries = 0; tries < 100; tries++) {
      if ((await connection.query(waits)).rows.length > 0) break
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    await connection.query('commit')
    const rows = () =>
      queryDatabase(`select email from invitations where employee_id = $1`, [employeeId])
    return { reply: await inviting, rows: await rows() }
  } finally {
    await connection.end()
  }
}

describe('POST /employees/invite', () => {
  it('404 for an employee who is deleted at that moment', async () => {
    const { reply, rows } = await meanwhile(a.client, 'deleted_at = now()')
    expect([reply.status, rows]).toEqual([404, []])
  })

  it('201 to the new address of one who is given it at that moment', async () => {
    const email = newAddress()
    const { reply, rows } = await meanwhile(a.client, `email = '${email}'`)
    expect([reply.status, reply.body.email, rows]).toEqual([201, email, [{ email }]])
  })

  it('403 for a manager where the employee is made an admin at that moment', async () => {
    const { reply, rows } = await meanwhile(manager, `role = 'admin'`)
    expect([reply.status, reply.body.message, rows]).toEqual([
      403,
      'Your role "manager" lacks the permission roles.write',
      [],
    ])
  })
})
