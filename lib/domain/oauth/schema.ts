import * as z from 'zod'
import { optionalText, Paging, text } from '#lib/core/schemas.ts'
import { SCOPES, type Scope } from '#lib/core/scopes.ts'
import { redirectFault } from './redirects.ts'

/** The most addresses that a client may be led back to. */
export const MAX_REDIRECTS = 20

/** An address that a client is led back to. */
export const redirectUri = z.string().superRefine((uri, context) => {
  const message = redirectFault(uri)
  if (message) context.addIssue({ code: 'custom', message })
})

const redirectUris = z
  .array(redirectUri)
  .min(1)
  .max(MAX_REDIRECTS)
  .transform(list => [...new Set(list)])

const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .transform(list => SCOPES.filter(scope => list.includes(scope)))

/** What a new client takes. Its type stays what it is. */
export const NewOAuthClient = z.object({
  name: text(100).describe('What users are asked to allow'),
  description: optionalText(500).optional(),
  redirectUris: redirectUris.describe('https, http on the machine itself, or a scheme of its own'),
  type: z
    .enum(['confidential', 'public'])
    .describe('confidential: can keep a secret; public: runs at the user, needs PKCE'),
  scopes: scopes.optional().describe('The most that it may ask for; everything if left out'),
})
export type NewOAuthClient = z.output<typeof NewOAuthClient>

/** What of a client can be changed; what is left out stays. */
export const OAuthClientChange = NewOAuthClient.omit({ type: true }).partial()
export type OAuthClientChange = z.output<typeof OAuthClientChange>

/** Which clients are listed. */
export const OAuthClientFilter = Paging.extend({
  status: z.enum(['pending', 'approved', 'rejected']).optional(),
})
export type OAuthClientFilter = z.output<typeof OAuthClientFilter>

/** What an owner or admin says of a client that waits. */
export const OAuthClientDecision = z.object({ status: z.enum(['approved', 'rejected']) })
export type OAuthClientDecision = z.output<typeof OAuthClientDecision>

/** What an application says of itself, and whether it may be used. */
export interface Registration {
  id: number
  clientId: string
  name: string
  description: string | null
  type: 'confidential' | 'public'
  status: 'pending' | 'approved' | 'rejected'
  redirectUris: string[]
  scopes: Scope[]
}

/** A client as its account sees it; never its secret, of which `secretHint` is the end. */
export interface OAuthClient extends Registration {
  secretHint: string | null
  /** Until when the secret before the last rotation works as well. */
  previousSecretUntil: string | null
  /** Who made it. */
  userId: number
  createdAt: string
  updatedAt: string
}

/** A client with the secret that it has from now on, which is shown this once; a public one has none. */
export type ShownClient = OAuthClient & { clientSecret: string | null }

/** An application that a user has given access, by the client's id. */
export interface ConnectedApp {
  id: number
  name: string
  description: string | null
  /** The business that made it; null for one that registered itself. */
  madeBy: string | null
  scopes: Scope[]
  connectedAt: string
  lastUsedAt: string | null
}
