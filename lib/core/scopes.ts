/** What a user can allow a client to do for them, as interface and discovery name it. */
export const SCOPES = [
  'READ_PROFILE',
  'READ_BOOKING',
  'BOOKING_WRITE',
  'SERVICES_READ',
  'SERVICES_WRITE',
  'mcp',
  'FULL_ACCESS',
] as const
/** One thing that a client may be allowed. */
export type Scope = (typeof SCOPES)[number]

/** What each scope allows, in words for the user who is asked. */
export const SCOPE_WORDS: Record<Scope, string> = {
  READ_PROFILE: 'See who you are: your name, e-mail address and preferences',
  READ_BOOKING: 'See bookings, appointments, event types and when there is time',
  BOOKING_WRITE: 'Make, change and cancel bookings, appointments and event types',
  SERVICES_READ: 'See the business: services, customers, employees, appointments',
  SERVICES_WRITE: 'Change the business: services, customers, employees, appointments',
  mcp: 'Use all tools of an assistant in your name: see and change what you can',
  FULL_ACCESS: 'Do everything that you can do, except making keys and applications',
}

const isScope = (text: string): text is Scope => SCOPES.some(scope => scope === text)

/** The names in a `scope` parameter, each once; spaces separate them (RFC 6749 3.3), or commas. */
export const namesIn = (text: string): string[] => [
  ...new Set(text.split(/[ ,]+/).filter(name => name !== '')),
]

/** Those names that are scopes, in our order. */
export const knownScopes = (names: readonly string[]): Scope[] =>
  SCOPES.filter(scope => names.includes(scope))

/** The first name that is no scope, or none that `allowed` has. */
export const strangerIn = (
  names: readonly string[],
  allowed: readonly string[] = SCOPES,
): string | undefined => names.find(name => !isScope(name) || !allowed.includes(name))
