import { describe, expect, it } from 'vitest'
import {
  createInstantBooking,
  expireInstantBookings,
  joinInstantBooking,
} from '#lib/domain/bookings/instant.ts'
import { NewBooking } from '#lib/domain/bookings/schema.ts'
import { createMember, directly } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { kindsOf, mailsAfter, mailTo, plus, somebodyNamed, waitingMails } from './mail.ts'
import {
  bodyOf,
  type Calendar,
  createCalendar,
  newAddress,
  setHosts,
  usersOf,
  visitor,
} from './world.ts'

// Later than the clocks of other tests, whose job ends what nobody has joined by then.
const NOON = '2027-03-02T17:00:00.000Z'

/** Asks for a meeting right now. */
async function ask(calendar: Calendar, more: object = {}) {
  const person = somebodyNamed('Zoe')
  const body = { ...bodyOf(calendar.eventTypeId, NOON, 'Zoe', more), responses: person }
  const headers = { 'x-test-now': NOON, 'x-test-client': newAddress() }
  const reply = await visitor.post('/api/book/instant-event', body, headers)
  return { ...person, reply, token: await tokenOf(calendar) }
}

async function tokenOf({ account }: Calendar): Promise<string> {
  const [event] = await queryDatabase<{ url: string }>(
    `select payload->>'connectAndJoinUrl' as url from events
     where account_id = $1 and type = 'INSTANT_MEETING'`,
    [account.accountId],
  )
  return event?.url.split('token=')[1] ?? ''
}

/** Asks for one beside the platform, which sends nothing of it. */
const askUnsent = ({ eventTypeId }: Calendar) =>
  directly(
    base =>
      createInstantBooking(
        { ...base, via: 'public', kind: 'visitor', address: newAddress() },
        NewBooking.parse(bodyOf(eventTypeId, NOON)),
      ),
    new Date(NOON),
  )

const emailOf = async (userId: number) =>
  (await queryDatabase<{ email: string }>('select email from users where id = $1', [userId]))[0]!
    .email

/** Whom an account has called to meetings. */
const calledIn = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ email: string }>(
      `select recipient as email from messages where account_id = $1 and kind = 'host_instant'
       order by 1`,
      [account.accountId],
    )
  ).map(row => row.email)

async function createTeam() {
  const calendar = await createCalendar()
  await createMember(calendar.account.accountId, 'manager')
  const [a, b, c] = (await usersOf(calendar)) as [number, number, number]
  await setHosts(calendar, 'roundRobin', [a, b])
  return { calendar, a, b, c }
}

describe('POST /api/book/instant-event', () => {
  it('201 calls its host by one e-mail with the link, and nobody else', async () => {
    const calendar = await createCalendar()
    const { reply, token, email } = await ask(calendar)
    expect(reply.status).toBe(201)
    const mail = await mailTo(calendar.account.email)
    expect(mail.subject).toMatch(/^Please join: /)
    expect(mail.text).toContain('Zoe would like to meet right now.')
    expect(mail.text).toContain(`/connect-and-join?token=${token}`)
    expect(mail.text).toContain(`Who: Zoe, ${email}`)
    expect(mail.text).toMatch(/Join until: .*12:01/)
    expect(mail.attachments).toEqual([])
    expect(await kindsOf(calendar)).toEqual(['host_instant'])
  })

  it('201 calls all hosts, who stands in for one who is away, or those who are named', async () => {
    const { calendar, a, b, c } = await createTeam()
    await ask(calendar)
    const all = await Promise.all([a, b].map(emailOf))
    expect(await calledIn(calendar)).toEqual(all.toSorted())
    const away = await createTeam()
    await queryDatabase(
      `insert into out_of_office
         (account_id, user_id, to_user_id, start_time, end_time, created_at, updated_at)
       values ($1, $2, $3, '2027-03-02', '2027-03-04', now(), now())`,
      [away.calendar.account.accountId, away.a, away.c],
    )
    await ask(away.calendar)
    expect(await calledIn(away.calendar)).toEqual(
      (await Promise.all([away.b, away.c].map(emailOf))).toSorted(),
    )
    const named = await createTeam()
    await ask(named.calendar, { routedTeamMemberIds: [named.b] })
    expect(await calledIn(named.calendar)).toEqual([await emailOf(named.b)])
    expect((await ask(calendar, { routedTeamMemberIds: [c] })).reply.status).toBe(404)
  })
})

describe('an instant meeting', () => {
  it('calls nobody any more once somebody has joined', async () => {
    const { calendar } = await createTeam()
    await askUnsent(calendar)
    const token = await tokenOf(calendar)
    const mails = await mailsAfter(calendar, m => joinInstantBooking(m, token), NOON)
    expect(mails.map(m => m.subject.split(':')[0]).toSorted()).toEqual(['Confirmed', 'New booking'])
  })

  it('calls nobody any more once the time to join is over', async () => {
    const calendar = await createCalendar()
    await askUnsent(calendar)
    const mails = await waitingMails(calendar, plus(NOON, 1.5), false)
    expect(mails).toEqual([])
    const other = await createCalendar()
    await askUnsent(other)
    expect(await waitingMails(other, plus(NOON, 1.49), false)).toHaveLength(1)
  })

  it('is told of once a host has joined', async () => {
    const calendar = await createCalendar()
    const { email, token } = await ask(calendar)
    const at = plus(NOON, 1)
    const mails = await mailsAfter(calendar, m => joinInstantBooking(m, token), at)
    expect(mails.map(m => [m.to, m.subject.split(':')[0]]).toSorted()).toEqual(
      [
        [email, 'Confirmed'],
        [calendar.account.email, 'New booking'],
      ].toSorted(),
    )
  })

  it('that nobody joined in time: who asked for it hears so', async () => {
    const calendar = await createCalendar()
    const { email } = await ask(calendar)
    const mails = await mailsAfter(calendar, m => expireInstantBookings(m), plus(NOON, 2))
    expect(mails.map(m => m.to)).toEqual([email])
    expect(mails[0]!.text).toContain('Nobody could join in time')
  })
})
