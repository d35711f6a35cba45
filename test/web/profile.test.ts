import { beforeEach, describe, expect, it } from 'vitest'
import { sendForm } from '../browser.ts'
import { fingerprint } from '../database.ts'
import { roomInMinute } from '../platform.ts'
import { fieldOf, newOwner, signedIn, textOf } from './person.ts'

let owner: Awaited<ReturnType<typeof newOwner>>
beforeEach(async () => {
  owner = await newOwner()
})

const PAGE = '/settings/profile'
const form = (change: object = {}) => ({
  name: 'Olive Other',
  username: `olive.${owner.userId}`,
  timeZone: 'Europe/Vienna',
  weekStart: 'Monday',
  timeFormat: '24',
  bio: 'Hello <b>',
  ...change,
})

describe(PAGE, () => {
  it('303 and the profile is as it was typed; what is emptied is taken away', async () => {
    const page = await owner.press(PAGE, 'save', form())
    expect(textOf(page)).toContain('Your profile is saved.')
    expect(textOf(page)).toContain(owner.email)
    expect([fieldOf(page, 'name'), fieldOf(page, 'username')]).toEqual([
      'Olive Other',
      `olive.${owner.userId}`,
    ])
    for (const chosen of ['Europe/Vienna', 'Monday', '24'])
      expect(page.text).toContain(`<option value="${chosen}" selected=""`)
    expect(page.text).toContain('>Hello &lt;b&gt;</textarea>')
    expect(textOf(await owner.open(PAGE))).not.toContain('Your profile is saved.')
    expect((await owner.press(PAGE, 'save', form({ bio: '' }))).text).not.toContain('Hello')
  })

  it('422 with each fault at its field and in a summary that leads there; nothing changed', async () => {
    const before = await fingerprint(owner.accountId)
    const typed = form({ name: '', username: 'settings', timeZone: 'Mars', timeFormat: '13' })
    const reply = await owner.send(PAGE, { ...typed, act: 'save' })
    expect(reply.status).toBe(422)
    for (const field of ['name', 'username', 'timeZone', 'timeFormat']) {
      expect(reply.text).toContain(`id="${field}-fault"`)
      expect(reply.text).toContain(`href="#${field}"`)
      expect(reply.text).toContain(` id="${field}"`)
    }
    expect(textOf(reply)).toContain('Username: Is reserved.')
    expect(textOf(reply)).toContain('Clock: Please enter 12 or 24.')
    const blank = await owner.send(PAGE, { ...form({ name: ' ' }), act: 'save' })
    expect(textOf(blank)).toContain('Name: Please fill this in.')
    expect(reply.text).toContain('value="settings"')
    expect(reply.text).toContain('<title>Error: Profile')
    expect(reply.text.match(/autofocus/g)).toHaveLength(1)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('409 at the field for a username that is taken', async () => {
    const other = await newOwner()
    const reply = await owner.send(PAGE, { ...form({ username: other.username }), act: 'save' })
    expect(reply.status).toBe(409)
    expect(textOf(reply)).toContain('This username is taken.')
    expect(reply.text).toContain('id="username-fault"')
  })
})

describe('/settings/password', () => {
  const change = (currentPassword: string, password: string) => ({
    act: 'change',
    currentPassword,
    password,
  })
  const signIn = async (password: string) =>
    (await sendForm('/signin', { email: owner.email, password })).status

  it('303, the new password counts, and every other browser is signed out', async () => {
    const other = await signedIn(owner, 'owner')
    const fields = change(owner.password, 'battery staple')
    const page = await owner.press('/settings/password', 'change', fields)
    expect(textOf(page)).toContain('Your password is changed.')
    expect((await other.open(PAGE)).status).toBe(303)
    expect((await owner.open(PAGE)).status).toBe(200)
    expect(await signIn(owner.password)).toBe(401)
    expect(await signIn('battery staple')).toBe(303)
  })

  it('422 for a wrong or a short password, neither of which comes back; nothing changed', async () => {
    const before = await fingerprint(owner.accountId)
    const wrong = await owner.send(
      '/settings/password',
      change('not my password', 'battery staple'),
    )
    expect([wrong.status, wrong.text.includes('id="currentPassword-fault"')]).toEqual([422, true])
    const short = await owner.send('/settings/password', change(owner.password, 'tiny'))
    expect([short.status, short.text.includes('id="password-fault"')]).toEqual([422, true])
    for (const { text } of [wrong, short]) expect(text).not.toMatch(/not my|battery|tiny"/)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('429 after ten tries in a minute', async () => {
    await roomInMinute()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await owner.send('/settings/password', change('wrong', 'long enough'))).status)
    expect(new Set(statuses.slice(0, 10))).toEqual(new Set([422]))
    expect(statuses[10]).toBe(429)
  })
})
