import type { Ports, Settings } from '#lib/core/context.ts'
import { notConfigured } from '#lib/core/errors.ts'
import { connect, type Db } from '#lib/db/client.ts'
import { resend } from '#lib/providers/email/resend.ts'
import { Limits } from './limits.ts'

/** The settings of a deployed function, as bindings of its Worker. */
export interface Bindings {
  DATABASE_URL: string
  /** A server that speaks Neon's SQL over HTTP, where it is not Neon itself. */
  NEON_FETCH_ENDPOINT?: string
  UPSTASH_REDIS_REST_URL: string
  UPSTASH_REDIS_REST_TOKEN: string
  PUBLIC_URL: string
  APP_SECRET: string
  EMAIL_FROM?: string
  RESEND_API_KEY?: string
  RESEND_BASE_URL?: string
}

/** What a function works with, made once per isolate. */
export interface Deps {
  db: Db
  limits: Limits
  settings: Settings
  ports: Ports
}

let made: { for: Bindings; deps: Deps } | undefined

/** The deps of an environment: an isolate serves one, so one is kept. */
export function depsOf(env: Bindings): Deps {
  if (made?.for.DATABASE_URL !== env.DATABASE_URL) made = { for: env, deps: makeDeps(env) }
  return made!.deps
}

const makeDeps = (env: Bindings): Deps => ({
  db: connect(env.DATABASE_URL, env.NEON_FETCH_ENDPOINT),
  limits: new Limits(env.UPSTASH_REDIS_REST_URL, env.UPSTASH_REDIS_REST_TOKEN),
  settings: {
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
    secret: env.APP_SECRET,
    emailFrom: env.EMAIL_FROM ?? 'Almanac <no-reply@localhost>',
  },
  ports: {
    email: () => resend(env.RESEND_API_KEY ?? notConfigured('RESEND_API_KEY'), env.RESEND_BASE_URL),
  },
})
