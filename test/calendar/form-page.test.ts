import { beforeAll, describe, expect, it } from 'vitest'
import { createEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { createRoutingForm, listFormResponses } from '#lib/domain/routing-forms/operations.ts'
import { NewRoutingForm, ResponseFilter } from '#lib/domain/routing-forms/schema.ts'
import { anyone, HTML, own, sendForm, somebody } from '../browser.ts'
import { formsOf } from '../web/forms.ts'
import { type Actors, as, makeActors } from './actors.ts'

let actors: Actors
let formId: unknown
let path: string
beforeAll(async () => {
  actors = await makeActors()
  const { owner } = actors
  const offer = { title: 'Call', slug: 'call-us', length: 30 }
  const eventType = await as(owner, createEventType, NewEventType, offer)
  const when = (value: string) => ({ field: 'topic', operator: 'equal', value })
  const form = await as(owner, createRoutingForm, NewRoutingForm, {
    name: 'Talk <to> us',
    description: 'Two minutes',
    fields: [
      { label: 'E-mail', identifier: 'email', type: 'email', required: true },
      {
        label: 'Topic',
        identifier: 'topic',
        type: 'radio',
        options: [{ label: 'Call' }, { label: 'Site' }, { label: 'Other' }],
      },
      {
        label: 'Days',
        identifier: 'days',
        type: 'checkbox',
        options: [{ label: 'Mon' }, { label: 'Tue' }, { label: 'Wed' }],
      },
      { label: 'I agree', identifier: 'agree', type: 'boolean', required: true },
    ],
    routes: [
      {
        rule: when('Call'),
        action: { type: 'eventTypeRedirectUrl', eventTypeId: eventType.body.id },
      },
      {
        rule: when('Site'),
        action: { type: 'externalRedirectUrl', value: 'https://example.org/next?a=1&b=2' },
      },
      { isFallback: true, action: { type: 'customPageMessage', value: 'We <write> back' } },
    ],
  })
  formId = form.body.id
  path = `/forms/${owner.subdomain}/talk-to-us`
})

const look = (at: string) => anyone.get(at, { ...HTML, ...somebody() })
const GOOD = { email: 'a@example.org', agree: 'true' }
const countResponses = async () =>
  (await as(actors.owner, listFormResponses, ResponseFilter, { formId: String(formId) })).items

describe('/forms/{subdomain}/{slug}', () => {
  it('200 on GET with a labelled field for each question', async () => {
    const { status, text, headers } = await look(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('<h1>Talk &lt;to&gt; us</h1>')
    expect(text).toContain(`<form class="fields" method="post" action="${path}">`)
    expect(text).toMatch(/<label for="email">E-mail/)
    expect(text).toMatch(/<input id="email" name="email" required=""[^>]*type="email"/)
    expect(text).toMatch(/<fieldset class="choices"[^>]*><legend>Topic/)
    expect(text).toContain('name="days.2" value="Wed"')
  })

  it('303 to the one answer for each press of one showing of the form', async () => {
    const [form] = formsOf(await look(path), path)
    const typed = { ...form?.fields, ...GOOD, topic: 'Other' }
    const before = (await countResponses()).length
    const presses = await Promise.all([1, 2, 3].map(() => sendForm(path, typed)))
    const leads = presses.map(({ status, headers }) => [status, headers.get('location')])
    expect(new Set(leads.map(String)).size).toBe(1)
    expect(leads[0]?.[0]).toBe(303)
    expect(await countResponses()).toHaveLength(before + 1)
  })

  it('303 to a page with the message, which can be loaded again', async () => {
    const sent = await sendForm(path, { ...GOOD, topic: 'Other', 'days.0': 'Mon', 'days.2': 'Wed' })
    expect(sent.status).toBe(303)
    const next = sent.headers.get('location') ?? ''
    expect(next).toMatch(new RegExp(`^${path}/[\\w-]{22}$`))
    for (const page of [await look(next), await look(next)]) {
      expect(page.status).toBe(200)
      expect(page.text).toContain('We &lt;write&gt; back')
      expect(page.headers.get('refresh')).toBeNull()
    }
    const [latest] = await countResponses()
    const values = Object.values(latest?.response ?? {}).map(a => a.value)
    expect(values).toEqual(expect.arrayContaining(['Other', ['Mon', 'Wed'], true]))
  })

  it('303 to the event type’s page, or to a page that leads to another site', async () => {
    const call = await sendForm(path, { ...GOOD, topic: 'Call' })
    expect(call.headers.get('location')).toMatch(
      new RegExp(`^http.*/${actors.owner.username}/call-us\\?routingFormResponse=[\\w-]{22}$`),
    )
    const site = await sendForm(path, { ...GOOD, topic: 'Site' })
    const page = await look(site.headers.get('location') ?? '')
    expect(page.headers.get('refresh')).toBe('0; url=https://example.org/next?a=1&b=2')
    expect(page.text).toContain('href="https://example.org/next?a=1&amp;b=2"')
  })

  it('422 shows the form again with what was typed and each fault beside its field', async () => {
    const before = (await countResponses()).length
    const { status, text } = await sendForm(path, {
      email: 'no"<b>',
      topic: 'Site',
      'days.1': 'Tue',
    })
    expect(status).toBe(422)
    expect(text).toContain('2 things need another look:')
    expect(text).toContain('value="no&quot;&lt;b&gt;"')
    expect(text).toContain('id="email-fault">Please enter an e-mail address.')
    expect(text).toMatch(/<input id="email"[^>]*autofocus/)
    expect(text.match(/autofocus/g)).toHaveLength(1)
    expect(text).toContain('id="agree-fault">Please tick this.')
    expect(text).toMatch(/value="Site" checked/)
    expect(text).toMatch(/value="Tue" checked/)
    expect(text).not.toMatch(/value="Mon" checked/)
    expect((await countResponses()).length).toBe(before)
  })

  it('201 and 422 in JSON for a program', async () => {
    const made = await anyone.post(path, { ...GOOD, agree: true, days: ['Tue'] }, somebody())
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      responseUid: expect.stringMatching(/^[\w-]{22}$/),
      action: { type: 'customPageMessage', value: 'We <write> back', eventTypeId: null },
    })
    const wrong = await anyone.post(path, { agree: true }, somebody())
    expect([wrong.status, wrong.body.details]).toEqual([
      422,
      [{ field: 'response.email', message: 'required' }],
    ])
  })

  it('403 for a form that another site sends; 404 for one that there is not', async () => {
    const foreign = await sendForm(path, GOOD, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    for (const at of [`${path}-no`, '/forms/nobody/here', `${path}/${'x'.repeat(22)}`])
      expect((await look(at)).status).toBe(404)
    expect((await sendForm(`${path}-no`, GOOD, own())).status).toBe(404)
  })
})
