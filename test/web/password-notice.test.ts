import { expect, it } from 'vitest'
import { sendForm, signUp } from '../browser.ts'
import { platform, readMessages } from '../platform.ts'
import { newOwner } from './person.ts'

const NEW = 'battery staple'
const SUBJECT = 'Your password was changed'
const SETTINGS = '/settings/password'

/** The e-mails to somebody, once there are as many as that. */
async function mailTo(to: string, count: number) {
  for (let tries = 0; tries < 40; tries++) {
    const found = await readMessages({ to, channel: 'email' })
    if (found.length >= count) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return readMessages({ to, channel: 'email' })
}

it('a password that was changed in the settings is told of by e-mail, each time', async () => {
  const owner = await newOwner()
  const change = (currentPassword: string, password: string) => ({
    act: 'change',
    currentPassword,
    password,
  })
  expect((await owner.send(SETTINGS, change('not this', NEW))).status).toBe(422)
  const at = { 'x-test-now': '2026-11-21T17:05:00Z', origin: platform().url }
  expect((await owner.send(SETTINGS, change(owner.password, NEW), at)).status).toBe(303)
  const [first] = await mailTo(owner.email, 1)
  expect(first?.subject).toBe(SUBJECT)
  expect(first?.text).toContain('It was changed in your settings.')
  expect(first?.text).toContain(`Account: ${owner.email}`)
  expect(first?.text).toContain('Saturday, November 21, 2026, 12:05 PM (Eastern Standard Time)')
  expect(first?.text).toContain(`It was not me:\n${platform().url}/forgot`)
  expect(JSON.stringify(first)).not.toContain(NEW)

  expect((await owner.send(SETTINGS, change(NEW, `${NEW}s`))).status).toBe(303)
  expect((await mailTo(owner.email, 2)).map(({ subject }) => subject)).toEqual([SUBJECT, SUBJECT])
})

it('so is one that was changed by the link of an e-mail, also where two use it at once', async () => {
  const { email } = await signUp()
  await sendForm('/forgot', { email })
  const [link] = await mailTo(email, 1)
  const token = /token=(\S+)/.exec(link?.text ?? '')?.[1] ?? ''
  const both = [NEW, `${NEW}s`].map(password => sendForm('/reset', { token, password }))
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([303, 404])
  const told = (await mailTo(email, 2)).filter(({ subject }) => subject === SUBJECT)
  expect(told).toHaveLength(1)
  expect(told[0]?.text).toContain('It was changed by the link that was e-mailed to you.')
})
