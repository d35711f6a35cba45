import type { Permission } from '#lib/core/permissions.ts'
import { USERNAME_SEGMENT } from '#lib/domain/accounts/names.ts'

/*
 * What of the interface is built, and who may do what. A new route is entered here; the tests that go
 * over every route (interface, isolation, permissions, envelope) fail until it is.
 */

/** The paths of the interface that are built, with every method that it documents for them. */
export const BUILT = [
  '/auth/oauth2/authorize',
  '/api/auth/oauth/token',
  '/api/auth/oauth/refreshToken',
  '/api/auth/oauth/me',
  '/.well-known/oauth-authorization-server',
  '/api/services/services',
  '/api/services/categories',
  '/api/services/extras',
  '/api/services/taxes',
  '/api/services/products',
  '/api/services/product-categories',
  '/api/services/invoices',
  '/api/services/insights',
  '/api/services/stats',
  '/api/services/company-settings',
  '/api/services/locations',
  '/api/services/districts',
  '/api/services/customers',
  '/api/services/employees',
  '/api/services/employees/invite',
  '/api/services/employees/schedule',
  '/api/services/appointments',
  '/api/services/availability',
  '/api/services/notifications/reminders',
  '/api/services/book',
  '/api/services/confirm-appointment',
  '/api/services/resources',
  '/api/services/resource-availability',
  '/api/book/event',
  '/api/book/recurring-event',
  '/api/book/instant-event',
  '/api/cancel',
  '/api/extension/event-types',
  '/api/extension/slots',
  '/api/routing/forms',
  '/api/mcp',
  '/api/mcp/sse',
  '/.well-known/mcp',
]

/** Of the interface, what anybody may call without credentials. Browsers ask before they send. */
export const PUBLIC = [
  'POST /api/services/book',
  'POST /api/book/event',
  'POST /api/book/recurring-event',
  'POST /api/book/instant-event',
  'POST /api/cancel',
]

/**
 * Where no user's credentials are asked for: clients show who they are in OAuth's own way, a session is
 * asked for by a page, and documents are for everybody.
 */
export const OAUTH = [
  'GET /auth/oauth2/authorize',
  'POST /api/auth/oauth/token',
  'POST /api/auth/oauth/refreshToken',
  'POST /api/auth/oauth/revoke',
  'POST /api/auth/oauth/register',
  'GET /api/auth/oauth/jwks',
  'GET /.well-known/oauth-authorization-server',
]

/** Where providers show by a signature who they are. */
export const SIGNED = ['POST /api/webhooks/video']

/** What the token of an e-mailed link opens as well. */
export const LINKED = ['POST /api/services/confirm-appointment']

/** Beside the interface, what anybody may call who is about to book. */
const PROVING = ['POST /api/book/verify-email']

/** Those of them that answer a browser's preflight: scripts of other sites may call them. */
export const PREFLIGHTS = [
  '/api/services/book',
  '/api/book/event',
  '/api/book/recurring-event',
  '/api/book/instant-event',
  '/api/book/verify-email',
  '/api/cancel',
  '/api/auth/oauth/token',
  '/api/auth/oauth/refreshToken',
  '/api/auth/oauth/revoke',
  '/api/auth/oauth/register',
  '/api/auth/oauth/jwks',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/mcp',
]

/** The tool server: it lets in by rules of its own, which test/mcp is about. */
export const TOOL_SERVER = [
  'POST /api/mcp',
  'OPTIONS /api/mcp',
  'GET /api/mcp/sse',
  'POST /api/mcp/sse',
  'OPTIONS /api/mcp/sse',
  'GET /.well-known/mcp',
  'OPTIONS /.well-known/mcp',
]

/** Every route that no `member` guards, with its reason above. */
export const UNGUARDED = [
  ...SIGNED,
  ...PROVING,
  ...LINKED,
  ...PUBLIC,
  ...PREFLIGHTS.map(path => `OPTIONS ${path}`),
  ...OAUTH,
  ...TOOL_SERVER,
]

/** Routes of our own beside the interface: pages and what they are made of, and webhooks. */
export const OWN = [
  ...PROVING,
  'GET /health',
  'GET /docs',
  'GET /openapi.json',
  'GET /assets/:file',
  'GET /',
  'GET /home',
  'GET /signup',
  'POST /signup',
  'GET /signin',
  'POST /signin',
  'GET /forgot',
  'POST /forgot',
  'GET /forgot/sent',
  'GET /reset',
  'POST /reset',
  'GET /invitation',
  'POST /invitation',
  'POST /invitation/accept',
  'POST /invitation/decline',
  'GET /businesses',
  'POST /businesses',
  'POST /signout',
  'GET /settings',
  'GET /settings/profile',
  'POST /settings/profile',
  'GET /settings/password',
  'POST /settings/password',
  'GET /settings/business',
  'POST /settings/business',
  'GET /settings/keys',
  'POST /settings/keys',
  'GET /settings/schedules',
  'POST /settings/schedules',
  'GET /settings/schedules/:id',
  'POST /settings/schedules/:id',
  'GET /settings/away',
  'POST /settings/away',
  'GET /settings/away/:id',
  'POST /settings/away/:id',
  'GET /settings/people',
  'POST /settings/people',
  'GET /settings/teams',
  'POST /settings/teams',
  'GET /settings/teams/:id',
  'POST /settings/teams/:id',
  'GET /settings/webhooks',
  'POST /settings/webhooks',
  'GET /settings/webhooks/:id',
  'POST /settings/webhooks/:id',
  'POST /auth/oauth2/consent',
  'POST /api/auth/oauth/revoke',
  'POST /api/auth/oauth/register',
  'GET /api/auth/oauth/jwks',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/api/mcp',
  'GET /settings/clients',
  'POST /settings/clients',
  'GET /settings/clients/:id',
  'POST /settings/clients/:id',
  'GET /settings/apps',
  'POST /settings/apps',
  'GET /confirm',
  'POST /confirm',
  'GET /b/:subdomain',
  'GET /b/:subdomain/:service',
  'GET /b/:subdomain/:service/book',
  'POST /b/:subdomain/:service/book',
  'GET /a/:uid',
  'GET /a/:uid/calendar.ics',
  'POST /a/:uid/cancel',
  'GET /a/:uid/move',
  'POST /a/:uid/move',
  'GET /connect-and-join',
  'POST /connect-and-join',
  'GET /e/:uid',
  'GET /e/:uid/calendar.ics',
  'POST /e/:uid/cancel',
  'GET /e/:uid/move',
  'POST /e/:uid/move',
  'GET /e/:uid/answer',
  'POST /e/:uid/answer',
  'GET /e/:uid/rate',
  'POST /e/:uid/rate',
  'GET /e/:uid/no-show',
  'POST /e/:uid/no-show',
  'GET /e/:uid/host-no-show',
  'POST /e/:uid/host-no-show',
  'GET /unsubscribe',
  'POST /unsubscribe',
  ...['/team/:subdomain/:teamSlug', `/:username{${USERNAME_SEGMENT}}`].flatMap(owner => [
    `GET ${owner}`,
    `GET ${owner}/:slug`,
    `GET ${owner}/:slug/book`,
    `POST ${owner}/:slug/book`,
  ]),
  'GET /forms/:subdomain/:slug',
  'POST /forms/:subdomain/:slug',
  'GET /forms/:subdomain/:slug/:uid',
  'DELETE /api/services/employees/invite',
  'PATCH /api/routing/forms',
  'DELETE /api/routing/forms',
  'GET /api/extension/slots/reservations',
  'POST /api/extension/slots/reservations',
  'DELETE /api/extension/slots/reservations',
  'POST /api/services/products/stock',
  'GET /api/services/products/stock-movements',
  'GET /api/services/webhooks',
  'POST /api/services/webhooks',
  'PATCH /api/services/webhooks',
  'DELETE /api/services/webhooks',
  'POST /api/services/webhooks/test',
  'GET /api/services/webhooks/deliveries',
  'POST /api/services/webhooks/replay',
  'POST /api/services/webhooks/rotate-secret',
]

/** Fields that a route calls optional and cannot do without, all of them together. */
export const ALSO: Record<string, string[]> = {
  'GET /api/services/availability': ['date'],
  'POST /api/services/products/stock': ['stock'],
  'POST /api/services/employees/invite': ['email'],
  'GET /api/services/employees/schedule': ['employeeId'],
  'GET /api/extension/slots': ['eventTypeId', 'start', 'end'],
  'POST /api/services/webhooks/replay': ['deliveryId'],
}

/** What a path takes: a permission, or `own` where everybody has their own records. */
interface Need {
  read: Permission | 'own'
  write: Permission | 'own'
}

const both = (permission: Permission | 'own'): Need => ({ read: permission, write: permission })
const catalog: Need = { read: 'catalog.read', write: 'catalog.write' }
const products: Need = { read: 'products.read', write: 'products.write' }
const connections: Need = { read: 'connections.read', write: 'connections.write' }
const company: Need = { read: 'company.read', write: 'company.write' }

/** The permission that reading (GET) and changing (the rest) take, by path. */
export const NEEDS: Record<string, Need> = {
  '/api/auth/oauth/me': both('profile.read'),
  '/api/services/services': catalog,
  '/api/services/categories': catalog,
  '/api/services/extras': catalog,
  '/api/services/products': products,
  '/api/services/products/stock': products,
  '/api/services/products/stock-movements': both('stock.read'),
  '/api/services/product-categories': products,
  '/api/services/invoices': { read: 'invoices.read', write: 'invoices.write' },
  '/api/services/insights': both('insights.read'),
  '/api/services/stats': both('insights.read'),
  '/api/services/taxes': { read: 'taxes.read', write: 'taxes.write' },
  '/api/services/company-settings': company,
  '/api/services/locations': company,
  '/api/services/districts': company,
  '/api/services/customers': { read: 'customers.read', write: 'customers.write' },
  '/api/services/employees': { read: 'employees.read', write: 'employees.write' },
  '/api/services/employees/invite': both('employees.write'),
  '/api/services/employees/schedule': both('own'),
  '/api/services/appointments': both('own'),
  '/api/services/notifications/reminders': both('appointments.write'),
  '/api/services/availability': both('availability.read'),
  '/api/services/resources': { read: 'resources.read', write: 'resources.write' },
  '/api/services/resource-availability': both('resources.read'),
  '/api/services/webhooks': connections,
  '/api/services/webhooks/test': connections,
  '/api/services/webhooks/deliveries': connections,
  '/api/services/webhooks/replay': connections,
  '/api/services/webhooks/rotate-secret': connections,
  '/api/routing/forms': both('own'),
  '/api/extension/event-types': both('own'),
  '/api/extension/slots': both('own'),
  '/api/extension/slots/reservations': both('own'),
}
