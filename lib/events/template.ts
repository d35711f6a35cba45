import { Json, toText } from '#lib/core/json.ts'

/** What a template can name: the parts of a delivery's body. */
export interface Delivered {
  triggerEvent: string
  createdAt: string
  /** A value, or the text that the database keeps of it. */
  payload: unknown
}

/** The body of a delivery without a template. A payload that is text goes into it as it is. */
export const bodyText = ({ triggerEvent, createdAt, payload }: Delivered): string =>
  `{"triggerEvent":${JSON.stringify(triggerEvent)},"createdAt":${JSON.stringify(createdAt)},"payload":${toText(payload)}}`

/** The most characters that a template, and what is made of it, may have. */
export const MAX_TEMPLATE = 10_000
const MAX_FIELDS = 100
const MAX_RENDERED = 262_144

const FIELD = /\{\{\s*([^{}]*?)\s*\}\}/g
const NAME = /^(?:triggerEvent|createdAt|payload)(?:\.[\w-]+)*$/

/** A piece of a template as it stands, or a field, within a JSON string or as a value of its own. */
type Piece = { text: string } | { field: readonly string[]; inString: boolean }

/** Whether a JSON string is open at the end of a text that begins inside or outside of one. */
function endsInString(text: string, begins: boolean): boolean {
  let inside = begins
  for (let i = 0; i < text.length; i++) {
    if (inside && text[i] === '\\') i++
    else if (text[i] === '"') inside = !inside
  }
  return inside
}

function parse(template: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let inString = false
  for (const found of template.matchAll(FIELD)) {
    const text = template.slice(at, found.index)
    inString = endsInString(text, inString)
    pieces.push({ text }, { field: (found[1] ?? '').split('.'), inString })
    at = found.index + found[0].length
  }
  pieces.push({ text: template.slice(at) })
  return pieces
}

const fill = (pieces: readonly Piece[], value: (field: readonly string[]) => unknown): string =>
  pieces
    .map(piece => ('text' in piece ? piece.text : write(value(piece.field), piece.inString)))
    .join('')

/** A value as JSON; within a string its text, escaped. What there is not is null, or empty text. */
function write(value: unknown, inString: boolean): string {
  if (!inString) return JSON.stringify(value ?? null)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '')
  return JSON.stringify(String(text)).slice(1, -1)
}

function pick(from: unknown, field: readonly string[]): unknown {
  let value = from
  for (const name of field) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Object.getOwnPropertyDescriptor(value, name)?.value
  }
  return value
}

/**
 * Stands for whatever a field may hold. It goes together with nothing that is beside it: a digit would
 * with another digit, an empty text with the halves of an escape.
 */
const standIn = ({ inString }: { inString: boolean }): string => (inString ? 'x' : 'null')

/**
 * What is wrong with a payload template; undefined when nothing is. A template is JSON in which
 * `{{payload.title}}` stands for a field of the delivery: as a value, or within a string.
 */
export function templateFault(template: string): string | undefined {
  const pieces = parse(template)
  const fields = pieces.flatMap(piece => ('field' in piece ? [piece.field.join('.')] : []))
  if (fields.length > MAX_FIELDS) return `must have at most ${MAX_FIELDS} fields`
  const unknown = fields.find(field => !NAME.test(field))
  if (unknown !== undefined)
    return `{{${unknown}}} is not triggerEvent, createdAt, payload or a field of it`
  if (pieces.some(piece => 'text' in piece && piece.text.includes('{{')))
    return 'has a {{ that is not closed'
  try {
    JSON.parse(pieces.map(piece => ('text' in piece ? piece.text : standIn(piece))).join(''))
    return undefined
  } catch {
    return 'must be JSON once its fields are filled in'
  }
}

/**
 * The body of a delivery by its webhook's template.
 * @throws RangeError when it would be larger than 256 KiB
 */
export function renderTemplate(template: string, delivered: Delivered): string {
  const { payload } = delivered
  const whole = { ...delivered, payload: payload instanceof Json ? payload.read() : payload }
  const body = fill(parse(template), field => pick(whole, field))
  if (body.length > MAX_RENDERED)
    throw new RangeError(`The payload template makes more than ${MAX_RENDERED} characters`)
  return body
}
