import { ownerOf } from '#dev/operator.ts'
import { signToken } from '#lib/core/tokens.ts'
import { createEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { CONFIRM_PURPOSE } from '#lib/domain/messaging/appointment.ts'
import { answerUrl } from '#lib/domain/messaging/bookings/answer-link.ts'
import { createRoutingForm } from '#lib/domain/routing-forms/operations.ts'
import { NewRoutingForm } from '#lib/domain/routing-forms/schema.ts'
import { createTeam } from '#lib/domain/teams/operations.ts'
import { NewTeam } from '#lib/domain/teams/schema.ts'
import { newEmail, own, sendForm, signUp } from '../browser.ts'
import { settings } from '../calendar/mail.ts'
import { type Body, client, directly } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { type Receiver, until } from '../events/receiver.ts'
import { INVITE, tokenTo } from '../invited.ts'
import { BACK, makeClient, request } from '../oauth/world.ts'
import { platform, readMessages } from '../platform.ts'
import { type Route, readRoutes } from '../routes.ts'
import { formsOf, type PageForm } from './forms.ts'
import { newBusiness } from './new-business.ts'
import type { Page, Person } from './person.ts'

/** The functions whose routes are pages. */
const PAGES = ['web', 'storefront', 'settings']

/** A Wednesday, which no other test's clock is ahead of: by theirs meetings begin and what waits expires. */
const NOW = '2031-06-04T17:00:00.000Z'

/** A business with something behind every page. */
export interface Everything {
  owner: Person
  /** The moment of its pages, as a header. */
  clock: { 'x-test-now': string }
  /** Where each page is to begin with: links of messages, which no page leads to, among them. */
  starts: string[]
}

const made = ({ status, body, text }: { status: number; body: Body; text: string }): Body => {
  if (status !== 201) throw new Error(text)
  return body
}

/** What members have no page for yet, made by operations. */
const furnish = (owner: Person, now: string) =>
  directly(async base => {
    const m = ownerOf(base, { ...owner, plan: 'enterprise' })
    const form = { name: 'Ask', fields: [{ label: 'Topic', identifier: 'topic', type: 'text' }] }
    await createRoutingForm(m, NewRoutingForm.parse(form))
    const team = (await createTeam(m, NewTeam.parse({ name: 'Desk' }))).read()
    const offer = { title: 'Demo', slug: 'demo', length: 30, teamId: team.id }
    await createEventType(m, NewEventType.parse({ ...offer, hosts: [{ userId: owner.userId }] }))
  }, new Date(now))

/** Something booked of each kind, as visitors do it. */
async function bookings(api: ReturnType<typeof client>, owner: Person, now: string) {
  const headers = { 'x-test-now': now }
  const day = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10)
  const service = made(await api.post('/api/services/services', { name: 'Cut', duration: 60 }))
  const at = (hour: number) => ({
    startTime: `${day}T${hour}:00:00Z`,
    endTime: `${day}T${hour + 1}:00:00Z`,
  })
  const customerId = made(
    await api.post('/api/services/customers', { name: 'Bea', email: newEmail() }),
  ).id
  const employeeId = (await api.get('/api/services/employees')).items[0]?.id
  const appoint = async (hour: number, status: string) => {
    const body = { serviceId: service.id, employeeId, customerId, status, ...at(hour) }
    return made(await api.post('/api/services/appointments', body, headers))
  }
  const [type] = await queryDatabase<{ id: number }>(
    'select id from event_types where account_id = $1 and user_id = $2',
    [owner.accountId, owner.userId],
  )
  // A German business, whose guests are written to in French.
  await queryDatabase(`update event_types set interface_language = 'fr' where account_id = $1`, [
    owner.accountId,
  ])
  await queryDatabase(`update users set locale = 'de' where id = $1`, [owner.userId])
  const book = async (path: string, start: string) => {
    const responses = { name: 'Zoe', email: newEmail() }
    const body = { eventTypeId: type?.id, start, timeZone: 'UTC', responses }
    return made(await client().post(`/api/book/${path}`, body, headers))
  }
  await book('instant-event', now)
  const [event] = await queryDatabase<{ url: string }>(
    `select payload->>'connectAndJoinUrl' as url from events
     where account_id = $1 and type = 'INSTANT_MEETING'`,
    [owner.accountId],
  )
  const booking = String((await book('event', `${day}T19:00:00Z`)).uid)
  await queryDatabase('update event_types set requires_confirmation = true where id = $1', [
    type?.id,
  ])
  return {
    approved: await appoint(15, 'approved'),
    pending: await appoint(17, 'pending'),
    booking,
    asked: String((await book('event', `${day}T20:00:00Z`)).uid),
    joinPage: String(event?.url),
  }
}

/** The pages of two invitations: of somebody new, and of somebody who has an account. */
async function invitations(api: ReturnType<typeof client>, now: string): Promise<string[]> {
  const { email } = await signUp()
  return Promise.all(
    [newEmail(), email].map(async to => {
      made(await api.post(INVITE, { email: to }, { 'x-test-now': now }))
      return `/invitation?token=${await tokenTo(to)}`
    }),
  )
}

/** Makes a business with something behind every page. */
export async function makeEverything(receiver: Receiver): Promise<Everything> {
  const now = NOW
  const { owner } = await newBusiness(receiver)
  // What was given today lasts until then.
  for (const table of ['web_sessions', 'oauth_grants'])
    await queryDatabase(`update ${table} set expires_at = '2031-07-01' where user_id = $1`, [
      owner.userId,
    ])
  const api = client(owner.apiKey)
  const { subdomain } = (await api.get('/api/services/company-settings')).body.data
  await api.patch('/api/services/company-settings', { locale: 'de' })
  await furnish(owner, now)
  const { approved, pending, booking, asked, joinPage } = await bookings(api, owner, now)
  const { clientId } = await makeClient(owner, { name: 'Asks' })
  await sendForm('/forgot', { email: owner.email }, { ...own(), 'x-test-now': now })
  const reset = await until(async () =>
    (await readMessages({ to: owner.email }))
      .map(({ text }) => /\/reset\?token=\S+/.exec(text ?? '')?.[0])
      .find(Boolean),
  )
  const expiresAt = new Date(Date.parse(now) + 9e8)
  const token = (purpose: string, subject = booking) =>
    signToken(settings().secret, { purpose, subject, expiresAt })
  const asking = { uid: asked, userId: owner.userId }
  const answer = await answerUrl(settings(), asking, expiresAt)
  const afterwards = ['rate', 'no-show', 'host-no-show'].map(
    async purpose => `/e/${booking}/${purpose}?token=${await token(purpose)}`,
  )
  return {
    owner,
    clock: { 'x-test-now': now },
    starts: [
      ...(await invitations(api, now)),
      ...['/', '/businesses', '/signup', '/signin', '/forgot', '/home', '/settings/profile'],
      ...[`/b/${subdomain}`, `/${owner.username}`, `/team/${subdomain}/desk`],
      ...[`/forms/${subdomain}/ask`, `/a/${approved.uid}`, `/e/${booking}`],
      answer.replace(platform().url, ''),
      `/confirm?token=${await token(CONFIRM_PURPOSE, String(pending.uid))}`,
      ...(await Promise.all(afterwards)),
      `/unsubscribe?token=${await token('unsubscribe', `${owner.accountId}:zoe@example.com`)}`,
      reset,
      joinPage.replace(platform().url, ''),
      `/auth/oauth2/authorize?${new URLSearchParams(request({ clientId }, { redirect_uri: BACK }))}`,
    ],
  }
}

/** A page of a route, as it was shown. */
export interface SeenPage {
  path: string
  route: Route
  page: Page
}

const patternOf = ({ path }: Route): RegExp =>
  new RegExp(`^${path.replace(/:\w+(?:\{([^}]+)\})?/g, (_, given) => given ?? '[^/]+')}$`)

/** The routes of pages, those of the most fixed words first: of two that match, it is the one that counts. */
export async function pageRoutes(): Promise<Route[]> {
  const fixed = ({ path }: Route) => path.replace(/:\w+(?:\{[^}]+\})?/g, '').length
  const routes = (await readRoutes()).filter(({ fn }) => PAGES.includes(fn))
  return routes.sort((a, b) => fixed(b) - fixed(a))
}

/** The route that answers an address. */
const routeOf = (routes: readonly Route[], method: string, address: string) =>
  routes.find(r => r.method === method && patternOf(r).test(address.replace(/[?#].*$/, '')))

/** Opens where it begins, and one page of every route that a page leads to, as the signed-in owner. */
export async function openEvery({ owner, clock, starts }: Everything): Promise<SeenPage[]> {
  const routes = await pageRoutes()
  const seen = new Map<string, SeenPage>()
  const addresses = new Set(starts)
  for (const path of addresses) {
    const route = routeOf(routes, 'GET', path)
    // To move something is a page with a start, and another without.
    const key = starts.includes(path) ? path : `${route?.name} ${path.includes('start=')}`
    if (!route || seen.has(key)) continue
    const page = await owner.open(path, clock)
    seen.set(key, { path, route, page })
    for (const [, link = ''] of page.text.matchAll(/href="(\/[^"]*)"/g))
      addresses.add(link.replaceAll('&amp;', '&').replace(/#.*$/, ''))
  }
  return [...seen.values()]
}

/** A form of a page, with the route that takes it. */
export interface SeenForm extends PageForm {
  route: string
  /** The route, and which of its buttons it is. */
  name: string
}

/** Every form that pages send to us, one of each kind. */
export async function formsIn(pages: readonly SeenPage[]): Promise<SeenForm[]> {
  const routes = await pageRoutes()
  const found = pages.flatMap(({ page, path }) =>
    formsOf(page, path)
      .filter(({ method }) => method === 'post')
      .map((form): [string, SeenForm] => {
        const route = routeOf(routes, 'POST', form.action)?.name ?? `nowhere: ${form.action}`
        const { act, answer, decision } = form.fields
        const name = [route, act ?? answer ?? decision].filter(Boolean).join(' ')
        return [name, { ...form, route, name }]
      }),
  )
  return [...new Map(found).values()]
}
