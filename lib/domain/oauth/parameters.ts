import { refuse } from './errors.ts'
import { audienceOf } from './metadata.ts'

/** The parameters of an OAuth request: each once, those without a value left out (RFC 6749 3.1, 3.2). */
export interface Parameters {
  /** By name; unknown ones are there and not looked at. */
  one: Readonly<Record<string, string | undefined>>
  /** `resource` alone may come several times (RFC 8707 section 2). */
  resources: readonly string[]
  /** Those that came more than once. */
  repeated: ReadonlySet<string>
}

/** The longest value that is read; a state may hold much. */
const MAX = 4096

/** Reads parameters as they came. */
export function readParameters(given: Iterable<readonly [string, string]>): Parameters {
  const one = new Map<string, string>()
  const resources: string[] = []
  const repeated = new Set<string>()
  for (const [name, value] of given) {
    if (value === '') continue
    if (name === 'resource') resources.push(value)
    else if (one.has(name)) repeated.add(name)
    else one.set(name, value)
  }
  return { one: Object.fromEntries(one), resources, repeated }
}

/** Refuses parameters that came twice, are too long, or hold what the database cannot keep. */
export function requireReadable({ one, resources, repeated }: Parameters): void {
  for (const name of repeated) refuse('invalid_request', `${name} is given more than once`)
  for (const [name, value] of [...Object.entries(one), ...resources.map(r => ['resource', r])])
    if (value !== undefined && (value.length > MAX || value.includes('\0')))
      refuse('invalid_request', `${name} cannot be read`)
}

/**
 * What tokens are to be for (RFC 8707): the resources that are named, all of `most` where none is.
 * @throws invalid_target for one that is not ours, or not among `most`
 */
export function audienceFor(
  publicUrl: string,
  resources: readonly string[],
  most: readonly string[],
): string[] {
  if (resources.length === 0) return [...most]
  return [
    ...new Set(
      resources.map(resource => {
        const meant = audienceOf(publicUrl, resource)
        return meant !== undefined && most.includes(meant)
          ? meant
          : refuse('invalid_target', 'resource is not one that tokens are given for')
      }),
    ),
  ]
}
