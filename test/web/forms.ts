import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from '../source.ts'

/** A form of a page as a browser sees it. */
export interface PageForm {
  /** Where it is sent. */
  action: string
  method: 'get' | 'post'
  /** What a browser sends when its button is pressed at once: what is typed and chosen already. */
  fields: Record<string, string>
  /** The names of what somebody types into or chooses from. */
  asked: string[]
}

const ENTITIES: Record<string, string> = {
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}
/** Text of a page as it is read. */
export const decode = (text: string): string =>
  text.replace(/&(?:#39|quot|lt|gt|amp);/g, entity => ENTITIES[entity] ?? entity)

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : decode(found)
}
const has = (tag: string, name: string): boolean => new RegExp(`\\s${name}(?:[\\s=>/])`).test(tag)

const CONTROL =
  /<input\b[^>]*>|<textarea\b[^>]*>([\s\S]*?)<\/textarea>|<select\b[^>]*>([\s\S]*?)<\/select>/g

/** What a control sends as it stands; nothing for a box that is not ticked. */
function sentBy(control: string, text: string | undefined, options: string | undefined) {
  const tag = /^<[^>]*>/.exec(control)?.[0] ?? ''
  if (text !== undefined) return decode(text)
  if (options !== undefined) {
    const all = [...options.matchAll(/<option\b[^>]*>([^<]*)/g)]
    const chosen = all.find(([option]) => has(option, 'selected')) ?? all[0]
    return chosen ? (attribute(chosen[0], 'value') ?? decode(chosen[1] ?? '')) : undefined
  }
  const isBox = ['checkbox', 'radio'].includes(attribute(tag, 'type') ?? '')
  if (isBox && !has(tag, 'checked')) return undefined
  return attribute(tag, 'value') ?? (isBox ? 'on' : '')
}

function fieldsOf(form: string): Record<string, string> {
  const found: [string, string][] = []
  for (const [control, text, options] of form.matchAll(CONTROL)) {
    const name = attribute(/^<[^>]*>/.exec(control)?.[0] ?? '', 'name')
    const value = sentBy(control, text, options)
    if (name !== undefined && value !== undefined) found.push([name, value])
  }
  return Object.fromEntries(found)
}

const UNASKED = ['hidden', 'checkbox', 'radio']

const askedIn = (form: string): string[] =>
  [...form.matchAll(/<(?:input|textarea|select)\b[^>]*>/g)].flatMap(([tag]) => {
    const name = attribute(tag, 'name')
    return name === undefined || UNASKED.includes(attribute(tag, 'type') ?? '') ? [] : [name]
  })

/** The forms of a page; those without an address of their own are sent to the page's. */
export const formsOf = ({ text }: { text: string }, page: string): PageForm[] =>
  [...text.matchAll(/(<form\b[^>]*>)([\s\S]*?)<\/form>/g)].map(([, tag = '', body = '']) => ({
    action: attribute(tag, 'action') ?? page,
    method: attribute(tag, 'method') === 'post' ? 'post' : 'get',
    fields: fieldsOf(body),
    asked: askedIn(body),
  }))

/** What every button of the settings does, as their pages have it. */
export async function settingsActs(): Promise<string[]> {
  const folder = path.join(ROOT, 'functions/settings/pages')
  const modules = await Promise.all(
    (await readdir(folder)).map(
      async file => Object.values(await import(path.join(folder, file))) as unknown[],
    ),
  )
  return modules.flat().flatMap(page => {
    const isPage = typeof page === 'object' && page !== null && 'acts' in page
    return isPage ? Object.keys(page.acts as object) : []
  })
}
