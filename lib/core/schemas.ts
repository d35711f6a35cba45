import * as z from 'zod'
import { NO_SHAPE } from './faults.ts'
import { isWithinTime } from './time.ts'

const EXPECTED: Record<string, string> = { int: 'integer', nan: 'number', record: 'object' }

/** One wording for every fault, whichever schema finds it. Set once, for all of zod. */
z.config({
  customError: issue => {
    if (issue.code === 'invalid_type')
      return issue.input === undefined
        ? 'required'
        : `expected ${EXPECTED[expectedBy(issue)] ?? expectedBy(issue)}`
    if (issue.code === 'invalid_value') {
      if (issue.input === undefined) return 'required'
      return `expected one of ${issue.values.map(v => `"${String(v)}"`).join(', ')}`
    }
    if (issue.code === 'too_small') return bound(issue.origin, 'at least', Number(issue.minimum))
    if (issue.code === 'too_big') return bound(issue.origin, 'at most', Number(issue.maximum))
    if (issue.code === 'invalid_format' && issue.format === 'email')
      return 'expected an e-mail address'
    if (issue.code === 'invalid_format' && issue.format === 'url') return 'expected an http(s) URL'
    if (issue.code === 'invalid_key') return `the key ${issue.issues[0]?.message}`
    if (issue.code === 'invalid_union') return NO_SHAPE
    return undefined
  },
})

/** What of a number has to be whole is told from the start, not only once a fraction comes. */
const expectedBy = ({ expected, inst }: { expected: string; inst?: unknown }): string =>
  inst instanceof z.ZodNumberFormat ? 'int' : expected

function bound(origin: string, word: string, limit: number): string {
  const s = limit === 1 ? '' : 's'
  if (origin === 'string') return `must be ${word} ${limit} character${s} long`
  if (origin === 'array' || origin === 'set') return `must have ${word} ${limit} item${s}`
  return `must be ${word} ${limit}`
}

/** The largest identifier: 32 bits with a sign. */
export const MAX_ID = 2_147_483_647

/** A field that may be left out; null says the same. */
export const maybe = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value): z.output<S> | undefined => value ?? undefined)
    .optional()

/** An identifier in a body. */
export const id = z.int().min(1).max(MAX_ID)
/** A list of identifiers, each once. */
export const ids = z
  .array(id)
  .max(500)
  .transform(list => [...new Set(list)])
/** An amount of money in cents, from 0 to 10 million dollars. */
export const cents = z.int().min(0).max(1_000_000_000)
/** A duration in whole minutes, both ends included. */
export const minutes = (min: number, max: number) => z.int().min(min).max(max)
const withoutNul = (s: string): boolean => !s.includes('\0')

/** Text of one line or more: trimmed, never empty, no NUL (the database cannot keep it). */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(withoutNul, 'must not contain a NUL character')
    .transform(s => s.trim())
    .pipe(z.string().min(1).max(max))
/** The end of an address: text that a slug can be made of. */
export const slug = text(100).refine(s => /[\p{L}\p{N}]/u.test(s), 'must have a letter or a digit')
/** Text that may be empty; empty is kept as null. */
export const optionalText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(withoutNul, 'must not contain a NUL character')
    .transform(s => s.trim() || null)
    .nullable()
/** An e-mail address, as it was written. */
export const email = z.string().trim().max(320).pipe(z.email())
/** A telephone number, kept in E.164 (ITU-T): separators people write are dropped. */
export const phone = z
  .string()
  .max(40)
  .transform(s => s.replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+?[0-9]{4,15}$/, 'expected a telephone number such as +15551234567'))
/** A telephone number that can be written to: with its country code, for the `+` of which `00` may stand. */
export const reachablePhone = z
  .string()
  .max(40)
  .transform(s => s.replace(/[\s().-]/g, '').replace(/^00/, '+'))
  .pipe(
    z
      .string()
      .regex(
        /^\+[1-9][0-9]{3,14}$/,
        'expected a telephone number with its country code, such as +15551234567',
      ),
  )
/** An address of a page or picture. */
export const url = z.url({ protocol: /^https?$/ }).max(2048)
/** A lower-case ISO 4217 code. */
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'expected a currency code of three letters')
  .transform(s => s.toLowerCase())
/** How many entries an object may have whose names are the caller's own: arguments of `refine`. */
export const atMostEntries = (max: number) =>
  [(o: object) => Object.keys(o).length <= max, `must have at most ${max} entries`] as const
/** Text values by name, for who wants to find something again: up to 50. */
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine(...atMostEntries(50))
/** A language tag (BCP 47) such as `en` or `pt-BR`. */
export const languageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'expected a language tag such as en or pt-BR')
/** A CSS color in hex. */
export const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'expected a color such as #2266aa')

/**
 * Names that the database understands as the runtime does: a place, or UTC. Of the abbreviations some
 * are another zone there (IST, ACT), some are none (AET), and so is US/Pacific-New.
 */
const PLACE = /^(?:UTC|GMT|(?!SystemV\/|US\/Pacific-New$)[A-Za-z]+\/[\w+/-]+)$/i

const zones = new Map<string, boolean>()
function isZone(name: string): boolean {
  let known = zones.get(name)
  if (known === undefined) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name })
      known = PLACE.test(name)
    } catch {
      known = false
    }
    if (zones.size < 1000) zones.set(name, known)
  }
  return known
}
/** An IANA time zone such as `America/New_York`. */
export const timeZone = z
  .string()
  .max(64)
  .refine(isZone, 'expected an IANA time zone such as America/New_York')

/** Tells a text of the wrong form from one that is missing or no text at all. */
const form = (message: string) => ({
  error: ({ code }: { code?: string }) => (code === 'invalid_format' ? message : undefined),
  // What compares instants or days has nothing to say where one is none.
  abort: true,
})

/** ISO 8601 lets the seconds and the colon of the offset go: `T09:00Z`, `T09:00:00+0200`. */
const inFull = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/T(\d\d:\d\d)(?=Z|[+-])/, 'T$1:00').replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
    : value

/** An instant: ISO 8601 with an offset, between 1970 and 2200. */
export const instant = z.preprocess(
  inFull,
  z.iso
    .datetime({
      offset: true,
      ...form('expected an ISO 8601 timestamp with an offset, such as 2026-03-08T09:00:00Z'),
    })
    .transform(s => new Date(s))
    .refine(isWithinTime, 'must be between 1970 and 2200'),
)
/** A calendar day, `YYYY-MM-DD`. */
export const date = z.iso
  .date(form('expected a date such as 2026-03-08'))
  .refine(s => s >= '1900-01-01' && s < '2200-01-01', 'must be between 1900 and 2200')
/** A local wall-clock time, `HH:MM`, up to `24:00`. */
export const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, {
  error: 'expected a time such as 09:30',
  // What compares times has nothing to say where one is none.
  abort: true,
})

/** The days of the week by name, Sunday first: a name's place is the weekday's number. */
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const
const placeOf = (day: string): number =>
  WEEKDAYS.findIndex(name => name.toLowerCase() === day.toLowerCase())
const dayError = {
  error: (issue: { input?: unknown }) =>
    issue.input === undefined ? 'required' : 'expected 0 to 6 or a weekday such as "Monday"',
}
/** A day of the week: 0 (Sunday) to 6, or its English name. */
export const weekday = z.preprocess(
  value => {
    const at = typeof value === 'string' ? placeOf(value) : -1
    return at < 0 ? value : at
  },
  z.int(dayError).min(0, dayError).max(6, dayError),
)

/** A weekday by its name, in any case, or by its number, Sunday being 0. */
export const weekdayName = z.preprocess(day => {
  const at = typeof day === 'string' ? placeOf(day) : Number.isInteger(day) ? Number(day) : -1
  return WEEKDAYS[at] ?? day
}, z.enum(WEEKDAYS))

/** A stretch of one day by the clocks; it has to have a length. */
export const timeRange = z
  .object({ start: timeOfDay, end: timeOfDay })
  .refine(range => range.start < range.end, { path: ['end'], message: 'must be after start' })

const wholeNumber = z.int({
  error: ({ code, input }) =>
    code === 'invalid_type' && input !== undefined ? 'expected integer' : undefined,
})
/** Query parameters arrive as text; one that is missing stays missing, so that it can be told. */
const fromText = (value: unknown): unknown =>
  typeof value === 'string' ? (/^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN) : value

/** An identifier in a query, where all is text: digits alone, from 1. */
export const queryId = z.preprocess(fromText, wholeNumber.min(1).max(MAX_ID))
/** Identifiers in a query: `1,2`, or the parameter once for each. */
export const queryIds = z.preprocess(
  value => (typeof value === 'string' ? value.split(',') : value),
  z.array(queryId).max(100),
)
/** A whole number in a query. */
export const queryInt = (min: number, max: number) =>
  z.preprocess(fromText, wholeNumber.min(min).max(max))
/** `true` or `false` in a query. */
export const queryBoolean = z.preprocess(
  value => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('expected one of "true", "false"'),
)
/** In a query a `+` that was not escaped arrives as a space; an offset has no other use for one. */
export const queryInstant = z.preprocess(
  s => (typeof s === 'string' ? s.replace(/ (?=\d\d:?\d\d$)/, '+') : s),
  instant,
)

/** A telephone number in a query: a `+` that was not escaped arrives as a space. */
export const queryPhone = z.preprocess(
  s => (typeof s === 'string' ? s.replace(/^ (?=\d)/, '+') : s),
  phone,
)

/** In a query: an instant (a Date), or a day (`2026-03-08`), which somebody's zone makes instants of. */
export const queryInstantOrDate = z
  .union([queryInstant, date], {
    error: 'expected an ISO 8601 timestamp with an offset such as 2026-03-08T09:00:00Z, or a date',
  })
  .nonoptional()

/** From or until when something is listed: an instant, or a whole day of the company's. */
export const queryMoment = z.union([queryInstant.transform(d => d.toISOString()), date], {
  error: 'expected an ISO 8601 timestamp with an offset or a date',
})

/** `?id=` of PUT, PATCH and DELETE. */
export const ById = z.object({ id: queryId })
/** `?id=` of a GET that lists without it. */
export const MaybeById = z.object({ id: queryId.optional() })

/** What every list takes. `sort` is checked by the list, which knows its own orders. */
export const Paging = z.object({
  limit: queryInt(1, 100).optional(),
  cursor: z.string().max(500).optional(),
  search: z.string().trim().max(200).optional(),
  sort: z.string().max(40).optional(),
})
export type Paging = z.output<typeof Paging>
