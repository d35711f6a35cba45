import type { Db } from '#lib/db/client.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Dns } from '#lib/providers/dns/port.ts'
import type { Email } from '#lib/providers/email/port.ts'
import type { Sms } from '#lib/providers/sms/port.ts'
import type { Video } from '#lib/providers/video/port.ts'
import type { Poster } from '#lib/providers/webhooks/port.ts'
import { type ApiError, forbidden, ScopeError } from './errors.ts'
import { type Permission, type Role, roleMay, scopesFor } from './permissions.ts'
import type { Scope } from './scopes.ts'

/** What a business pays for; it decides how many requests a minute it may make. */
export type Plan = 'free' | 'pro' | 'enterprise'

/** Through which door a request came; kept with what it changed. */
export type Via =
  | 'api'
  | 'public'
  | 'portal'
  | 'mcp'
  | 'partner'
  | 'extension'
  | 'import'
  | 'routing'

/** Settings of a deployment that operations need. */
export interface Settings {
  /** Where people reach the product, without a trailing slash: links in messages begin with it. */
  publicUrl: string
  /** Signs links and tokens. */
  secret: string
  /** The sender of e-mails, `Name <address>`. */
  emailFrom: string
  /** Lets webhooks lead to the machine itself: for the local platform. */
  allowLoopback: boolean
  /** How many deliveries to webhooks are under way at once in one invocation of a Worker. */
  deliveriesAtOnce: number
}

/** Outside services, each behind the few verbs we use. */
export interface Ports {
  email(): Email
  sms(): Sms
  dns(): Dns
  poster(): Poster
  video(): Video
}

/** What every caller brings along. */
export interface Base {
  /** The moment of the request: nothing below the edge reads a clock. */
  now: Date
  /** The milliseconds that have gone by since: for what goes on long after the answer. */
  elapsed(): number
  requestId: string
  via: Via
  db: Db
  settings: Settings
  ports: Ports
  /** Resolves once the rate limit let the request pass, rejects with 429 otherwise. */
  admission(): Promise<void>
  /** Does work that the answer does not wait for, and keeps the isolate alive for it. */
  after(work: () => Promise<unknown>): void
  /** Makes the handle on an account that a visitor has found an entrance to. */
  enter(accountId: number): Tenant
}

/** The instant (ISO 8601) so many seconds from now on, where much time may have gone by since `now`. */
export const instantIn = ({ now, elapsed }: Pick<Base, 'now' | 'elapsed'>, seconds = 0): string =>
  new Date(now.getTime() + elapsed() + seconds * 1000).toISOString()

/** Somebody without credentials. */
export interface Visitor extends Base {
  kind: 'visitor'
  address: string
}

/** A user of an account: by API key, cookie or OAuth token. */
export interface Member extends Base {
  kind: 'member'
  tenant: Tenant
  accountId: number
  userId: number
  personId: number
  /** The employee that this user is, if any. */
  employeeId: number | null
  role: Role
  plan: Plan
  /** How far the OAuth token reaches that they come with; null for a key or a session: all the way. */
  scopes: readonly Scope[] | null
  /** What is wrong with their request: told to nobody who may not do what it asks for. */
  fault?: ApiError
}

/** Nobody: the clock itself, across accounts. */
export interface System extends Base {
  kind: 'system'
}

const reaches = ({ scopes }: Member, permission: Permission): boolean =>
  scopes === null || scopesFor(permission).some(scope => scopes.includes(scope))

/** Refuses a token whose scopes do not include a permission, whatever the role of its user. */
export function requireScope(member: Member, permission: Permission): void {
  if (!reaches(member, permission)) throw new ScopeError(scopesFor(permission).slice(0, 1))
}

/** Whether a member has a permission, and so has the token that they come with, if it is one. */
export const may = (member: Member, permission: Permission): boolean =>
  roleMay(member.role, permission) && reaches(member, permission)

/** 403 that names the permission which the member's role lacks, and why it is needed here. */
export const lacking = ({ role }: Member, permission: Permission, why?: string): never =>
  forbidden(`Your role "${role}" lacks the permission ${permission}${why ? `: ${why}` : ''}`)

/** Tells a member who may do what they ask for what is wrong with their request, if anything is. */
export function tellFault({ fault }: Member): void {
  if (fault) throw fault
}

/**
 * Refuses a member who lacks a permission, or comes with a token that does; the 403 names it. It comes
 * before any other fault of a request, so an operation begins with it.
 */
export function requirePermission(member: Member, permission: Permission): void {
  requireScope(member, permission)
  if (!roleMay(member.role, permission)) lacking(member, permission)
  tellFault(member)
}

/**
 * Whether a member may do something to everybody's records (`all`) or just to their own (`own`).
 * Answers the employee whose records they are limited to, undefined for no limit.
 */
export function ownEmployee(member: Member, all: Permission, own: Permission): number | undefined {
  requireScope(member, all)
  const isLimited = !roleMay(member.role, all)
  if (isLimited && !roleMay(member.role, own)) lacking(member, all)
  if (isLimited && member.employeeId === null) lacking(member, all, 'no employee is linked to you')
  tellFault(member)
  return isLimited ? (member.employeeId ?? undefined) : undefined
}
