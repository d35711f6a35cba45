/** What a form or a query string says, with `a[b][]=c` as nested objects and arrays. */
export interface FormData {
  [name: string]: FormValue
}
/** A value of a form: a text, or values below it. */
export type FormValue = string | FormValue[] | FormData

/**
 * Reads a form-encoded body or a query string the way Stripe, Twilio and PHP write nested values:
 * `items[0][price]=x`, `expand[]=y`; a name that comes twice makes an array.
 */
export function parseForm(text: string): FormData {
  const form: FormData = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const segments = [...name.matchAll(/([^[\]]+)|\[\]/g)].map(match => match[1] ?? '')
    put(form, segments, value)
  }
  return form
}

function put(container: FormData | FormValue[], segments: string[], value: string): void {
  const [segment = '', ...rest] = segments
  const current = read(container, segment)
  if (rest.length === 0) {
    if (current === undefined) write(container, segment, value)
    else if (Array.isArray(current)) current.push(value)
    else write(container, segment, [current, value])
    return
  }
  let next = current
  if (next === undefined || typeof next === 'string') {
    next = /^\d*$/.test(rest[0] ?? '') ? [] : {}
    write(container, segment, next)
  }
  put(next, rest, value)
}

/** `[]` always means a new element. */
function read(container: FormData | FormValue[], segment: string): FormValue | undefined {
  if (Array.isArray(container)) return segment === '' ? undefined : container[Number(segment)]
  return Object.hasOwn(container, segment) ? container[segment] : undefined
}

function write(container: FormData | FormValue[], segment: string, value: FormValue): void {
  if (!Array.isArray(container)) container[segment] = value
  else if (segment === '') container.push(value)
  else container[Number(segment)] = value
}
