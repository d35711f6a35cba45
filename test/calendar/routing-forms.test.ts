import { beforeAll, describe, expect, it } from 'vitest'
import { ById } from '#lib/core/schemas.ts'
import { createEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import {
  deleteRoutingForm,
  findRoutingForm,
  listRoutingForms,
  updateRoutingForm,
} from '#lib/domain/routing-forms/operations.ts'
import { RoutingFormChange, RoutingFormFilter } from '#lib/domain/routing-forms/schema.ts'
import { addTeamMember, createTeam } from '#lib/domain/teams/operations.ts'
import { NewTeam, NewTeamMember } from '#lib/domain/teams/schema.ts'
import { queryDatabase } from '../database.ts'
import { type Actor, type Actors, as, makeActors } from './actors.ts'
import { answer, FIELDS, FORM, makeForm, message, responsesTo } from './forms.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const find = (who: Actor, id: unknown) => as(who, findRoutingForm, ById, { id })
const list = async (who: Actor) => (await as(who, listRoutingForms, RoutingFormFilter)).items
const change = (who: Actor, id: unknown, input: object) =>
  as(who, updateRoutingForm, RoutingFormChange.extend({ id: ById.shape.id }), { id, ...input })
const remove = (who: Actor, id: unknown) => as(who, deleteRoutingForm, ById, { id })
describe('create a routing form', () => {
  it('200 with what was left out made up, the fallback last', async () => {
    const { status, body } = await makeForm(actors.owner)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      userId: actors.owner.userId,
      teamId: null,
      name: 'Contact us',
      slug: 'contact-us',
      disabled: false,
      position: 0,
      routes: [
        { id: 'big', name: 'Big', isFallback: false, rule: FORM.routes[1]?.rule },
        { id: 'support', name: null },
        { isFallback: true, rule: null, action: { ...message('Thanks'), eventTypeId: null } },
      ],
    })
    const [email, , interests, old] = body.fields as never as Record<string, unknown>[]
    expect(email).toMatchObject({ id: expect.any(String), required: true, deleted: false })
    expect(interests).toMatchObject({
      required: false,
      options: [
        { id: 'sales', label: 'Sales' },
        { id: 'support', label: 'Support' },
      ],
    })
    expect(old).toMatchObject({ deleted: true })
    const { updatedAt: _, ...same } = body
    expect((await change(actors.owner, body.id, body)).body).toMatchObject(same)
  })

  it('200 with identifiers from the labels, and the next free slug; 409 for one that is chosen', async () => {
    const fields = [
      { label: 'Größe!', type: 'text' },
      { label: 'Große', type: 'text' },
    ]
    const { body } = await makeForm(actors.owner, { name: 'Again', fields, routes: [] })
    expect((body.fields as never as { identifier: string }[]).map(f => f.identifier)).toEqual([
      'gro-e',
      'gro-e-2',
    ])
    expect((await makeForm(actors.owner, { name: 'Again' })).body.slug).toBe('again-2')
    const taken = await makeForm(actors.owner, { slug: 'Again' })
    expect([taken.status, taken.body.details]).toEqual([
      409,
      [{ field: 'slug', message: 'A form with this slug exists' }],
    ])
  })

  const rule = (of: object) => ({ routes: [{ rule: of, action: message('x') }] })
  const leaf = { field: 'email', operator: 'is_empty' }
  const deep = { and: [{ or: [{ and: [{ or: [{ and: [leaf] }] }] }] }] }
  it.each([
    [
      'fields.0.type',
      { fields: [{ label: 'A', type: 'mood' }] },
      expect.stringContaining('"text"'),
    ],
    ['fields.0.options', { fields: [{ label: 'A', type: 'select' }] }, 'required'],
    [
      'fields.1.identifier',
      {
        fields: [
          { label: 'A', identifier: 'a', type: 'text' },
          { label: 'B', identifier: 'a', type: 'text' },
        ],
      },
      'stands here twice',
    ],
    ['routes.0.rule', { routes: [{ action: message('x') }] }, 'required'],
    [
      'routes.1.isFallback',
      { routes: [1, 2].map(() => ({ isFallback: true, action: message('x') })) },
      'one route is it already',
    ],
    ['routes.0.rule', rule({ ...leaf, and: [leaf] }), 'expected one of "and", "or", "field"'],
    [
      'routes.0.rule.and.0.and.0.and.0.and.0',
      rule({ and: [{ and: [{ and: [{ and: [{ and: [leaf] }] }] }] }] }),
      'expected one of "and", "or", "field"',
    ],
    ['routes.0.rule.and.0.or.0.and.0.or.0', rule(deep), 'expected one of "and", "or", "field"'],
    [
      'routes.0.rule.operator',
      rule({ field: 'email', operator: 'like', value: 'x' }),
      expect.stringContaining('"starts_with"'),
    ],
    ['routes.0.rule.value', rule({ field: 'email', operator: 'equal' }), 'required'],
    [
      'routes.0.rule.and.1.field',
      rule({ and: [leaf, { ...leaf, field: 'none' }] }),
      '"none" is none of the fields',
    ],
    [
      'routes.0.action.value',
      {
        routes: [
          {
            isFallback: true,
            action: { type: 'externalRedirectUrl', value: 'javascript:alert(1)' },
          },
        ],
      },
      'expected an http(s) URL',
    ],
    [
      'routes.0.action.eventTypeId',
      { routes: [{ isFallback: true, action: { type: 'eventTypeRedirectUrl' } }] },
      'required',
    ],
  ])('422 for a wrong %s', async (field, input, fault) => {
    const { status, body } = await makeForm(actors.owner, input)
    expect(status).toBe(422)
    expect(body.details).toEqual([{ field, message: fault }])
  })
})

describe('change and delete a routing form', () => {
  it('200 and what is left out stays; 422 when a rule would lose its field', async () => {
    const { body } = await makeForm(actors.owner, { name: 'To change' })
    const changed = await change(actors.owner, body.id, { description: 'Hi', disabled: true })
    expect(changed.body).toMatchObject({
      name: 'To change',
      description: 'Hi',
      disabled: true,
      fields: body.fields,
      routes: body.routes,
    })
    const without = await change(actors.owner, body.id, { fields: [FIELDS[0]] })
    expect(without.body.details).toEqual([
      { field: 'routes.0.rule.and.0.field', message: '"size" is none of the fields' },
    ])
    expect((await change(actors.owner, body.id, { fields: [FIELDS[0]], routes: [] })).status).toBe(
      200,
    )
  })

  it('200 when deleted, with its responses', async () => {
    const { body } = await makeForm(actors.owner, { name: 'To go' })
    await answer(body.id, { email: 'a@example.org' })
    expect((await remove(actors.owner, body.id)).body).toEqual({ id: body.id, deleted: true })
    expect((await find(actors.owner, body.id)).status).toBe(404)
    expect((await answer(body.id, {})).status).toBe(404)
    expect(
      await queryDatabase(`select 1 from routing_form_responses where form_id = ${body.id}`),
    ).toEqual([])
  })
})

describe('whose routing forms', () => {
  it('staff see and change their own and those of teams that they lead', async () => {
    const { owner, manager, staff, colleague } = actors
    const { id } = (await makeForm(colleague, { name: 'Theirs' })).body
    for (const { status } of [
      await find(staff, id),
      await change(staff, id, { name: 'X' }),
      await responsesTo(staff, id),
      await remove(staff, id),
    ])
      expect(status).toBe(404)
    expect((await list(staff)).map(f => f.id)).not.toContain(id)
    expect((await change(manager, id, { name: 'Ours' })).body.name).toBe('Ours')

    const teamId = Number((await as(owner, createTeam, NewTeam, { name: 'Desk' })).body.id)
    const join = (who: Actor, role: string) =>
      as(owner, addTeamMember, NewTeamMember, { teamId, userId: who.userId, role })
    expect((await makeForm(staff, { teamId })).body.message).toBe('Team does not exist')
    await join(staff, 'ADMIN')
    await join(colleague, 'MEMBER')
    expect((await makeForm(colleague, { teamId })).status).toBe(403)
    const made = await makeForm(staff, { name: 'Of the desk', teamId })
    expect(made.body).toMatchObject({ teamId, userId: staff.userId })
    expect((await find(colleague, made.body.id)).status).toBe(200)
    expect((await change(colleague, made.body.id, { name: 'X' })).status).toBe(403)
    expect((await remove(staff, made.body.id)).status).toBe(200)
  })

  it('404 for those of another account, its teams and event types', async () => {
    const { owner, stranger } = actors
    const { id } = (await makeForm(owner, { name: 'Mine alone' })).body
    for (const { status } of [
      await find(stranger, id),
      await change(stranger, id, { name: 'X' }),
      await responsesTo(stranger, id),
      await remove(stranger, id),
    ])
      expect(status).toBe(404)
    const team = await as(stranger, createTeam, NewTeam, { name: 'Far' })
    expect((await makeForm(owner, { teamId: team.body.id })).body.message).toBe(
      'Team does not exist',
    )
    const far = await as(stranger, createEventType, NewEventType, { title: 'Far', length: 30 })
    const action = { type: 'eventTypeRedirectUrl', eventTypeId: far.body.id }
    const routes = [{ isFallback: true, action }]
    expect((await makeForm(owner, { routes })).body.message).toBe('Event type does not exist')
    expect((await change(owner, id, { routes })).status).toBe(404)
  })
})
