import type { JsonSchema } from './json-schema.ts'
import { answer, DELIVERED } from './openapi-parts.ts'
import type { ApiAnswer, ApiDelivery, ApiResponse, ApiShapes } from './openapi-types.ts'

const objectOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

const SUCCESS: JsonSchema = { type: 'string', const: 'success' }

/** Where a page of a list ends. */
export const PAGINATION: JsonSchema = objectOf({
  limit: { type: 'integer', description: 'The most that the page could have' },
  nextCursor: {
    type: ['string', 'null'],
    description: '`cursor` of the next page; null on the last',
  },
})

function written({ form, schema }: ApiAnswer): JsonSchema {
  if (form === 'bare') return schema
  if (form === 'data') return objectOf({ status: SUCCESS, data: schema })
  return objectOf({
    status: SUCCESS,
    data: { type: 'array', items: schema },
    pagination: { $ref: '#/components/schemas/Pagination' },
  })
}

/** The responses of what an operation may answer. */
export function successes(answers: readonly ApiAnswer[]): Record<string, ApiResponse> {
  const byStatus = new Map<number, ApiAnswer[]>()
  for (const one of answers) byStatus.set(one.status, [...(byStatus.get(one.status) ?? []), one])
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => {
      const [first = {}, ...others] = all.map(written)
      const schema = others.length > 0 ? { anyOf: [first, ...others] } : first
      const made = status === 201 ? 'What was made' : 'Done'
      const isPage = all.some(({ form }) => form === 'page')
      return [status, answer(isPage ? 'A page of the list' : made, schema)]
    }),
  )
}

/** `onBookingCreated` of `BOOKING_CREATED`. */
const handlerOf = (event: string): string =>
  `on${event
    .split('_')
    .map(word => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}`

/** What is sent to webhooks, but for those with a template of their own. */
export const webhooks = (events: ApiShapes['events']): Record<string, { post: ApiDelivery }> =>
  Object.fromEntries(
    Object.entries(events).map(([event, { description = event, ...payload }]) => {
      const schema = objectOf({
        triggerEvent: { type: 'string', const: event },
        createdAt: { type: 'string', format: 'date-time' },
        payload,
      })
      const operation = {
        operationId: handlerOf(event),
        summary: description,
        parameters: DELIVERED,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { '2XX': { description: 'It has arrived; anything else is tried again' } },
      }
      return [event, { post: operation }]
    }),
  )
