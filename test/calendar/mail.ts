import ICAL from 'ical.js'
import { expect } from 'vitest'
import type { Message } from '#dev/mailbox.ts'
import type { Member, Settings } from '#lib/core/context.ts'
import { sendMessages } from '#lib/domain/messaging/send.ts'
import type { OutgoingEmail } from '#lib/providers/email/port.ts'
import type { OutgoingSms } from '#lib/providers/sms/port.ts'
import { newEmail } from '../browser.ts'
import { directly } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { platform, readMessages } from '../platform.ts'
import { asOwner, bodyOf, book, type Calendar, clock, NOW, newAddress, visitor } from './world.ts'

/** When meetings begin where nothing is said. */
export const AT = '2027-03-03T15:00:00.000Z'

/** The settings of the platform that messages and their links are made by. */
export const settings = (): Settings => ({
  publicUrl: platform().url,
  secret: platform().bindings.APP_SECRET!,
  emailFrom: 'Almanac <book@almanac.test>',
  allowLoopback: true,
  deliveriesAtOnce: 5,
})

/** Someone whom nobody else writes to, as they are named in a booking. */
export const somebodyNamed = (name: string) => ({ name, email: newEmail() })

/** A telephone number that nobody else has. */
export const newNumber = () =>
  `+49151${String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(10, '0')
    .slice(-9)}`

/** The messages to exactly this address or number, newest first, once there are as many. */
export async function mailsTo(email: string, count: number): Promise<Message[]> {
  const read = async () => (await readMessages({ to: email })).filter(m => m.to === email)
  await expect.poll(read, { timeout: 8000 }).toHaveLength(count)
  return read()
}

/** The newest e-mail to an address, once there are as many. */
export const mailTo = async (email: string, count = 1): Promise<Message> =>
  (await mailsTo(email, count))[0]!

/**
 * Does something as the owner, beside the platform, and answers the e-mails that it gave cause to, as
 * they would be handed to the provider.
 */
export async function mailsAfter(
  calendar: Calendar,
  work: (m: Member) => Promise<unknown>,
  now = NOW,
): Promise<OutgoingEmail[]> {
  await asOwner(calendar, work, now)
  return waitingMails(calendar, now)
}

/** The e-mails of an account that wait to be sent: those queued at an instant, or all due by then. */
export const waitingMails = async (
  calendar: Calendar,
  now = NOW,
  ownOnly = true,
): Promise<OutgoingEmail[]> => (await waiting(calendar, now, ownOnly)).mails

/** The text messages of an account that were queued at an instant. */
export const waitingTexts = async (calendar: Calendar, now: string): Promise<OutgoingSms[]> =>
  (await waiting(calendar, now, true)).texts

async function waiting({ account }: Calendar, now: string, ownOnly: boolean) {
  const mails: OutgoingEmail[] = []
  const texts: OutgoingSms[] = []
  const email = {
    send: async (mail: OutgoingEmail) => `captured-${mails.push(mail)}`,
  }
  const sms = {
    send: async (text: OutgoingSms) => `captured-${account.accountId}-${texts.push(text)}`,
    find: async () => [],
  }
  await directly(
    base =>
      sendMessages(
        {
          ...base,
          settings: settings(),
          ports: { ...base.ports, email: () => email, sms: () => sms },
        },
        { accountId: account.accountId, ownOnly },
      ),
    new Date(now),
  )
  return { mails, texts }
}

/** An entry of a calendar file, as an independent parser reads it. */
export interface Entry {
  uid: string
  sequence: number
  status: string
  start: string
  end: string
  summary: string
  location: string | null
  organizer: string
  attendees: string[]
}

/** The text of an e-mail's calendar file; undefined without one. */
export function fileOf(mail: Message | OutgoingEmail): string | undefined {
  const [attachment] = mail.attachments ?? []
  if (!attachment) return undefined
  const { content } = attachment
  return content?.startsWith('BEGIN') ? content : Buffer.from(content ?? '', 'base64').toString()
}

/** What an e-mail's calendar file says. */
export function calendarOf(mail: Message | OutgoingEmail): { method: string; entries: Entry[] } {
  const text = fileOf(mail)
  if (text === undefined) throw new Error('No calendar file')
  return readCalendar(text)
}

/** What a calendar file says. */
export function readCalendar(text: string): { method: string; entries: Entry[] } {
  const file = new ICAL.Component(ICAL.parse(text))
  const entries = file.getAllSubcomponents('vevent').map(component => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      sequence: event.sequence,
      status: String(component.getFirstPropertyValue('status')),
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      summary: event.summary,
      location: event.location,
      organizer: String(event.organizer),
      attendees: event.attendees.map(a => String(a.getFirstValue()).replace('mailto:', '')),
    }
  })
  return { method: String(file.getFirstPropertyValue('method')), entries }
}

/** An instant some minutes after another. */
export const plus = (at: string, minutes: number) =>
  new Date(Date.parse(at) + minutes * 60_000).toISOString()

/** A booking by somebody of their own, with what its answer says. */
export async function booked(calendar: Calendar, more: object = {}, start = AT) {
  const person = somebodyNamed('Zoë; "Z", Smith')
  const { responses, ...rest } = { responses: {}, ...more } as { responses?: object }
  const body = bodyOf(calendar.eventTypeId, start, 'Z', rest)
  const reply = await book({ ...body, responses: { ...person, ...responses } })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return { ...person, body: reply.body, uid: String(reply.body.uid), id: Number(reply.body.id) }
}

/** Cancels a booking, or gives back a seat, as an attendee. */
export const cancel = (body: object) =>
  visitor.post('/api/cancel', body, { ...clock, 'x-test-client': newAddress() })

/** The messages of an account, by kind. */
export const kindsOf = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ kind: string }>(
      'select kind from messages where account_id = $1 order by kind',
      [account.accountId],
    )
  ).map(m => m.kind)
