import { beforeAll, describe, expect, it } from 'vitest'
import { anyone, own, PASSWORD, sendForm, setCookie, signUp, somebody } from '../browser.ts'
import { createAccount, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import {
  accept,
  employeeOf,
  inDays,
  invitedToken,
  join,
  knownTo,
  look,
  newAddress,
  passwordOf,
  sessionOf,
  whoIs,
} from '../invited.ts'
import { roomInMinute } from '../platform.ts'
import { textOf } from './person.ts'

let a: TestAccount
beforeAll(async () => {
  a = await createAccount()
})

describe('nobody is taken over', () => {
  it('409 for a newcomer’s form with the address of a user: nothing of theirs changes, nobody is signed in', async () => {
    const person = await knownTo(a.client)
    const kept = await passwordOf(person.email)
    const before = await queryDatabase(`select * from users where email = $1`, [person.email])
    const reply = await join(person.token, { name: 'Mallory', password: 'mallory was here' })
    expect([reply.status, setCookie(reply.headers)]).toEqual([409, ''])
    expect(textOf(reply)).toContain('its password lets you in')
    expect(await queryDatabase(`select * from users where email = $1`, [person.email])).toEqual(
      before,
    )
    expect(await passwordOf(person.email)).toBe(kept)
    expect((await employeeOf(a.client, person.invitation.employeeId)).userId).toBe(null)
  })

  it('409 for the form of a newcomer who has signed up meanwhile, in any case of the address', async () => {
    const email = newAddress()
    const { token } = await invitedToken(a.client, email.toUpperCase())
    await sendForm('/signup', { name: 'Ann', email, password: PASSWORD, timeZone: 'UTC' })
    const kept = await passwordOf(email)
    expect((await join(token, { password: 'mallory was here' })).status).toBe(409)
    expect(await passwordOf(email)).toBe(kept)
  })

  it('401 with a wrong password or none, and for another user’s session', async () => {
    const [person, mallory] = await Promise.all([knownTo(a.client), signUp()])
    for (const reply of [
      await accept(person.token, { password: 'wrong' }),
      await accept(person.token),
      await accept(person.token, {}, mallory.cookie),
      await accept(person.token, { password: PASSWORD.toUpperCase() }, mallory.cookie),
    ]) {
      expect([reply.status, setCookie(reply.headers)]).toEqual([401, ''])
      expect(textOf(reply)).toContain(`This is not the password of ${person.email}.`)
    }
    expect((await employeeOf(a.client, person.invitation.employeeId)).userId).toBe(null)
  })

  it('409 for a link that is over, whatever the password: it says nothing of that', async () => {
    const person = await knownTo(a.client)
    await sendForm('/invitation/decline', { token: person.token })
    for (const password of ['wrong', PASSWORD]) {
      const body = { token: person.token, password }
      const reply = await anyone.post('/invitation/accept', body, somebody())
      expect([reply.status, reply.body.message]).toEqual([409, 'The invitation is over'])
    }
  })

  it('409 where the employee has another address by now, however that came', async () => {
    const { token, email, invitation } = await invitedToken(a.client)
    await queryDatabase(`update employees set email = 'x' || email where id = $1 returning id`, [
      Number(invitation.employeeId),
    ])
    expect((await join(token)).status).toBe(409)
    expect(await passwordOf(email)).toBe(undefined)
  })

  it('a username that is taken is not taken over either', async () => {
    const local = `u${crypto.randomUUID().slice(0, 8)}`
    const names: unknown[] = []
    for (const host of ['one.example.com', 'two.example.com']) {
      const { token } = await invitedToken(a.client, `${local}@${host}`)
      names.push((await whoIs(sessionOf(await join(token)))).username)
    }
    expect(names).toEqual([local, `${local}-2`])
  })

  it('404 for a forged token, one of another account or invitation, and one that is too old', async () => {
    const { token } = await invitedToken(a.client)
    const [subject = '', expires, signature = ''] = token.split('.')
    const [account, id] = atob(subject).split('.')
    const encode = (text: string) => btoa(text).replaceAll('=', '')
    const forged = [
      [encode(`${account}.${Number(id) + 1}`), expires, signature].join('.'),
      [encode(`${Number(account) + 1}.${id}`), expires, signature].join('.'),
      [subject, 'zzzzzzzz', signature].join('.'),
      [subject, expires, signature.replace(/^./, c => (c === 'a' ? 'b' : 'a'))].join('.'),
      'a.b.c',
      '',
    ]
    for (const wrong of forged) {
      expect((await look(wrong)).status).toBe(404)
      expect([404, 422]).toContain((await join(wrong)).status)
      expect([404, 422]).toContain((await accept(wrong, { password: PASSWORD })).status)
      expect([404, 422]).toContain((await sendForm('/invitation/decline', { token: wrong })).status)
    }
    const late = inDays(7.1)
    expect((await look(token, late)).status).toBe(404)
    expect((await join(token, {}, { ...own(), ...late })).status).toBe(404)
    expect((await join(token)).status).toBe(303)
  })

  it('tells without the right token nothing of who has an account', async () => {
    const [person, stranger] = await Promise.all([knownTo(a.client), invitedToken(a.client)])
    const spoilt = (token: string) => token.replace(/.$/, c => (c === '0' ? '1' : '0'))
    const [of, none] = await Promise.all([look(spoilt(person.token)), look(spoilt(stranger.token))])
    expect(of.text).toBe(none.text)
    expect(of.text).not.toContain('example.com')
  })

  it('403 from another site, 429 after ten tries a minute', async () => {
    await roomInMinute()
    const { token } = await knownTo(a.client)
    for (const path of ['', '/accept', '/decline']) {
      const foreign = { origin: 'https://evil.example' }
      const fields = { token, name: 'Ida', password: PASSWORD }
      expect((await sendForm(`/invitation${path}`, fields, foreign)).status).toBe(403)
    }
    const me = { ...own(), ...somebody() }
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await sendForm('/invitation/accept', { token, password: 'wrong' }, me)).status)
    expect(statuses).toContain(429)
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(401))
  })
})
