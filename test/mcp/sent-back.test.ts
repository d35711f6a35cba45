import { expect, it } from 'vitest'
import { callTool, listTools } from './rpc.ts'
import { clock, makeStage } from './stage.ts'

/** The tool that reads what another changes, and the record of a stage that both are called with. */
const READ_BY: Record<
  string,
  [reader: string, id: 'appointment' | 'customer' | 'picky' | 'webhook' | 'workflow' | null]
> = {
  update_appointment: ['get_appointment', 'appointment'],
  update_customer: ['get_customer', 'customer'],
  update_event_type: ['get_event_type', 'picky'],
  update_webhook: ['get_webhook', 'webhook'],
  update_workflow: ['get_workflow', 'workflow'],
  update_user_profile: ['get_current_user', null],
}

it('every tool that changes a record takes it as it was read, and leaves it as it is', async () => {
  const { key, ids } = await makeStage()
  const sender = { key, headers: clock }
  const changes = (await listTools({ key })).filter(({ name }) => name.startsWith('update_'))
  for (const { name, inputSchema } of changes.filter(t => t.name !== 'update_product_stock')) {
    const [reader, kind] = READ_BY[name] ?? []
    expect(reader, `${name} is to be entered in READ_BY`).toBeDefined()
    const which = kind ? { id: ids[kind] } : {}
    const read = async () => (await callTool(reader!, which, sender)).value
    const before = await read()
    const known = Object.entries(before).filter(([field]) => field in inputSchema.properties)
    const { isError, text } = await callTool(name, Object.fromEntries(known), sender)
    expect(isError, `${name}: ${text}`).toBe(false)
    const aside = { version: 0, updatedAt: '', failingSince: '' }
    expect({ ...(await read()), ...aside }, name).toEqual({ ...before, ...aside })
  }
})
