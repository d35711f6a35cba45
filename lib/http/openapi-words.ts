/** What is said of an operation where its path does not tell. The keys are `METHOD path`. */
const SUMMARIES: Record<string, string> = {
  'POST /api/services/book': 'Book a service for a customer',
  'POST /api/services/confirm-appointment': 'Confirm a pending appointment',
  'GET /api/services/availability': 'List the starts of a service that can be booked',
  'GET /api/services/resource-availability': 'Ask whether a resource is free',
  'POST /api/services/employees/invite': 'Invite somebody to sign in as an employee',
  'DELETE /api/services/employees/invite': 'Take an invitation back',
  'GET /api/services/employees/schedule': 'Read the working hours of an employee',
  'PATCH /api/services/employees/schedule': 'Change the working hours of an employee',
  'POST /api/book/event': 'Book an event type',
  'POST /api/book/recurring-event': 'Book an event type several times',
  'POST /api/book/instant-event': 'Ask for a meeting right now',
  'POST /api/cancel': 'Cancel an event booking',
  'DELETE /api/services/appointments': 'Cancel an appointment, or hide a final one',
  'POST /api/services/webhooks/test': 'Send a webhook a test',
  'GET /api/services/webhooks/deliveries': 'List what was delivered to webhooks',
  'POST /api/services/webhooks/replay': 'Deliver to a webhook once more',
  'POST /api/services/webhooks/rotate-secret': 'Give a webhook a new secret',
  'POST /api/auth/oauth/token': 'Get tokens for a code or a refresh token',
  'POST /api/auth/oauth/refreshToken': 'Get new tokens for a refresh token',
  'POST /api/auth/oauth/revoke': 'Take back what a token is of',
  'POST /api/auth/oauth/register': 'Register an OAuth client',
  'GET /api/auth/oauth/me': 'Read who the credential acts for',
  'GET /api/auth/oauth/jwks': 'Read the keys that access tokens are signed with',
  'GET /.well-known/oauth-authorization-server': 'Read how OAuth works here',
  'GET /.well-known/oauth-protected-resource': 'Read where tokens for the API come from',
  'GET /.well-known/oauth-protected-resource/api/mcp':
    'Read where tokens for the tool server come from',
  'GET /api/extension/event-types': 'List what the user can be booked for',
  'GET /api/extension/slots': 'List the starts of an event type that can be booked',
  'GET /api/extension/slots/reservations': 'Read until when a start is held',
  'POST /api/extension/slots/reservations': 'Hold a start while a form is filled in',
  'DELETE /api/extension/slots/reservations': 'Give back a start that is held',
}

/** What an operation is called by: its method, its path, and what of its answer is known. */
export interface Named {
  method: string
  path: string
  /** Whether it answers pages of a list. */
  isList: boolean
  /** Whether it answers one record, beside that. */
  findsOne: boolean
  /** Whether it answers 201 with what it made. */
  creates: boolean
}

const wordsOf = (segment = ''): string => segment.replaceAll('-', ' ')

/** `tax` of `taxes`, `category` of `categories`. */
function singular(words: string): string {
  if (words.endsWith('ies')) return `${words.slice(0, -3)}y`
  if (words.endsWith('xes')) return words.slice(0, -2)
  return words.endsWith('s') && !words.endsWith('ss') ? words.slice(0, -1) : words
}

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** One line that says what an operation does. */
export function summaryOf(named: Named): string {
  const { method, path, isList, findsOne, creates } = named
  const known = SUMMARIES[`${method} ${path}`]
  if (known) return known
  const segments = path.split('/').filter(segment => segment && !segment.startsWith(':'))
  const last = wordsOf(segments.at(-1))
  const one = withArticle(singular(last))
  switch (method) {
    case 'GET':
      if (!isList) return `Read the ${last}`
      return findsOne ? `List ${last}, or get one by id` : `List ${last}`
    case 'PUT':
    case 'PATCH':
      return singular(last) === last || last.endsWith('settings')
        ? `Change the ${last}`
        : `Change ${one}`
    case 'DELETE':
      return `Delete ${one}`
    default:
      return creates ? `Create ${one}` : capital(`${last} ${wordsOf(segments.at(-2))}`)
  }
}
