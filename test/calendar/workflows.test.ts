import { beforeAll, describe, expect, it } from 'vitest'
import { ById } from '#lib/core/schemas.ts'
import { createEventType, deleteEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { fillVariables, VARIABLES } from '#lib/domain/messaging/variables.ts'
import {
  createWorkflow,
  deleteWorkflow,
  findWorkflow,
  listWorkflows,
  updateWorkflow,
} from '#lib/domain/workflows/operations.ts'
import { NewWorkflow, WorkflowChange, WorkflowFilter } from '#lib/domain/workflows/schema.ts'
import { type Actor, type Actors, as, makeActors } from './actors.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const REMINDER = {
  name: 'Reminder',
  trigger: { type: 'beforeEvent', offset: { value: 24, unit: 'hour' } },
  steps: [{ action: 'email_attendee', template: 'reminder' }],
}
const make = (who: Actor, input: object = {}) =>
  as(who, createWorkflow, NewWorkflow, { ...REMINDER, ...input })
const list = async (who: Actor) => (await as(who, listWorkflows, WorkflowFilter)).items
const find = (who: Actor, id: unknown) => as(who, findWorkflow, ById, { id })
const change = (who: Actor, id: unknown, input: object) =>
  as(who, updateWorkflow, WorkflowChange.extend({ id: ById.shape.id }), { id, ...input })
const remove = (who: Actor, id: unknown) => as(who, deleteWorkflow, ById, { id })
const offer = async (who: Actor) => {
  const made = await as(who, createEventType, NewEventType, { title: 'Call', length: 30 })
  return Number(made.body.id)
}

describe('create a workflow', () => {
  it('200 with what holds where nothing is said', async () => {
    const { status, body } = await make(actors.staff)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      userId: actors.staff.userId,
      name: 'Reminder',
      active: true,
      trigger: REMINDER.trigger,
      activation: {
        isActiveOnAllEventTypes: false,
        activeOnEventTypeIds: [],
        isActiveOnAppointments: false,
      },
      steps: [
        {
          id: expect.any(Number),
          stepNumber: 1,
          action: 'email_attendee',
          recipient: null,
          template: 'reminder',
          sender: null,
          message: { subject: null, html: null, text: null },
          includeCalendarEvent: false,
          phone: null,
          phoneRequired: false,
        },
      ],
    })
  })

  it('200 and everything is read back as it was said, and can be sent back', async () => {
    const eventTypeId = await offer(actors.owner)
    const input = {
      name: 'All of it',
      active: false,
      trigger: { type: 'afterEvent', offset: { value: 90, unit: 'minute' } },
      activation: {
        isActiveOnAllEventTypes: true,
        activeOnEventTypeIds: [eventTypeId],
        isActiveOnAppointments: true,
      },
      steps: [
        {
          action: 'email_address',
          recipient: 'desk@example.org',
          template: 'custom',
          sender: 'Desk',
          message: {
            subject: '{EVENT_NAME} on {event_date}',
            html: '<p style="a{color:red}">{Attendee_Name}</p>',
            text: null,
          },
          includeCalendarEvent: true,
          phoneRequired: false,
        },
        {
          action: 'sms_number',
          recipient: '+15550100000',
          template: 'custom',
          message: { subject: null, html: null, text: 'Hi {attendee_first_name}' },
          phone: '+15550100000',
        },
        { action: 'whatsapp_attendee', template: 'rating', phoneRequired: true },
      ],
    }
    const made = await make(actors.owner, input)
    expect(made.body).toMatchObject(input)
    expect((await find(actors.owner, made.body.id)).body).toEqual(made.body)
    const { updatedAt: _, ...same } = made.body
    expect((await change(actors.owner, made.body.id, made.body)).body).toMatchObject(same)
  })

  it.each([
    ['trigger.offset', { trigger: { type: 'beforeEvent' } }, 'required'],
    [
      'trigger.offset',
      { trigger: { ...REMINDER.trigger, type: 'newEvent' } },
      'does not go with "newEvent"',
    ],
    [
      'trigger.offset.value',
      { trigger: { type: 'afterEvent', offset: { value: 366, unit: 'day' } } },
      'must be at most a year',
    ],
    [
      'trigger.type',
      { trigger: { type: 'fullMoon' } },
      expect.stringContaining('"beforeEvent", "afterEvent"'),
    ],
    ['steps', { steps: [] }, 'must have at least 1 item'],
    [
      'steps.0.action',
      { steps: [{ action: 'cal_ai_phone_call', template: 'reminder', phone: '+15550100000' }] },
      expect.stringContaining('is not offered yet'),
    ],
    [
      'steps.0.action',
      { steps: [{ action: 'fax', template: 'reminder' }] },
      expect.stringContaining('"email_host"'),
    ],
    [
      'steps.0.template',
      { steps: [{ action: 'email_host', template: 'poem' }] },
      expect.stringContaining('"rating"'),
    ],
    [
      'steps.0.recipient',
      { steps: [{ action: 'email_address', template: 'reminder' }] },
      'required',
    ],
    [
      'steps.0.recipient',
      { steps: [{ action: 'email_address', template: 'reminder', recipient: 'x' }] },
      'expected an e-mail address',
    ],
    [
      'steps.0.recipient',
      { steps: [{ action: 'sms_number', template: 'reminder', recipient: 'x' }] },
      'expected a telephone number such as +15551234567',
    ],
    ['steps.0.message', { steps: [{ action: 'email_host', template: 'custom' }] }, 'required'],
    [
      'steps.0.message.text',
      {
        steps: [{ action: 'email_host', template: 'custom', message: { text: 'Hi {first_nam}' } }],
      },
      expect.stringMatching(/^\{first_nam\} is none of the variables: \{event_name\}/),
    ],
    [
      'steps.0.message.subject',
      {
        steps: [
          { action: 'email_host', template: 'custom', message: { subject: '{x}', text: 'a' } },
        ],
      },
      expect.stringContaining('{x} is none'),
    ],
    [
      'steps.0.message.html',
      { steps: [{ action: 'sms_attendee', template: 'custom', message: { html: 'a' } }] },
      'is for e-mails only',
    ],
  ])('422 for a wrong %s', async (field, input, message) => {
    const { status, body } = await make(actors.owner, input)
    expect(status).toBe(422)
    expect(body.details).toEqual([{ field, message }])
  })
})

describe('change and delete a workflow', () => {
  it('200 and what is left out stays; steps keep their ids', async () => {
    const [one, two] = [await offer(actors.owner), await offer(actors.owner)]
    const steps = [
      { action: 'email_host', template: 'reminder' },
      { action: 'email_attendee', template: 'reminder' },
    ]
    const activation = { activeOnEventTypeIds: [one, two] }
    const { body } = await make(actors.owner, { steps, activation })
    const [first, second] = body.steps as never as { id: number }[]
    const reordered = [
      { id: second?.id, ...steps[1] },
      { id: 1, action: 'sms_attendee', template: 'rating' },
    ]
    const changed = await change(actors.owner, body.id, { steps: reordered, active: false })
    expect(changed.body).toMatchObject({
      name: 'Reminder',
      active: false,
      activation,
      trigger: REMINDER.trigger,
      steps: [
        { id: second?.id, stepNumber: 1, action: 'email_attendee' },
        { stepNumber: 2, action: 'sms_attendee' },
      ],
    })
    const [, third] = changed.body.steps as never as { id: number }[]
    expect([1, first?.id, second?.id]).not.toContain(third?.id)
    await as(actors.owner, deleteEventType, ById, { id: one })
    const left = await change(actors.owner, body.id, { trigger: { type: 'newEvent' } })
    expect(left.body).toMatchObject({
      trigger: { type: 'newEvent', offset: null },
      activation: { activeOnEventTypeIds: [two] },
    })
  })

  it('200 when deleted, 404 after', async () => {
    const { body } = await make(actors.owner)
    expect((await remove(actors.owner, body.id)).body).toEqual({ id: body.id, deleted: true })
    for (const { status } of [
      await find(actors.owner, body.id),
      await change(actors.owner, body.id, { name: 'X' }),
      await remove(actors.owner, body.id),
    ])
      expect(status).toBe(404)
  })
})

describe('whose workflows', () => {
  it('staff see and change their own, on their own event types; managers everybody’s', async () => {
    const { manager, staff, colleague } = actors
    const theirs = await make(colleague)
    const { id } = theirs.body
    for (const { status } of [
      await find(staff, id),
      await change(staff, id, { name: 'X' }),
      await remove(staff, id),
    ])
      expect(status).toBe(404)
    expect((await list(staff)).map(w => w.id)).not.toContain(id)
    expect((await list(manager)).map(w => w.id)).toContain(id)
    expect((await change(manager, id, { name: 'Ours' })).body.name).toBe('Ours')
    const [mine, foreign] = [await offer(staff), await offer(colleague)]
    const on = (...ids: number[]) => ({ activation: { activeOnEventTypeIds: ids } })
    expect((await make(staff, on(mine))).status).toBe(200)
    const made = await make(staff, on(mine, foreign))
    expect([made.status, made.body.message]).toEqual([404, 'Event type does not exist'])
    for (const activation of [{ isActiveOnAllEventTypes: true }, { isActiveOnAppointments: true }])
      expect((await make(staff, { activation })).status).toBe(403)
  })

  it('404 for those of another account, and its event types', async () => {
    const { owner, stranger } = actors
    const { id } = (await make(owner)).body
    expect((await find(stranger, id)).status).toBe(404)
    expect((await change(stranger, id, { name: 'X' })).status).toBe(404)
    expect((await remove(stranger, id)).status).toBe(404)
    const activation = { activeOnEventTypeIds: [await offer(stranger)] }
    expect((await make(owner, { activation })).status).toBe(404)
    expect((await change(owner, id, { activation })).status).toBe(404)
  })
})

describe('variables', () => {
  it('are 22, filled in whatever their case; what is none stays as it is written', () => {
    expect(new Set(VARIABLES).size).toBe(22)
    const values = { attendee_name: 'Bea', location: null }
    expect(fillVariables('{Attendee_Name}@{LOCATION}{event_name} {a:b} {other}', values)).toBe(
      'Bea@ {a:b} {other}',
    )
  })
})
