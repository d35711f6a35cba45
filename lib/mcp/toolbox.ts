import { bounded } from '#lib/core/bounded.ts'
import { base64url, fromBase64url } from '#lib/core/text.ts'
import { RpcError } from './rpc.ts'
import type { Arguments } from './schema.ts'
import type { Tool, Tools } from './tool.ts'

/** Which tools a client asked for in the endpoint's address, and how many on a page. */
export interface Choice {
  toolsets: readonly string[] | undefined
  pageSize: number
}

/** Tools on a page of `tools/list`. */
const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

type Load = () => Promise<{ tools: Tools }>

/** A table of tools by toolset, loaded when something of it is needed. */
export interface ToolboxSpec {
  toolsets: Record<string, Load>
  /** Every tool in the order of the list, with its toolset. */
  order: readonly (readonly [name: string, toolset: string])[]
  /** What a list tells of arguments; loaded with the first. */
  words: () => Promise<{ argumentsOf: Arguments }>
}

const title = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The tools of the server: found by name, listed in pages. */
export class Toolbox {
  readonly #toolsetOf: ReadonlyMap<string, string>
  readonly #listed = new Map<string, string>()
  readonly #pages = bounded<string>()
  readonly #choices = bounded<Choice>()
  readonly #loaded = new Map<string, Tools>()
  constructor(private readonly spec: ToolboxSpec) {
    this.#toolsetOf = new Map(spec.order)
  }

  /** The toolsets that an address can name. */
  get toolsets(): string[] {
    return Object.keys(this.spec.toolsets)
  }

  /** Reads `?toolsets=a,b` and `?pageSize=n` of the endpoint's address; -32602 for what is neither. */
  choose(query: string): Choice {
    const known = this.#choices.get(query)
    if (known) return known
    const choice = this.readChoice(new URLSearchParams(query))
    this.#choices.set(query, choice)
    return choice
  }

  private readChoice(query: URLSearchParams): Choice {
    const asked = query.get('toolsets')
    const toolsets = asked === null ? undefined : asked.split(',').map(name => name.trim())
    const unknown = toolsets?.find(name => !Object.hasOwn(this.spec.toolsets, name))
    if (unknown !== undefined)
      throw new RpcError(
        'invalidParams',
        `There is no toolset "${unknown}"; there are ${this.toolsets.join(', ')}`,
      )
    const size = query.get('pageSize') ?? String(PAGE_SIZE)
    const pageSize = /^\d{1,3}$/.test(size) ? Number(size) : 0
    if (pageSize < 1 || pageSize > MAX_PAGE_SIZE)
      throw new RpcError('invalidParams', `pageSize must be from 1 to ${MAX_PAGE_SIZE}`)
    return { toolsets, pageSize }
  }

  /** A tool that the client asked to have; -32602 for any other name. */
  async find(name: unknown, { toolsets }: Choice): Promise<Tool> {
    if (typeof name !== 'string')
      throw new RpcError('invalidParams', 'name must be the name of a tool')
    const toolset = this.#toolsetOf.get(name)
    if (toolset === undefined || (toolsets && !toolsets.includes(toolset)))
      throw new RpcError('invalidParams', `Unknown tool: ${name.slice(0, 100)}`)
    return this.load(name, toolset)
  }

  private async load(name: string, toolset: string): Promise<Tool> {
    const tools = this.#loaded.get(toolset) ?? (await this.loadAll(toolset))
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
    if (!tool) throw new Error(`The toolset ${toolset} has no ${name}`)
    return tool
  }

  /** An import costs a Worker something each time, also of what is loaded already. */
  private async loadAll(toolset: string): Promise<Tools> {
    const { tools } = await this.spec.toolsets[toolset]!()
    this.#loaded.set(toolset, tools)
    return tools
  }

  /** A page of the list as JSON text; `nextCursor` is left out on the last. */
  async page(cursor: unknown, { toolsets, pageSize }: Choice): Promise<string> {
    const key = JSON.stringify([toolsets, pageSize, cursor])
    const known = this.#pages.get(key)
    if (known !== undefined) return known
    const all = this.spec.order.filter(([, set]) => !toolsets || toolsets.includes(set))
    const from = cursor === undefined ? 0 : 1 + all.findIndex(([n]) => n === readCursor(cursor))
    if (cursor !== undefined && from === 0)
      throw new RpcError('invalidParams', 'The cursor is not one of this list')
    const shown = all.slice(from, from + pageSize)
    const tools = await Promise.all(shown.map(([name, toolset]) => this.describe(name, toolset)))
    const isLast = from + pageSize >= all.length
    const next = isLast ? '' : `,"nextCursor":"${writeCursor(shown.at(-1)![0])}"`
    const page = `{"tools":[${tools.join()}]${next}}`
    this.#pages.set(key, page)
    return page
  }

  /** A tool as it is listed; made once, and not before it is asked for. */
  private async describe(name: string, toolset: string): Promise<string> {
    let text = this.#listed.get(name)
    if (text === undefined) {
      const { argumentsOf } = await this.spec.words()
      const { description, input, output, annotations } = await this.load(name, toolset)
      text = JSON.stringify({
        name,
        title: title(name),
        description,
        inputSchema: argumentsOf(name, input),
        ...(output ? { outputSchema: output } : {}),
        annotations: { title: title(name), ...annotations },
      })
      this.#listed.set(name, text)
    }
    return text
  }
}

const writeCursor = (name: string): string => base64url(new TextEncoder().encode(name))

function readCursor(cursor: unknown): string | undefined {
  const bytes = typeof cursor === 'string' ? fromBase64url(cursor) : undefined
  return bytes && new TextDecoder().decode(bytes)
}
