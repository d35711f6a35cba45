import { type SQL, sql } from 'drizzle-orm'
import { accounts, type BookingPolicy } from '#drizzle/schema/accounts.ts'
import { appointments, groupSessions, occupancies } from '#drizzle/schema/appointments.ts'
import { extraServices, extras, services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import {
  customers,
  employeeLocations,
  employeeSchedules,
  employeeServices,
  employees,
} from '#drizzle/schema/people.ts'
import { resourceBookings, resources, serviceResources } from '#drizzle/schema/resources.ts'
import { epochMinutes, json, jsonArray, jsonRow } from '#lib/db/json.ts'
import { query, type Slots } from '#lib/db/query.ts'
import type { DateRange, WeeklyHours } from '#lib/scheduling/hours.ts'
import type { StoredHours } from '../staff/hours.ts'

/** All instants in facts are minutes since the Unix epoch; times of use are flat `[start, end, …]`. */
export interface ServiceFacts {
  id: number
  name: string
  duration: number
  price: number
  currency: string
  bufferBefore: number
  bufferAfter: number
  maxCapacity: number
  depositType: 'none' | 'fixed' | 'percentage'
  depositAmount: number
  enableRecurring: boolean
  enableGroupBooking: boolean
  minNoticeMinutes: number | null
  horizonDays: number | null
  slotIntervalMinutes: number | null
  locationId: number | null
  active: boolean
}

/** A resource that is needed, with its use in the window. */
export interface NeedFacts {
  resourceId: number
  /** How many are needed. */
  quantity: number
  total: number
  active: boolean
  loads: { start: number; end: number; quantity: number }[]
}

/** Someone who might give the service, with what takes their time in the window. */
export interface EmployeeFacts {
  id: number
  personId: number
  timeZone: string
  active: boolean
  hours: (StoredHours & { atLocation: boolean }) | null
  busy: number[]
  /** Blocked minutes on the day of the booking. */
  dayMinutes: number
  lastBookedAt: number | null
}

/** A start of the group service. */
export interface SessionFacts {
  id: number
  employeeId: number | null
  locationId: number | null
  start: number
  end: number
  taken: number
}

/** What offering and checking starts takes. */
export interface OfferFacts {
  company: { timeZone: string; currency: string; policy: BookingPolicy; closures: DateRange[] }
  service: ServiceFacts | null
  location: {
    id: number
    timeZone: string
    openingHours: WeeklyHours[] | null
    active: boolean
  } | null
  employees: EmployeeFacts[]
  needs: NeedFacts[]
  sessions: SessionFacts[]
}

/** What writing a booking takes beside that. */
export interface BookingFacts extends OfferFacts {
  customer: { id: number; name: string; email: string | null; upcoming: number } | null
  extras: { id: number; name: string; price: number; duration: number; maxQuantity: number }[]
  ids: number[]
  seriesId: number
  sessionId: number
  customerId: number
}

/** The window is `[from, to)`; what lies outside of it is not looked at. */
export interface OfferParams {
  serviceId: number
  /** One employee; null with `any` for all who give the service, null without for none. */
  employeeId: number | null
  any: boolean
  locationId: number | null
  from: string
  to: string
  /** The instant whose day is measured for `dayMinutes`. */
  day: string
  now: string
  /** An appointment that is treated as if it did not exist. */
  exclude: number | null
  resourceIds: readonly number[]
}

export interface BookingParams extends OfferParams {
  customerId: number | null
  email: string | null
  phone: string | null
  extraIds: readonly number[]
  count: number
}

const window = (p: Slots<OfferParams>): SQL =>
  sql`tstzrange(${p.from}::timestamptz, ${p.to}::timestamptz)`

const company = (p: Slots<OfferParams>): SQL =>
  sql`(select ${json({
    timeZone: accounts.timeZone,
    currency: accounts.currency,
    policy: accounts.bookingPolicy,
    closures: accounts.closures,
  })} from ${accounts} where ${accounts.id} = ${p.account})`

const service = (p: Slots<OfferParams>): SQL =>
  jsonRow(
    json({
      id: services.id,
      name: services.name,
      duration: services.duration,
      price: services.price,
      currency: services.currency,
      bufferBefore: services.bufferTimeBefore,
      bufferAfter: services.bufferTimeAfter,
      maxCapacity: services.maxCapacity,
      depositType: services.depositType,
      depositAmount: sql`${services.depositAmount}::double precision`,
      enableRecurring: services.enableRecurring,
      enableGroupBooking: services.enableGroupBooking,
      minNoticeMinutes: services.minNoticeMinutes,
      horizonDays: services.horizonDays,
      slotIntervalMinutes: services.slotIntervalMinutes,
      locationId: services.locationId,
      active: services.active,
    }),
    sql`from ${services} where ${services.accountId} = ${p.account}
      and ${services.id} = ${p.serviceId}::int and ${services.deletedAt} is null`,
  )

/** The place asked for, else the one the service is bound to. */
const place = (p: Slots<OfferParams>): SQL =>
  sql`coalesce(${p.locationId}::int, (select ${services.locationId} from ${services}
    where ${services.accountId} = ${p.account} and ${services.id} = ${p.serviceId}::int))`

const location = (p: Slots<OfferParams>): SQL =>
  jsonRow(
    json({
      id: locations.id,
      timeZone: locations.timeZone,
      openingHours: locations.openingHours,
      active: locations.active,
    }),
    sql`from ${locations} where ${locations.accountId} = ${p.account}
      and ${locations.id} = ${place(p)} and ${locations.deletedAt} is null`,
  )

/** The row of hours for the place, else the general one. */
const hours = (p: Slots<OfferParams>): SQL =>
  jsonRow(
    json({
      weekly: employeeSchedules.weekly,
      overrides: employeeSchedules.overrides,
      timeOff: employeeSchedules.timeOff,
      atLocation: sql`${employeeSchedules.locationId} is not null`,
    }),
    sql`from ${employeeSchedules} where ${employeeSchedules.accountId} = ${employees.accountId}
      and ${employeeSchedules.employeeId} = ${employees.id}
      and (${employeeSchedules.locationId} is null or ${employeeSchedules.locationId} = ${place(p)})
      order by ${employeeSchedules.locationId} nulls last`,
  )

const takes = (p: Slots<OfferParams>): SQL =>
  sql`${occupancies.accountId} = ${employees.accountId}
    and ${occupancies.personId} = ${employees.personId}
    and (${occupancies.expiresAt} is null or ${occupancies.expiresAt} > ${p.now}::timestamptz)
    and (${p.exclude}::int is null or ${occupancies.source} <> 'appointment'
      or ${occupancies.sourceId} <> ${p.exclude}::int)`

/** Blocks of one person never overlap, so their edges in order are the spans. */
const busy = (
  p: Slots<OfferParams>,
): SQL => sql`coalesce((select json_agg(edge order by edge) from (
    select ${epochMinutes(sql`lower(${occupancies.blocked})`)} as s,
      ${epochMinutes(sql`upper(${occupancies.blocked})`)} as e
    from ${occupancies} where ${takes(p)} and ${occupancies.blocked} && ${window(p)}
  ) o, lateral (values (o.s), (o.e)) as v(edge)), '[]'::json)`

/** Minutes blocked on the day of the booking, by the company's clocks. */
const dayMinutes = (p: Slots<OfferParams>): SQL => sql`(
  select coalesce(sum(extract(epoch from upper(o.part) - lower(o.part)) / 60), 0)::int from (
    select ${occupancies.blocked} * d.span as part
    from ${occupancies}, lateral (
      select tstzrange(d0 at time zone z, (d0 + interval '1 day') at time zone z) as span
      from (select a.z, date_trunc('day', ${p.day}::timestamptz at time zone a.z) as d0
        from (select ${accounts.timeZone} as z from ${accounts} where ${accounts.id} = ${p.account}) a) x
    ) d
    where ${takes(p)} and ${occupancies.blocked} && d.span
  ) o)`

const candidates = (p: Slots<OfferParams>): SQL =>
  jsonArray(
    json({
      id: employees.id,
      personId: employees.personId,
      timeZone: employees.timeZone,
      active: employees.active,
      hours: hours(p),
      busy: busy(p),
      dayMinutes: dayMinutes(p),
      lastBookedAt: epochMinutes(employees.lastBookedAt),
    }),
    sql`from ${employees} where ${employees.accountId} = ${p.account}
      and ${employees.deletedAt} is null
      and (${employees.id} = ${p.employeeId}::int or (${p.any}::boolean and ${employees.active}
        and ${p.employeeId}::int is null))
      and (not ${p.any}::boolean or ((${employees.allServices} or exists (
        select from ${employeeServices} where ${employeeServices.accountId} = ${p.account}
          and ${employeeServices.employeeId} = ${employees.id}
          and ${employeeServices.serviceId} = ${p.serviceId}::int))
      and (${place(p)} is null or not exists (
        select from ${employeeLocations} where ${employeeLocations.accountId} = ${p.account}
          and ${employeeLocations.employeeId} = ${employees.id}) or exists (
        select from ${employeeLocations} where ${employeeLocations.accountId} = ${p.account}
          and ${employeeLocations.employeeId} = ${employees.id}
          and ${employeeLocations.locationId} = ${place(p)}))))
      order by ${employees.id}`,
  )

/** The resources of the service and those asked for beside, each with its use in the window. */
const needs = (p: Slots<OfferParams>): SQL =>
  jsonArray(
    json({
      resourceId: resources.id,
      quantity: sql`n.quantity`,
      total: resources.quantity,
      active: resources.active,
      loads: jsonArray(
        json({
          start: epochMinutes(sql`lower(${resourceBookings.during})`),
          end: epochMinutes(sql`upper(${resourceBookings.during})`),
          quantity: resourceBookings.quantity,
        }),
        sql`from ${resourceBookings} where ${resourceBookings.accountId} = ${p.account}
          and ${resourceBookings.resourceId} = ${resources.id}
          and ${resourceBookings.during} && ${window(p)}
          and (${p.exclude}::int is null or ${resourceBookings.source} <> 'appointment'
            or ${resourceBookings.sourceId} <> ${p.exclude}::int)`,
      ),
    }),
    sql`from (select id, sum(quantity)::int as quantity from (
        select ${serviceResources.resourceId} as id, ${serviceResources.quantity} as quantity
        from ${serviceResources} where ${serviceResources.accountId} = ${p.account}
          and ${serviceResources.serviceId} = ${p.serviceId}::int
        union all select r, 1 from unnest(${p.resourceIds}::int[]) as r
      ) wanted group by id) n
      join ${resources} on ${resources.accountId} = ${p.account} and ${resources.id} = n.id
      order by ${resources.id}`,
  )

const sessions = (p: Slots<OfferParams>): SQL =>
  jsonArray(
    json({
      id: groupSessions.id,
      employeeId: groupSessions.employeeId,
      locationId: groupSessions.locationId,
      start: epochMinutes(groupSessions.startTime),
      end: epochMinutes(groupSessions.endTime),
      taken: groupSessions.taken,
    }),
    sql`from ${groupSessions} where ${groupSessions.accountId} = ${p.account}
      and ${groupSessions.serviceId} = ${p.serviceId}::int
      and ${groupSessions.startTime} >= ${p.from}::timestamptz
      and ${groupSessions.startTime} < ${p.to}::timestamptz`,
  )

const offerFields = (p: Slots<OfferParams>) => ({
  company: company(p),
  service: service(p),
  location: location(p),
  employees: candidates(p),
  needs: needs(p),
  sessions: sessions(p),
})

/** The facts that offering starts takes, in one statement. */
export const offerFacts = query<OfferParams, OfferFacts>(p => sql`select ${json(offerFields(p))}`)

const customer = (p: Slots<BookingParams>): SQL =>
  jsonRow(
    json({
      id: customers.id,
      name: customers.name,
      email: customers.email,
      upcoming: sql`(select count(*)::int from (select from ${appointments}
        where ${appointments.accountId} = ${p.account} and ${appointments.customerId} = ${customers.id}
          and ${appointments.startTime} > ${p.now}::timestamptz
          and ${appointments.status} in ('pending', 'approved') limit 1000) u)`,
    }),
    sql`from ${customers} where ${customers.accountId} = ${p.account}
      and ${customers.deletedAt} is null
      and (${customers.id} = ${p.customerId}::int or lower(${customers.email}) = lower(${p.email}::text)
        or (${p.email}::text is null and ${customers.phone} = ${p.phone}::text))
      order by ${customers.id}`,
  )

const chosenExtras = (p: Slots<BookingParams>): SQL =>
  jsonArray(
    json({
      id: extras.id,
      name: extras.name,
      price: extras.price,
      duration: extras.duration,
      maxQuantity: extras.maxQuantity,
    }),
    sql`from ${extras} join ${extraServices} on ${extraServices.accountId} = ${extras.accountId}
      and ${extraServices.extraId} = ${extras.id}
      and ${extraServices.serviceId} = ${p.serviceId}::int
      where ${extras.accountId} = ${p.account} and ${extras.id} = any(${p.extraIds}::int[])
        and ${extras.active}`,
  )

/** The facts that writing a booking takes, with the ids it will need, in one statement. */
export const bookingFacts = query<BookingParams, BookingFacts>(
  p =>
    sql`select ${json({
      ...offerFields(p),
      customer: customer(p),
      extras: chosenExtras(p),
      ids: sql`(select json_agg(nextval('appointments_id_seq')::int) from generate_series(1, ${p.count}::int))`,
      seriesId: sql`nextval('appointment_series_id_seq')::int`,
      sessionId: sql`nextval('group_sessions_id_seq')::int`,
      customerId: sql`nextval('customers_id_seq')::int`,
    })}`,
)
