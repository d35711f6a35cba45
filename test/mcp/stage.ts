import { ownerOf } from '#dev/operator.ts'
import type { Member } from '#lib/core/context.ts'
import { createOutOfOffice } from '#lib/domain/out-of-office/operations.ts'
import { createRoutingForm } from '#lib/domain/routing-forms/operations.ts'
import { submitForm } from '#lib/domain/routing-forms/submit.ts'
import { createTeam } from '#lib/domain/teams/operations.ts'
import { directly } from '../client.ts'
import { messagesSettled, queryDatabase } from '../database.ts'
import { makeWorld, type World } from '../world.ts'
import { callTool } from './rpc.ts'

/** The moment of these tests: a Sunday before the week in which everything is. */
const NOW = '2031-06-01T00:00:00Z'
export const clock = { 'x-test-now': NOW }

/** The instant of a weekday's time in June 2031, at which the owner works. */
export const june = (time: string) => `2031-06-${time}:00.000Z`

/** An account with a record of every kind that tools know, and bookings to act on. */
export interface Stage {
  world: World
  mark: string
  key: string
  staffKey: string
  userId: number
  /** Of records, by kind. */
  ids: World['ids'] &
    Record<'schedule' | 'workflow' | 'team' | 'form' | 'picky' | 'unbooked', number>
  /** Of bookings, by what is to become of them. */
  uids: Record<'cancel' | 'move' | 'confirm' | 'reject' | 'missed', string>
}

/** Makes one; names hold its mark. */
export async function makeStage(): Promise<Stage> {
  const world = await makeWorld()
  const { account, mark, ids } = world
  const key = account.apiKey
  const make = async (name: string, args: object) => {
    const { isError, text, value } = await callTool(name, args, { key, headers: clock })
    if (isError) throw new Error(`${name}: ${text}`)
    return value
  }
  const schedule = await make('create_schedule', { name: `Summer ${mark}`, timeZone: 'UTC' })
  const workflow = await make('create_workflow', {
    name: `Reminder ${mark}`,
    trigger: { type: 'beforeEvent', offset: { value: 1, unit: 'day' } },
    steps: [{ action: 'email_attendee', template: 'reminder' }],
  })
  const picky = await make('create_event_type', {
    title: `Picky ${mark}`,
    length: 30,
    requiresConfirmation: true,
  })
  const unbooked = await make('create_customer', { name: `Unbooked ${mark}` })
  const guest = { name: `Guest ${mark}`, email: `guest${mark}@example.org`, timeZone: 'UTC' }
  const book = async (eventTypeId: number, start: string) =>
    String((await make('create_booking', { eventTypeId, start, attendee: guest })).uid)
  const { team, form } = await directly(work => makeMore(ownerOf(work, owner(world)), mark))
  const uids = {
    cancel: await book(ids.eventType, june('10T14:00')),
    move: await book(ids.eventType, june('10T15:00')),
    missed: await book(ids.eventType, june('10T17:00')),
    confirm: await book(picky.id!, june('12T14:00')),
    reject: await book(picky.id!, june('12T15:00')),
  }
  await messagesSettled(account.accountId)
  const made = { schedule: schedule.id!, workflow: workflow.id!, picky: picky.id! }
  return {
    world,
    mark,
    key,
    staffKey: account.staff.apiKey,
    userId: account.userId,
    ids: { ...ids, ...made, unbooked: unbooked.id!, team, form },
    uids,
  }
}

const owner = ({ account: { accountId, userId } }: World) =>
  ({ accountId, userId, plan: 'enterprise' }) as const

/** What no tool makes: a team, a form with an answer, an absence. */
async function makeMore(m: Member, mark: string): Promise<{ team: number; form: number }> {
  const team = (await createTeam(m, { name: `Team ${mark}` })).read().id
  const form = (
    await createRoutingForm(m, {
      name: `Form ${mark}`,
      fields: [{ label: 'Company', identifier: 'company', type: 'text' }],
      routes: [{ isFallback: true, action: { type: 'customPageMessage', value: 'Thanks' } }],
    })
  ).read().id
  const v = { ...m, kind: 'visitor' as const, address: '203.0.113.1' }
  await submitForm(v, { formId: form, response: { company: `Acme ${mark}` } })
  await createOutOfOffice(m, {
    start: new Date('2031-08-01T00:00:00Z'),
    end: new Date('2031-08-08T00:00:00Z'),
    reason: 'vacation',
    notes: `Away ${mark}`,
  })
  return { team, form }
}

/** The actions that the audit log has of an account by a door, in their order. */
export const auditOf = async (accountId: number, via: string): Promise<string[]> =>
  (
    await queryDatabase<{ action: string }>(
      'select action from audit_log where account_id = $1 and via = $2 order by id',
      [accountId, via],
    )
  ).map(row => row.action)
