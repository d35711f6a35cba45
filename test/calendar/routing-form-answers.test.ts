import { beforeAll, describe, expect, it } from 'vitest'
import { ById } from '#lib/core/schemas.ts'
import { createEventType, deleteEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { queryDatabase } from '../database.ts'
import { type Actors, as, makeActors } from './actors.ts'
import { answer, makeForm, message, responsesTo, submit } from './forms.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

describe('submit a routing form', () => {
  it('200 with the first route that matches, else the fallback', async () => {
    const { id } = (await makeForm(actors.owner, { name: 'Ways' })).body
    const email = 'a@example.org'
    const way = async (more: object) => {
      const { status, body } = await answer(id, { email, ...more })
      expect(status).toBe(200)
      return body.action
    }
    expect(await way({ size: '101', interests: ['Support'] })).toEqual({
      type: 'externalRedirectUrl',
      value: 'https://example.org/big',
      eventTypeId: null,
    })
    expect(await way({ size: 100, interests: 'support' })).toMatchObject(message('We help'))
    expect(await way({ interests: ['Sales'] })).toMatchObject(message('Thanks'))
  })

  it('200 by its address, kept as a response, with FORM_SUBMITTED', async () => {
    const { owner } = actors
    const { body: form } = await makeForm(owner, { name: 'Kept' })
    const { subdomain } = owner
    const response = {
      email: ' a@example.org ',
      size: '7.5',
      interests: ['Support', 'Sales'],
      x: 1,
    }
    const sent = await submit({ subdomain: subdomain?.toUpperCase(), slug: 'KEPT', response })
    expect(sent.body.responseUid).toMatch(/^[\w-]{22}$/)
    const { items } = await responsesTo(owner, form.id)
    const [email, size, interests] = form.fields as never as { id: string }[]
    expect(items).toEqual([
      {
        id: expect.any(Number),
        formId: form.id,
        formFillerId: sent.body.responseUid,
        response: {
          [email!.id]: { label: 'Your e-mail', value: 'a@example.org' },
          [size!.id]: { label: 'Company size', value: 7.5 },
          [interests!.id]: { label: 'Interests', value: ['Sales', 'Support'] },
        },
        chosenRouteId: 'support',
        routedToBookingUid: null,
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
    const events = await queryDatabase<{ type: string; payload: unknown }>(
      `select type, payload from events where account_id = ${owner.accountId}
        and subject = 'routing_form_response' and subject_id = ${items[0]?.id}`,
    )
    const said = (value: unknown) => ({ value, response: value })
    expect(events).toEqual([
      {
        type: 'FORM_SUBMITTED',
        payload: {
          formId: form.id,
          formName: 'Kept',
          teamId: null,
          responses: {
            email: said('a@example.org'),
            size: said(7.5),
            interests: said(['Sales', 'Support']),
          },
        },
      },
    ])
  })

  it('200 and leads to an event type, passed over once it is gone', async () => {
    const { owner } = actors
    const offer = { title: 'Call', slug: 'routed-call', length: 30 }
    const eventTypeId = Number((await as(owner, createEventType, NewEventType, offer)).body.id)
    const action = { type: 'eventTypeRedirectUrl', eventTypeId }
    const routes = [
      { rule: { field: 'email', operator: 'is_not_empty' }, action },
      { isFallback: true, action: message('Later') },
    ]
    const { id } = (await makeForm(owner, { name: 'Leads on', routes })).body
    const { body } = await answer(id, { email: 'a@example.org' })
    expect(body.action).toEqual({
      type: 'eventTypeRedirectUrl',
      value: `https://almanac.example/${owner.username}/routed-call?routingFormResponse=${body.responseUid}`,
      eventTypeId,
    })
    await as(owner, deleteEventType, ById, { id: eventTypeId })
    expect((await answer(id, { email: 'a@example.org' })).body.action).toMatchObject(
      message('Later'),
    )
  })

  it('422 with a fault for each answer that is wrong; nothing is kept', async () => {
    const fields = [
      ['text', 'x'.repeat(501), 'must be at most 500 characters long'],
      ['email', 'a@', 'expected an e-mail address'],
      ['phone', 'call me', 'expected a telephone number such as +15551234567'],
      ['url', 'javascript:alert(1)', 'expected an http(s) URL'],
      ['date', '2026-02-30', 'expected a date such as 2026-03-08'],
      ['number', '1e999', 'expected a number'],
      ['select', 'Green', 'expected one of "Red", "Blue"'],
      ['radio', ['Red', 'Blue'], 'expected one of "Red", "Blue"'],
      ['multiselect', ['Red', 'Green'], 'expected one of "Red", "Blue"'],
      ['boolean', 'maybe', 'expected a boolean'],
      ['textarea', ' ', 'required'],
    ] as const
    const options = [{ label: 'Red' }, { label: 'Blue' }]
    const { id } = (
      await makeForm(actors.owner, {
        name: 'Strict',
        routes: [],
        fields: fields.map(([type]) => ({ label: type, type, required: true, options })),
      })
    ).body
    const wrong = await answer(id, Object.fromEntries(fields.map(([type, value]) => [type, value])))
    expect(wrong.status).toBe(422)
    expect(wrong.body.details).toEqual(
      fields.map(([type, , fault]) => ({ field: `response.${type}`, message: fault })),
    )
    expect((await answer(id, {})).body.details).toEqual(
      fields.map(([type]) => ({ field: `response.${type}`, message: 'required' })),
    )
    expect((await responsesTo(actors.owner, id)).items).toEqual([])
  })

  it('404 for a form that is disabled or that there is not', async () => {
    const { owner } = actors
    const { body } = await makeForm(owner, { name: 'Closed', disabled: true })
    const response = { email: 'a@example.org' }
    expect((await answer(body.id, response)).body.message).toBe('Form does not exist')
    for (const slug of ['closed', 'never'])
      expect((await submit({ subdomain: owner.subdomain, slug, response })).status).toBe(404)
    expect((await submit({ slug: 'closed', response })).status).toBe(422)
  })
})
