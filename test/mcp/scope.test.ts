import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import { fingerprint, messagesSettled } from '../database.ts'
import { CALLS } from './calls.ts'
import { callTool, type ListedTool, listTools } from './rpc.ts'
import { clock, makeStage, type Stage } from './stage.ts'

let stage: Stage
let other: TestAccount
let tools: ListedTool[] = []

beforeAll(async () => {
  ;[stage, other] = await Promise.all([makeStage(), createAccount()])
  tools = await listTools({ key: stage.key })
})

/** Runs what must leave an account, the stage's, as it is, and sees that it did. */
async function leavesAlone(
  work: () => Promise<string[]>,
  accountId = stage.world.account.accountId,
): Promise<void> {
  await messagesSettled(accountId)
  const before = await fingerprint(accountId)
  expect(await work()).toEqual([])
  expect(await fingerprint(accountId)).toEqual(before)
}

/** Fields that name a record of the account, or of its users. */
const NAMES_A_RECORD = /^(?:id|ids|uid|bookingUid|\w+Id)$/
const namesRecord = (args: object): boolean =>
  Object.keys(args).some(field => NAMES_A_RECORD.test(field))

describe("every tool with another account's key", () => {
  it("tells nothing of the account's records, and changes none of them", async () => {
    await leavesAlone(async () => {
      const wrong: string[] = []
      // Reads first: what it makes for itself afterwards repeats the words of the calls.
      const isRead = (tool: ListedTool) => tool.annotations.readOnlyHint === true
      for (const tool of tools.toSorted((x, y) => Number(isRead(y)) - Number(isRead(x)))) {
        const { name } = tool
        const { args, at } = CALLS[name]!
        const headers = at ? { 'x-test-now': at } : clock
        const asked = args(stage)
        const reply = await callTool(name, asked, { key: other.apiKey, headers })
        if (isRead(tool) && reply.text.includes(stage.mark)) wrong.push(`${name} ${reply.text}`)
        if (namesRecord(asked) && !isMissing(reply)) wrong.push(`${name} ${reply.text}`)
      }
      return wrong
    })
  })

  /** A record of another account is none; a filter by one finds nothing. */
  const isMissing = ({ isError, value }: Awaited<ReturnType<typeof callTool>>): boolean => {
    if (isError) return value.error === 'NOT_FOUND'
    if (Array.isArray(value.items)) return value.items.length === 0
    const { failed, updated } = value as { failed?: { error: string }[]; updated?: number }
    return updated === 0 && failed?.every(f => f.error === 'NOT_FOUND') === true
  }
})

/** What staff may call on what is not theirs: it shows the catalog, or concerns themselves alone. */
const FOR_STAFF = new Set([
  'get_current_user',
  'update_user_profile',
  'list_api_keys',
  'get_out_of_office',
  'list_event_types',
  'create_event_type',
  'list_bookings',
  'list_upcoming_bookings',
  'search_bookings',
  'list_schedules',
  'create_schedule',
  'get_available_slots',
  'list_appointments',
  'check_availability',
  'bulk_update_appointments',
  'list_locations',
  'get_location',
  'list_services',
  'get_service',
  'list_service_categories',
  'list_products',
  'list_workflows',
  'list_routing_forms',
  'list_teams',
])
/** Those of them that show the account's own names. */
const CATALOG = /^(?:list|get)_(?:location|service|product)|^check_availability$/

/** What staff may call on what is theirs, or as anybody may. */
const OF_THEIRS = new Set(['create_appointment', 'create_booking'])

describe('every tool with the key of one of the staff', () => {
  it('refuses what is not theirs, and shows nothing of it', async () => {
    const makes = new Set(['update_user_profile', 'create_event_type', 'create_schedule'])
    const wrong: string[] = []
    await leavesAlone(async () => {
      for (const { name } of tools.filter(tool => !makes.has(tool.name))) {
        const { args, at } = CALLS[name]!
        const headers = at ? { 'x-test-now': at } : clock
        const asked =
          name === 'create_booking' ? { ...args(stage), eventTypeSlug: 'none' } : args(stage)
        const reply = await callTool(name, asked, { key: stage.staffKey, headers })
        if (FOR_STAFF.has(name) === reply.isError) wrong.push(`${name} ${reply.text}`)
        if (reply.text.includes(stage.mark) && !CATALOG.test(name))
          wrong.push(`${name} tells ${reply.text}`)
        const known = ['FORBIDDEN', 'NOT_FOUND']
        if (reply.isError && !known.includes(reply.value.error ?? ''))
          wrong.push(`${name} ${reply.text}`)
      }
      return wrong
    })
  })

  it('FORBIDDEN for wrong arguments as for right ones, where the role lacks it', async () => {
    const wrong: string[] = []
    let closed = 0
    await leavesAlone(async () => {
      for (const { name } of tools) {
        const { args, at } = CALLS[name]!
        const headers = at ? { 'x-test-now': at } : clock
        const sender = { key: stage.staffKey, headers }
        const isOpen = FOR_STAFF.has(name) || OF_THEIRS.has(name)
        const right = isOpen ? undefined : await callTool(name, args(stage), sender)
        const isClosed = right?.value.error === 'FORBIDDEN'
        if (isClosed) closed++
        for (const junk of ['junk', { ...args(stage), nonsense: true }, { id: {} }]) {
          const { value, text } = await callTool(name, junk, sender)
          if (isClosed ? text !== right.text : value.error !== 'VALIDATION_ERROR')
            wrong.push(`${name} ${text}`)
        }
      }
      return wrong
    })
    expect(closed).toBeGreaterThan(20)
  })
})

describe('every tool', () => {
  it.each([
    ['arguments that are a text', 'junk'],
    ['arguments that are a list', [1, 2]],
    ['arguments that are a number', 7],
    ['a field that it does not have', { nonsense: true }],
    ['a field of every object', { constructor: 1, toString: 2 }],
    [
      'fields of the wrong type',
      { id: {}, ids: 'x', uid: [], limit: 'many', search: {}, name: 7, nonsense: null },
    ],
    ['text that cannot be kept', { search: 'a\0b', name: 'a\ud800b', nonsense: '\0' }],
  ])('refuses %s by what is wrong, and changes nothing', async (_, junk) => {
    const { apiKey: key, accountId } = await createAccount()
    await leavesAlone(async () => {
      const wrong: string[] = []
      for (const { name } of tools) {
        const { isError, value, text } = await callTool(name, junk, { key })
        const details = value.details ?? []
        if (!isError || value.error !== 'VALIDATION_ERROR' || details.length === 0)
          wrong.push(`${name} ${text}`)
      }
      return wrong
    }, accountId)
  })

  it('that lists is NOT_FOUND by an id that the account does not have', async () => {
    const { apiKey: key } = await createAccount()
    const wrong: string[] = []
    let seen = 0
    for (const { name, annotations, inputSchema } of tools) {
      const filters = Object.keys(inputSchema.properties).filter(field => /Id$/.test(field))
      if (!annotations.readOnlyHint || !('cursor' in inputSchema.properties)) continue
      for (const filter of filters) {
        seen++
        const needed = name === 'search_bookings' ? { search: 'x' } : {}
        const asked = { ...needed, [filter]: 2_147_483_647 }
        const team = name === 'list_team_members' && filter === 'userId'
        const { value, text } = await callTool(name, team ? { ...asked, teamId: 1 } : asked, {
          key,
        })
        if (value.error !== 'NOT_FOUND') wrong.push(`${name} ${filter} ${text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(seen).toBeGreaterThan(20)
  })

  it('says of a cursor, a sort and days that are wrong that they are arguments', async () => {
    const { apiKey: key } = await createAccount()
    for (const [name, args, field] of [
      ['search_customers', { cursor: 'nobody’s' }, 'cursor'],
      ['list_products', { sort: 'nothing' }, 'sort'],
      ['check_availability', { serviceId: 1 }, 'date'],
    ] as const) {
      const { isError, value } = await callTool(name, args, { key })
      expect([isError, value.error, value.details?.map(d => d.field)]).toEqual([
        true,
        'VALIDATION_ERROR',
        [field],
      ])
    }
  })

  it('says of a time without an offset what is missing', async () => {
    const when = { startTime: '2031-06-11T14:00:00', endTime: '2031-06-11T15:00:00Z' }
    const args = { serviceId: stage.ids.service, ...when }
    const { isError, value } = await callTool('create_appointment', args, { key: stage.key })
    expect([isError, value.error, value.details]).toEqual([
      true,
      'VALIDATION_ERROR',
      [{ field: 'startTime', message: expect.stringContaining('with an offset') }],
    ])
  })

  it('says how to go on when an id is of nobody', async () => {
    const { isError, value } = await callTool(
      'get_customer',
      { id: 2147483647 },
      { key: stage.key },
    )
    expect([isError, value.error]).toEqual([true, 'NOT_FOUND'])
    expect(value.message).toMatch(/Customer does not exist.*list, get and search tools/)
  })
})
