import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { accounts, users } from '#drizzle/schema/accounts.ts'
import { eventTypes, teams } from '#drizzle/schema/calendar.ts'
import type { Visitor } from '#lib/core/context.ts'
import { nowhere } from '#lib/core/errors.ts'
import { teamByAddress, userByEventType, userByUsername } from '#lib/db/entrances.ts'
import { json, jsonArray, jsonRow } from '#lib/db/json.ts'
import { lookUp, query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { bookingPath } from './address.ts'
import { requiresNumber } from './number.ts'
import type { BookingField, BookingWindow, MeetingPlace, Recurrence } from './parts.ts'

/** Whose public pages are meant: a user's, or those of a team of a business. */
export type OwnerAddress = { username: string } | { subdomain: string; teamSlug: string }

/** An event type as it is listed for anybody. */
export interface ListedEventType {
  title: string
  /** The path of its page. */
  path: string
  description: string | null
  length: number
  /** Cents. */
  price: number
  currency: string
  seats: number | null
}

/** The business behind a public page. */
interface Business {
  name: string
  timeZone: string
  locale: string
  /** First day of the week, 0 being Sunday. */
  weekStart: number
}

/** What a user or a team offers to anybody. */
export interface PublicOwner {
  name: string
  about: string | null
  business: Business
  eventTypes: ListedEventType[]
}

/** An event type as who would book it sees it. */
export interface OpenEventType extends ListedEventType {
  id: number
  lengthOptions: number[]
  locations: z.output<typeof MeetingPlace>[]
  bookingFields: z.output<typeof BookingField>[]
  bookingWindow: z.output<typeof BookingWindow> | null
  recurrence: z.output<typeof Recurrence> | null
  showSeats: boolean
  requiresConfirmation: boolean
  /** Whether who books proves their e-mail address by a code. */
  verifiesEmail: boolean
  /** Whether who books has to give a telephone number. */
  requiresNumber: boolean
  disableGuests: boolean
  interfaceLanguage: string | null
  successRedirectUrl: string | null
  owner: string
  /** The page that lists what its owner offers. */
  ownerPath: string
  business: Business
}

const e = eventTypes

const listed = {
  title: e.title,
  path: bookingPath(),
  description: e.description,
  length: e.length,
  price: e.price,
  currency: e.currency,
  seats: e.seatsPerTimeSlot,
}

const business = json({
  name: accounts.name,
  timeZone: accounts.timeZone,
  locale: accounts.locale,
  weekStart: accounts.weekStart,
})

const ownerOf = query<{ userId: number | null; teamId: number | null }, PublicOwner | null>(
  p => sql`select ${json({
    name: sql`coalesce(${users.name}, ${teams.name})`,
    about: sql`coalesce(${users.bio}, ${teams.bio})`,
    business,
    eventTypes: jsonArray(
      json(listed),
      sql`from ${e} where ${e.accountId} = ${p.account} and not ${e.hidden}
        and (${e.userId} = ${p.userId}::int or ${e.teamId} = ${p.teamId}::int)
        order by ${e.length}, ${e.id}`,
    ),
  })} from ${accounts} left join ${users} on ${users.id} = ${p.userId}::int
    left join ${teams} on ${teams.accountId} = ${accounts.id} and ${teams.id} = ${p.teamId}::int
    where ${accounts.id} = ${p.account}`,
)

const openEventType = query<
  { userId: number | null; teamId: number | null; slug: string },
  OpenEventType | null
>(
  p => sql`select ${json({
    ...listed,
    id: e.id,
    lengthOptions: e.lengthOptions,
    locations: e.locations,
    bookingFields: e.bookingFields,
    bookingWindow: e.bookingWindow,
    recurrence: e.recurrence,
    showSeats: e.seatsShowAvailabilityCount,
    requiresConfirmation: e.requiresConfirmation,
    verifiesEmail: e.requiresBookerEmailVerification,
    requiresNumber: requiresNumber(),
    disableGuests: e.disableGuests,
    interfaceLanguage: e.interfaceLanguage,
    successRedirectUrl: e.successRedirectUrl,
    owner: sql`coalesce((select ${users.name} from ${users} where ${users.id} = ${e.userId}),
      (select ${teams.name} from ${teams} where ${teams.accountId} = ${e.accountId}
        and ${teams.id} = ${e.teamId}))`,
    ownerPath: sql`regexp_replace(${bookingPath()}, '/[^/]*$', '')`,
    business: jsonRow(business, sql`from ${accounts} where ${accounts.id} = ${e.accountId}`),
  })} from ${e} where ${e.accountId} = ${p.account} and ${e.slug} = ${p.slug}
    and (${e.userId} = ${p.userId}::int or ${e.teamId} = ${p.teamId}::int)`,
)

interface Owner {
  tenant: Tenant
  which: { userId: number | null; teamId: number | null }
}

/** A path that no user and no team has is like any other at which nothing is. */
const nobodys = (): never => {
  throw nowhere()
}

/** Enters the account that an address leads to: a user of several has each event type in one of them. */
async function enterOwner(v: Visitor, address: OwnerAddress, slug?: string): Promise<Owner> {
  const isUser = 'username' in address
  const found = !isUser
    ? await lookUp(v.db, teamByAddress, address)
    : slug === undefined
      ? await lookUp(v.db, userByUsername, address)
      : await lookUp(v.db, userByEventType, { ...address, slug })
  const { accountId, id } = found ?? nobodys()
  const which = isUser ? { userId: id, teamId: null } : { userId: null, teamId: id }
  return { tenant: v.enter(accountId), which }
}

/**
 * What a user or a team offers to anybody: their event types that are not hidden.
 * @throws NOT_FOUND when there is no such user or team
 */
export async function findOwner(v: Visitor, address: OwnerAddress): Promise<PublicOwner> {
  const { tenant, which } = await enterOwner(v, address)
  return (await tenant.read(ownerOf, which)) ?? nobodys()
}

/**
 * An event type by its address, a hidden one as well.
 * @throws NOT_FOUND when there is none
 */
export async function findOpenEventType(
  v: Visitor,
  { slug, ...address }: OwnerAddress & { slug: string },
): Promise<OpenEventType> {
  const { tenant, which } = await enterOwner(v, address, slug)
  return (await tenant.read(openEventType, { ...which, slug })) ?? nobodys()
}
