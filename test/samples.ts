import * as z from 'zod'

/** JSON Schema, as far as zod writes it. */
export interface JsonSchema {
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  minimum?: number
  additionalProperties?: JsonSchema | boolean
}

/** A value of a body or query, by where it stands: `extras.id`, without positions. */
type ByField = Record<string, unknown>

/** What a sample is made of. */
export interface Sampling {
  /** Optional fields too. */
  full?: boolean
  /** These optional fields too. */
  also?: readonly string[] | undefined
  /** Values by the field's name or its dotted path; undefined leaves the field out. */
  values?: ByField
}

/** A Monday about three weeks from now, within what an event type offers. */
function workday(): string {
  const day = new Date(Date.now() + 21 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
}

/** Values of what a schema says in words of its own, by the field's name or the end of its path. */
const EXAMPLES: ByField = {
  email: 'grace@example.org',
  phone: '+15550109999',
  timeZone: 'America/New_York',
  language: 'en',
  locale: 'en',
  country: 'us',
  currency: 'usd',
  color: '#2266aa',
  primaryColor: '#2266aa',
  website: 'https://example.org/',
  logoUrl: 'https://example.org/logo.png',
  imageUrl: 'https://example.org/picture.png',
  avatarUrl: 'https://example.org/face.png',
  subdomain: 'grace-and-friends',
  slug: 'grace-and-friends',
  invoicePrefix: 'INV',
  dateOfBirth: '1990-05-17',
  date: '2031-06-02',
  issueDate: '2031-06-02',
  dueDate: '2031-07-02',
  startDate: '2031-06-02',
  endDate: '2031-06-03',
  from: '2031-06-02T00:00:00Z',
  to: '2031-06-03T00:00:00Z',
  createdFrom: '2020-01-01T00:00:00Z',
  createdTo: '2040-01-01T00:00:00Z',
  startTime: '2031-06-02T14:00:00Z',
  endTime: '2031-06-02T15:00:00Z',
  start: '2031-06-02T14:00:00Z',
  end: '2031-06-02T14:30:00Z',
  slotStart: `${workday()}T14:00:00Z`,
  // One of the event type's own.
  slotDuration: undefined,
  'intervals.start': '09:00',
  'intervals.end': '17:00',
  attendeePhoneNumber: '+15550108888',
  guests: ['guest@example.org'],
  rescheduledBy: 'grace@example.org',
  cancelledBy: 'grace@example.org',
  'weekly.breaks': [],
  'overrides.breaks': [],
  day: 1,
  depositType: 'fixed',
  role: 'staff',
  status: 'approved',
  password: 'correct horse battery',
  token: 'not-a-token',
  // Nobody listens there.
  subscriberUrl: 'http://127.0.0.1:9/',
  payloadTemplate: '{}',
  // They go without stock, and whatever there is.
  delta: undefined,
  expectedStock: undefined,
  // The last of the ways a form leads has no rule.
  'routes.isFallback': true,
  'routes.rule': null,
  'routes.action.type': 'eventTypeRedirectUrl',
  // They do not go with each other.
  _isDryRun: undefined,
  rescheduleUid: undefined,
  bookingUid: undefined,
  // Of a host.
  teamMemberEmail: undefined,
  // Goes without deliveryId.
  webhookId: undefined,
  // They go together, and not with a seat of a group.
  recurrenceRule: undefined,
  recurrenceCount: undefined,
  isGroupBooking: undefined,
}

/** The JSON Schema of what a zod schema takes. */
export const inputSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/**
 * A value that a schema takes. Fails when it does not, and says of which field an example is needed:
 * add it to EXAMPLES above, or to the test's own values.
 */
export function sample(schema: z.ZodType, sampling: Sampling = {}): Record<string, unknown> {
  const value = make(inputSchema(schema), '', sampling)
  const result = schema.safeParse(value)
  if (!result.success) {
    const faults = result.error.issues.map(i => `${i.path.join('.')}: ${i.message}`).join('; ')
    throw new Error(`test/samples.ts needs an example for ${faults}`)
  }
  return value as Record<string, unknown>
}

function make(schema: JsonSchema, field: string, sampling: Sampling): unknown {
  const names = field.split('.').map((_, at, parts) => parts.slice(at).join('.'))
  const chosen = schema.anyOf?.find(s => s.type !== 'null') ?? schema
  // A name such as `status` is of one noun in the examples and stands for other words in another; a
  // part of a form has an `id` of its own, which is no number.
  const fits = (value: unknown) =>
    value === undefined ||
    (!(chosen.type === 'string' && typeof value === 'number') &&
      (!chosen.enum || chosen.enum.includes(value)))
  for (const source of [sampling.values ?? {}, EXAMPLES])
    for (const name of names) if (name in source && fits(source[name])) return source[name]
  if (chosen.enum) return chosen.enum[0]
  if ('const' in chosen) return chosen.const
  switch (chosen.type) {
    case 'object':
      return makeObject(chosen, field, sampling)
    case 'array':
      return chosen.items ? [make(chosen.items, field, sampling)] : []
    case 'integer':
    case 'number':
      return Math.max(1, chosen.minimum ?? 1)
    case 'boolean':
      return true
    default:
      return 'Sample'
  }
}

function makeObject(schema: JsonSchema, field: string, sampling: Sampling) {
  const { properties = {}, required = [] } = schema
  const wanted = Object.entries(properties).filter(
    ([name]) => sampling.full || required.includes(name) || sampling.also?.includes(name),
  )
  return Object.fromEntries(
    wanted
      .map(([name, inner]) => [name, make(inner, field ? `${field}.${name}` : name, sampling)])
      .filter(([, value]) => value !== undefined),
  )
}

/** Every field of a schema by its dotted path, without positions, with its JSON Schema. */
export function fieldsOf(schema: z.ZodType): Map<string, JsonSchema> {
  const found = new Map<string, JsonSchema>()
  const walk = (at: JsonSchema, field: string): void => {
    if (field) found.set(field, at)
    for (const inner of at.anyOf ?? []) walk(inner, field)
    if (at.items) walk(at.items, field)
    for (const [name, inner] of Object.entries(at.properties ?? {}))
      walk(inner, field ? `${field}.${name}` : name)
  }
  walk(inputSchema(schema), '')
  return found
}

/** The fields of a schema that hold ids of records. */
export const idFields = (schema: z.ZodType | undefined): string[] =>
  schema
    ? [...fieldsOf(schema)]
        .filter(([field, { type }]) => /(?:^id|\.id|Ids?)$/.test(field) && type !== 'string')
        .map(([field]) => field)
    : []
