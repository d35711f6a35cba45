import { describe, expect, it } from 'vitest'
import { renderTemplate, templateFault } from './template.ts'

const delivered = {
  triggerEvent: 'SERVICE_BOOKING_CREATED',
  createdAt: '2026-03-08T17:00:00.000Z',
  payload: {
    title: 'The "best"\n\\cut\\ {{payload.price}}',
    price: 4500,
    paid: false,
    location: null,
    attendees: [{ name: 'Ann' }, { name: 'Bo' }],
  },
}
const render = (template: string) => JSON.parse(renderTemplate(template, delivered))

describe('renderTemplate', () => {
  it('fills in values: text, numbers, lists, and null for what is not there', () => {
    const template = `{"a": {{payload.title}}, "b": {{ payload.price }}, "c": {{payload.paid}},
      "d": {{payload.attendees}}, "e": {{payload.nothing.there}}, "f": {{payload.location}}}`
    expect(render(template)).toEqual({
      a: delivered.payload.title,
      b: 4500,
      c: false,
      d: delivered.payload.attendees,
      e: null,
      f: null,
    })
  })

  it('fills in text within a string, escaped, and nothing for what is not there', () => {
    expect(
      render('{"text": "New: {{payload.title}} for {{payload.price}}{{payload.gone}}!"}'),
    ).toEqual({ text: `New: ${delivered.payload.title} for 4500!` })
    expect(render('["\\"{{payload.paid}}\\\\", {{payload.price}}]')).toEqual(['"false\\', 4500])
    expect(render('"{{payload.attendees}}"')).toBe(JSON.stringify(delivered.payload.attendees))
  })

  it('does not read what it has filled in', () => {
    expect(render('{{payload.title}}')).toBe(delivered.payload.title)
  })

  it('reads items by their position, and nothing that is inherited', () => {
    expect(render('"{{payload.attendees.1.name}}, {{triggerEvent}} {{createdAt}}"')).toBe(
      `Bo, ${delivered.triggerEvent} ${delivered.createdAt}`,
    )
    expect(
      render('[{{payload.constructor}}, {{payload.__proto__}}, {{payload.title.length}}]'),
    ).toEqual([null, null, null])
  })

  it('refuses to become larger than 256 KiB', () => {
    const big = { ...delivered, payload: { title: 'x'.repeat(150_000) } }
    expect(() => renderTemplate('[{{payload.title}},{{payload.title}}]', big)).toThrow(RangeError)
    expect(renderTemplate('[{{payload.title}}]', big)).toHaveLength(150_004)
  })
})

describe('templateFault', () => {
  it.each([
    '{"text": "{{payload.title}}"}',
    '{{payload}}',
    '{"a":{"b":{{payload.price}}}}',
    '[{{createdAt}}, "{{triggerEvent}}"]',
    '{"plain": true}',
  ])('finds none in %s', template => {
    expect(templateFault(template)).toBeUndefined()
  })

  it.each([
    ['{"text": "{{title}}"}', '{{title}} is not triggerEvent, createdAt, payload or a field of it'],
    ['{"text": {{secret}}}', '{{secret}} is not'],
    ['{{payload..title}}', '{{payload..title}} is not'],
    ['{{}}', '{{}} is not'],
    ['{"text": "{{payload.title}"}', 'has a {{ that is not closed'],
    ['{"text": {{payload.title}}', 'must be JSON'],
    ['Hello {{payload.title}}', 'must be JSON'],
    ['{{payload.title}} {{payload.price}}', 'must be JSON'],
    ['[1{{payload.title}}]', 'must be JSON'],
    ['{"amount": -{{payload.price}}}', 'must be JSON'],
    ['{ {{payload.price}}: 1 }', 'must be JSON'],
    ['"\\{{payload.title}}n"', 'must be JSON'],
    ['"\\u00{{payload.title}}41"', 'must be JSON'],
    [`[${'{{payload.price}},'.repeat(100)}{{payload.price}}]`, 'at most 100 fields'],
  ])('says of %s: %s', (template, words) => {
    expect(templateFault(template)).toContain(words)
  })
})
