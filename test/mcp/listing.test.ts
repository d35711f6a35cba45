import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { ORDER } from '#functions/mcp/order.ts'
import { SERVER } from '#functions/mcp/server.ts'
import { createAccount } from '../client.ts'
import { type ListedTool, listTools, post, request, type Sender } from './rpc.ts'

let by: Sender
let tools: ListedTool[] = []

beforeAll(async () => {
  by = { key: (await createAccount()).apiKey }
  tools = await listTools(by)
})

const names = (listed: readonly { name: string }[]) => listed.map(tool => tool.name)
const page = async (path: string, cursor?: string) => {
  const { body } = await post(request('tools/list', cursor ? { cursor } : {}), { ...by, path })
  return body
}

describe('tools/list', () => {
  it('has 73 tools in a fixed order: what is used every day on the first page of 50', async () => {
    expect(tools).toHaveLength(73)
    expect(names(tools)).toEqual(ORDER.map(([name]) => name))
    expect(names(tools)).toEqual(names(await listTools(by)))
    const daily = names(tools.slice(0, 50))
    for (const name of ['list_bookings', 'create_booking', 'get_available_slots'])
      expect(daily).toContain(name)
    for (const name of ['create_appointment', 'search_customers', 'check_availability'])
      expect(daily).toContain(name)
  })

  it('takes toolsets and a page size from the address, for clients that read one page', async () => {
    const whole = await page('/api/mcp?pageSize=100')
    expect(whole.result?.tools).toHaveLength(73)
    expect('nextCursor' in (whole.result ?? {})).toBe(false)
    const some = await page('/api/mcp?toolsets=bookings,customers')
    const wanted = ORDER.filter(([, set]) => set === 'bookings' || set === 'customers')
    expect(names(some.result?.tools ?? [])).toEqual(wanted.map(([name]) => name))
    expect(wanted).toHaveLength(16)
    const few = await page('/api/mcp?toolsets=bookings&pageSize=4')
    const rest = await page('/api/mcp?toolsets=bookings&pageSize=4', few.result?.nextCursor)
    expect(few.result?.tools).toHaveLength(4)
    expect(names(rest.result?.tools ?? [])).not.toContain(few.result?.tools?.[3]?.name)
  })

  it('-32602 for a toolset or a page size that there is not, with those that there are', async () => {
    for (const query of ['toolsets=nothing', 'toolsets=', 'toolsets=toString', 'pageSize=0'])
      expect((await page(`/api/mcp?${query}`)).error).toMatchObject({ code: -32602 })
    for (const query of ['pageSize=101', 'pageSize=ten', 'pageSize=-1', 'pageSize=1.5'])
      expect((await page(`/api/mcp?${query}`)).error).toMatchObject({ code: -32602 })
    const { error } = await page('/api/mcp?toolsets=nothing')
    expect(JSON.stringify(error)).toContain('bookings')
  })

  it('a toolset that was not asked for cannot be called', async () => {
    const call = request('tools/call', { name: 'get_current_user' })
    const { body } = await post(call, { ...by, path: '/api/mcp?toolsets=bookings' })
    expect(body.error).toMatchObject({ code: -32602 })
  })

  it('begins anew where the cursor is null, which some clients say for none', async () => {
    const { body } = await post(request('tools/list', { cursor: null }), by)
    expect(names(body.result?.tools ?? [])).toEqual(names(tools.slice(0, 50)))
  })

  it('a cursor stays good: it names the tool that it comes after', async () => {
    const first = await page('/api/mcp?pageSize=10')
    const again = await page('/api/mcp?pageSize=20', first.result?.nextCursor)
    expect(names(again.result?.tools ?? [])).toEqual(names(tools).slice(10, 30))
  })
})

describe('each tool', () => {
  it('has a name that clients take, a title, words and annotations', () => {
    for (const { name, title, description, annotations } of tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(title).toMatch(/^[A-Z][a-z ]+$/)
      expect(description.length, name).toBeGreaterThan(10)
      expect(annotations).toEqual({
        title,
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      })
      const isRead = /^(?:list|get|search|check)_|_(?:summary|analytics|report|performance)$/
      const reads = isRead.test(name) || /^(?:popular_event_types|busiest_days)$/.test(name)
      expect([name, annotations.readOnlyHint]).toEqual([name, reads])
      const adds = /^(?:create|duplicate|test)_|^update_product_stock$/.test(name)
      if (adds) expect([name, annotations.idempotentHint]).toEqual([name, false])
      const ends = /^(?:delete|cancel|reject)_/.test(name)
      if (ends) expect([name, annotations.destructiveHint]).toEqual([name, true])
    }
  })

  it('has a plain object as its inputSchema, closed, every field in words', () => {
    const mute: string[] = []
    const walk = (name: string, schema: Record<string, unknown>, path: string) => {
      const inner = [...((schema.anyOf ?? []) as object[]), ...(schema.items ? [schema.items] : [])]
      for (const part of inner) walk(name, part as Record<string, unknown>, path)
      for (const [field, value] of Object.entries((schema.properties ?? {}) as object)) {
        const at = path ? `${path}.${field}` : field
        if (typeof value.description !== 'string') mute.push(`${name}.${at}`)
        walk(name, value, at)
      }
    }
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.type).toBe('object')
      expect(inputSchema.additionalProperties).toBe(false)
      for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs', 'not'])
        expect(keyword in inputSchema, name).toBe(false)
      expect(JSON.stringify(inputSchema)).not.toMatch(/"format":"date-time"[^}]*"pattern"/)
      walk(name, inputSchema, '')
    }
    expect(mute).toEqual([])
  })

  it('takes its documented example, by its JSON Schema and by the operation’s', async () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
    const wrong: string[] = []
    for (const { name, inputSchema } of tools) {
      const [example] = inputSchema.examples
      if (!ajv.validate(inputSchema, example)) wrong.push(`${name}: ${ajv.errorsText()}`)
      const tool = await SERVER.toolbox.find(name, { toolsets: undefined, pageSize: 50 })
      const parsed = tool.input.safeParse(example)
      if (!parsed.success) wrong.push(`${name}: ${parsed.error.message}`)
      const fields = Object.entries(inputSchema.properties)
      for (const [field, { examples }] of fields)
        for (const value of examples ?? [])
          if (!ajv.validate({ ...inputSchema.properties[field] }, value))
            wrong.push(`${name}.${field}: ${JSON.stringify(value)} ${ajv.errorsText()}`)
    }
    expect(wrong).toEqual([])
  })

  it('is one line of a table, under its toolset', async () => {
    for (const [name, toolset] of ORDER) {
      const choice = { toolsets: [toolset], pageSize: 50 }
      expect((await SERVER.toolbox.find(name, choice)).description).toBeTruthy()
    }
    expect(new Set(ORDER.map(([, set]) => set))).toEqual(new Set(SERVER.toolbox.toolsets))
    expect(SERVER.toolbox.toolsets).toHaveLength(12)
  })
})
