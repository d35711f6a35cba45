import { newEmail } from '../browser.ts'
import { type Receiver, until } from '../events/receiver.ts'
import { BACK, makeClient, tokensFor } from '../oauth/world.ts'
import { joining, newOwner, type Person } from './person.ts'

/** What somebody types, by the page and the button; other forms are sent as they are shown. */
const typedFor = (
  receiver: Receiver,
  password: string,
  colleague: Person,
): Record<string, Record<string, string>> => ({
  'password change': { currentPassword: password, password: 'battery staple' },
  'keys create': { note: 'Till' },
  'schedules create': { name: 'Evenings' },
  'schedules override': { date: '2041-12-24', closed: 'on' },
  'away create': { start: '2041-05-01', end: '2041-05-02' },
  'people invite': { email: newEmail() },
  'teams create': { name: 'Front desk' },
  'teams add': { userId: colleague.email },
  'webhooks create': { subscriberUrl: `${receiver.url}/b`, 'triggers.OOO_CREATED': 'on' },
  'webhooks again': { from: '2020-01-01' },
  'clients create': { name: 'Till', redirectUris: BACK },
})

/**
 * A business with something of everything that its owner can press a button at in the settings, and what is
 * typed there.
 * @param receiver of its webhooks, which answers 200
 */
export async function newBusiness(receiver: Receiver) {
  const owner = await newOwner()
  const colleague = await joining(owner.accountId, 'staff', 'Cleo')
  await Promise.all([
    owner.press('/settings/schedules', 'create', { name: 'Mornings', timeZone: 'UTC' }),
    owner.press('/settings/away', 'create', { start: '2041-04-01', end: '2041-04-01' }),
    owner.press('/settings/webhooks', 'create', {
      subscriberUrl: `${receiver.url}/a`,
      'triggers.OOO_CREATED': 'on',
    }),
    owner.press('/settings/clients', 'create', {
      name: 'Till',
      type: 'public',
      redirectUris: BACK,
    }),
    makeClient({ ...owner, userId: colleague.userId }, {}, { role: 'staff' }),
  ])
  await owner.press('/settings/away', 'create', { start: '2041-04-03', end: '2041-04-03' })
  await until(() => (receiver.at('/a').length > 0 ? true : undefined))
  await tokensFor(owner, await makeClient(owner, { name: 'Bell' }))
  return { owner, typed: typedFor(receiver, owner.password, colleague) }
}
