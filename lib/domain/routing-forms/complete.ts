import { invalid } from '#lib/core/errors.ts'
import { freeSlug, newUid, slugify } from '#lib/core/text.ts'
import { fieldsNamed, type Rule } from './rules.ts'
import type { FieldInput, FormField, FormRoute, RouteInput } from './schema.ts'

/** Refuses what stands in a list twice; `field` is the path of its entry at a position. */
function requireOnce(names: readonly (string | undefined)[], field: (at: number) => string): void {
  const seen = new Set<string>()
  for (const [at, name] of names.entries()) {
    if (name === undefined) continue
    if (seen.has(name)) invalid({ field: field(at), message: 'stands here twice' })
    seen.add(name)
  }
}

/** Names an option by its label where it has no id. */
function completeOptions(options: FieldInput['options'], field: string) {
  const taken: string[] = (options ?? []).flatMap(option => option.id ?? [])
  requireOnce(
    (options ?? []).map(option => option.label),
    at => `${field}.options.${at}.label`,
  )
  requireOnce(
    (options ?? []).map(option => option.id ?? undefined),
    at => `${field}.options.${at}.id`,
  )
  return (options ?? []).map(({ id, label }) => {
    if (id) return { id, label }
    const own = freeSlug(slugify(label).slice(0, 60), taken)
    taken.push(own)
    return { id: own, label }
  })
}

/** Fields with all that was left out: ids, and identifiers from their labels. */
export function completeFields(fields: readonly FieldInput[]): FormField[] {
  requireOnce(
    fields.map(field => field.id),
    at => `fields.${at}.id`,
  )
  requireOnce(
    fields.map(field => field.identifier),
    at => `fields.${at}.identifier`,
  )
  const taken = fields.flatMap(field => [field.identifier ?? [], field.id ?? []].flat())
  return fields.map((field, at) => {
    const identifier = field.identifier ?? freeSlug(slugify(field.label).slice(0, 60), taken)
    taken.push(identifier)
    return {
      id: field.id ?? newUid(),
      identifier,
      label: field.label,
      type: field.type,
      placeholder: field.placeholder ?? null,
      required: field.required ?? false,
      deleted: field.deleted ?? false,
      options: completeOptions(field.options, `fields.${at}`),
    }
  })
}

const completeAction = ({ type, value = null, eventTypeId = null }: RouteInput['action']) => ({
  type,
  value: type === 'externalRedirectUrl' && value ? new URL(value).href : value,
  eventTypeId: type === 'eventTypeRedirectUrl' ? eventTypeId : null,
})

/** Routes with all that was left out, the fallback last. */
export function completeRoutes(routes: readonly RouteInput[]): FormRoute[] {
  requireOnce(
    routes.map(route => route.id),
    at => `routes.${at}.id`,
  )
  const complete = routes.map(({ id, name, isFallback, rule, action }) => ({
    id: id ?? newUid(),
    name: name ?? null,
    isFallback: isFallback ?? false,
    rule: rule ?? null,
    action: completeAction(action),
  }))
  return [
    ...complete.filter(route => !route.isFallback),
    ...complete.filter(route => route.isFallback),
  ]
}

/** Refuses rules about fields that there are not (VALIDATION_ERROR). */
export function requireKnownFields(
  fields: readonly FormField[],
  routes: readonly { rule?: Rule | null | undefined }[],
): void {
  const known = new Set(fields.flatMap(field => [field.id, field.identifier]))
  for (const [at, { rule }] of routes.entries())
    for (const { path, field } of rule ? fieldsNamed(rule) : [])
      if (!known.has(field))
        invalid({ field: `routes.${at}.rule.${path}`, message: `"${field}" is none of the fields` })
}
