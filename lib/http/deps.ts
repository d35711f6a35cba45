import type { Ports, Settings } from '#lib/core/context.ts'
import { notConfigured } from '#lib/core/errors.ts'
import { connect, type Db } from '#lib/db/client.ts'
import { cloudflareDns } from '#lib/providers/dns/cloudflare.ts'
import { resend } from '#lib/providers/email/resend.ts'
import { twilio } from '#lib/providers/sms/twilio.ts'
import { daily } from '#lib/providers/video/daily.ts'
import { httpPoster } from '#lib/providers/webhooks/http.ts'
import { Limits } from './limits.ts'

/** Set by the local platform's build; a deployed bundle has `false` or nothing in its place. */
declare const LOCAL_PLATFORM: boolean
const isLocal = typeof LOCAL_PLATFORM !== 'undefined' && LOCAL_PLATFORM

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
  /** Where the runtime allows more simultaneous requests than Cloudflare does. */
  DELIVERIES_AT_ONCE?: string
  RESEND_API_KEY?: string
  RESEND_BASE_URL?: string
  TWILIO_ACCOUNT_SID?: string
  TWILIO_AUTH_TOKEN?: string
  /** The number (E.164), or the messaging service (`MG…`), that text messages come from. */
  TWILIO_FROM?: string
  /** The number that WhatsApp messages come from. */
  TWILIO_WHATSAPP_FROM?: string
  TWILIO_BASE_URL?: string
  DAILY_API_KEY?: string
  /** The subdomain of daily.co that rooms are met at. */
  DAILY_DOMAIN?: string
  /** Base64, as Daily gives it to whoever sets up the webhook. */
  DAILY_WEBHOOK_SECRET?: string
  DAILY_BASE_URL?: string
  /** A resolver that speaks Cloudflare's DNS over HTTPS; Cloudflare's own where it is left out. */
  DNS_BASE_URL?: string
  /** Sites whose scripts may call the tool server, beside our own: origins, parted by commas. */
  TOOL_ORIGINS?: string
}

/**
 * An invocation on Cloudflare has six requests waiting for their answers at most, and more wait in
 * line (developers.cloudflare.com/workers/platform/limits). One is left to the database.
 */
const CLOUDFLARE_DELIVERIES = 5

/** What a function works with, made once per isolate. */
export interface Deps {
  db: Db
  limits: Limits
  settings: Settings
  ports: Ports
}

let made: { for: Bindings; deps: Deps } | undefined

const madeFor = (env: Bindings) => (made?.for.DATABASE_URL === env.DATABASE_URL ? made : undefined)

/** The deps of an environment: an isolate serves one, so one is kept. */
export function depsOf(env: Bindings): Deps {
  if (made?.for !== env) made = { for: env, deps: madeFor(env)?.deps ?? makeDeps(env) }
  return made.deps
}

const makeDeps = (env: Bindings): Deps => ({
  db: connect(env.DATABASE_URL, env.NEON_FETCH_ENDPOINT),
  limits: new Limits(env.UPSTASH_REDIS_REST_URL, env.UPSTASH_REDIS_REST_TOKEN),
  settings: {
    publicUrl: env.PUBLIC_URL.replace(/\/$/, ''),
    secret: env.APP_SECRET,
    emailFrom: env.EMAIL_FROM ?? 'Almanac <no-reply@localhost>',
    allowLoopback: isLocal,
    deliveriesAtOnce: Number(env.DELIVERIES_AT_ONCE ?? CLOUDFLARE_DELIVERIES),
  },
  ports: {
    video: () =>
      daily({
        apiKey: env.DAILY_API_KEY,
        domain: env.DAILY_DOMAIN,
        webhookSecret: env.DAILY_WEBHOOK_SECRET,
        baseUrl: env.DAILY_BASE_URL,
      }),
    dns: () => cloudflareDns(env.DNS_BASE_URL),
    poster: () => httpPoster(() => Date.now()),
    email: () => resend(env.RESEND_API_KEY ?? notConfigured('RESEND_API_KEY'), env.RESEND_BASE_URL),
    sms: () =>
      twilio({
        accountSid: env.TWILIO_ACCOUNT_SID ?? notConfigured('TWILIO_ACCOUNT_SID'),
        authToken: env.TWILIO_AUTH_TOKEN ?? notConfigured('TWILIO_AUTH_TOKEN'),
        from: env.TWILIO_FROM ?? notConfigured('TWILIO_FROM'),
        whatsappFrom: env.TWILIO_WHATSAPP_FROM,
        baseUrl: env.TWILIO_BASE_URL,
      }),
  },
})
