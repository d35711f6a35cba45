import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platform } from '../platform.ts'
import { mistyped } from '../tool-types.ts'
import { CALLS } from './calls.ts'
import { auditOf, clock, makeStage, type Stage } from './stage.ts'

/** The tools of the interface, by domain. */
const TOOLS = `
  get_current_user update_user_profile list_api_keys get_out_of_office
  list_event_types get_event_type create_event_type update_event_type delete_event_type duplicate_event_type
  list_bookings get_booking create_booking cancel_booking reschedule_booking confirm_booking reject_booking list_upcoming_bookings search_bookings mark_no_show
  list_schedules get_schedule create_schedule delete_schedule get_available_slots
  list_appointments get_appointment create_appointment update_appointment cancel_appointment check_availability bulk_update_appointments
  search_customers get_customer create_customer update_customer delete_customer list_top_customers
  list_locations get_location list_services get_service list_staff get_staff list_products update_product_stock list_invoices list_service_categories
  list_workflows get_workflow create_workflow update_workflow delete_workflow
  list_webhooks get_webhook create_webhook update_webhook delete_webhook test_webhook
  list_routing_forms get_routing_form list_routing_form_responses
  list_teams get_team list_team_members
  get_schedule_stats dashboard_summary booking_analytics popular_event_types busiest_days no_show_report revenue_report staff_performance
`
  .trim()
  .split(/\s+/)

let stage: Stage
const client = new Client({ name: 'almanac-tests', version: '1.0.0' })
let now: Record<string, string> = clock

/** Adds the clock of the moment to what the client sends. */
const fetchAt: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers)
  for (const [name, value] of Object.entries(now)) headers.set(name, value)
  return fetch(url, { ...init, headers })
}

const options = () => ({
  requestInit: { headers: { authorization: `Bearer ${stage.key}` } },
  fetch: fetchAt,
})

/** What a tool answered to the client: text, and the structure beside it. */
const textOf = (result: Awaited<ReturnType<Client['callTool']>>): string => {
  const [first] = result.content as { type: string; text: string }[]
  return first?.text ?? ''
}

beforeAll(async () => {
  stage = await makeStage()
  const url = new URL(`${platform().url}/api/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, options()) as never)
})
afterAll(() => client.close())

describe('the official client over streamable HTTP', () => {
  it('agrees on 2025-03-26 with version 2.1.0 of the server, and is told how to go about', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'almanac', version: '2.1.0' })
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    })
    expect(client.getInstructions()).toMatch(/Never make up an id/)
    expect((client.transport as StreamableHTTPClientTransport).protocolVersion).toBe('2025-03-26')
    expect(client.transport?.sessionId).toMatch(/^[\w-]{22}\.[0-9a-f]{64}$/)
  })

  it('lists every tool of the interface once, 50 on the first page, and comes to an end', async () => {
    const first = await client.listTools()
    expect(first.tools).toHaveLength(50)
    const second = await client.listTools({ cursor: first.nextCursor })
    expect('nextCursor' in second).toBe(false)
    const names = [...first.tools, ...second.tools].map(tool => tool.name)
    expect(names.toSorted()).toEqual(TOOLS.toSorted())
    expect(Object.keys(CALLS).toSorted()).toEqual(TOOLS.toSorted())
  })

  it('has no resources, templates or prompts, and pings', async () => {
    expect(await client.listResources()).toEqual({ resources: [] })
    expect(await client.listResourceTemplates()).toEqual({ resourceTemplates: [] })
    expect(await client.listPrompts()).toEqual({ prompts: [] })
    expect(await client.ping()).toEqual({})
  })

  const wrongIn = mistyped()
  // The client itself checks each answer against the tool's outputSchema, which tells less.
  it.each(Object.entries(CALLS))('calls %s with real data', async (name, { args, shows, at }) => {
    now = at ? { 'x-test-now': at } : clock
    const result = await client.callTool({ name, arguments: args(stage) })
    now = clock
    const text = textOf(result)
    expect(result.isError, text).toBeUndefined()
    expect(text).toContain(shows(stage))
    expect(result.structuredContent).toEqual(JSON.parse(text))
    expect(wrongIn(name, JSON.parse(text))).toBe('')
  })

  it('leaves its writes in the audit log as those of the tool server', async () => {
    const actions = await auditOf(stage.world.account.accountId, 'mcp')
    for (const action of ['booking.cancel', 'appointment.cancel', 'webhook.create', 'user.update'])
      expect(actions).toContain(action)
  })
})

describe('the official client over the older transport', () => {
  it('gets the endpoint, and every answer on its stream', async () => {
    const older = new Client({ name: 'older', version: '1.0.0' })
    const url = new URL(`${platform().url}/api/mcp/sse`)
    await older.connect(new SSEClientTransport(url, options()) as never)
    try {
      expect(older.getServerVersion()).toMatchObject({ version: '2.1.0' })
      const { tools } = await older.listTools()
      expect(tools).toHaveLength(50)
      const results = await Promise.all(
        [1, 2, 3].map(limit =>
          older.callTool({ name: 'list_customers_of', arguments: { limit } }).catch(e => e.code),
        ),
      )
      expect(results).toEqual([-32602, -32602, -32602])
      const me = await older.callTool({ name: 'get_current_user', arguments: {} })
      expect(textOf(me)).toContain(stage.world.account.email)
    } finally {
      await older.close()
    }
  })
})
