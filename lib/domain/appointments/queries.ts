import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
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
import { isHeld, isNotOf, spansOf } from '../occupancies/queries.ts'
import type { BookingFacts, BookingParams, MemberFacts, OfferFacts, OfferParams } from './facts.ts'

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
    and ${isHeld(p.now)} and ${isNotOf('appointment', p.exclude)}`

const busy = (p: Slots<OfferParams>): SQL =>
  spansOf(sql`${takes(p)} and ${occupancies.blocked} && ${window(p)}`)

const dayMinutes = (
  p: Slots<OfferParams>,
): SQL => sql`case when ${p.day}::text is null then 0 else (
  select coalesce(sum(extract(epoch from upper(o.part) - lower(o.part)) / 60), 0)::int from (
    select ${occupancies.blocked} * d.span as part
    from ${occupancies}, lateral (
      select tstzrange(d0 at time zone z, (d0 + interval '1 day') at time zone z) as span
      from (select a.z, date_trunc('day', ${p.day}::timestamptz at time zone a.z) as d0
        from (select ${accounts.timeZone} as z from ${accounts} where ${accounts.id} = ${p.account}) a) x
    ) d
    where ${takes(p)} and ${occupancies.blocked} && d.span
  ) o) end`

/** Whether an employee gives the service, and works at the place. */
const gives = (p: Slots<OfferParams>): SQL => sql`(
  (${employees.allServices} or exists (
    select from ${employeeServices} where ${employeeServices.accountId} = ${p.account}
      and ${employeeServices.employeeId} = ${employees.id}
      and ${employeeServices.serviceId} = ${p.serviceId}::int))
  and (${place(p)} is null or not exists (
    select from ${employeeLocations} where ${employeeLocations.accountId} = ${p.account}
      and ${employeeLocations.employeeId} = ${employees.id}) or exists (
    select from ${employeeLocations} where ${employeeLocations.accountId} = ${p.account}
      and ${employeeLocations.employeeId} = ${employees.id}
      and ${employeeLocations.locationId} = ${place(p)})))`

const candidates = (p: Slots<OfferParams>): SQL =>
  jsonArray(
    json({
      id: employees.id,
      personId: employees.personId,
      timeZone: employees.timeZone,
      active: employees.active,
      gives: gives(p),
      hours: hours(p),
      busy: busy(p),
      dayMinutes: dayMinutes(p),
      lastBookedAt: epochMinutes(employees.lastBookedAt),
    }),
    sql`from ${employees} where ${employees.accountId} = ${p.account}
      and ${employees.deletedAt} is null
      and (${employees.id} = ${p.employeeId}::int or (${p.employeeId}::int is null
        and ${employees.active} and ${gives(p)}))
      order by ${employees.id}`,
  )

/** The one employee that a member names. */
const named = (p: Slots<OfferParams>): SQL =>
  jsonArray(
    json({
      id: employees.id,
      personId: employees.personId,
      active: employees.active,
      busy: busy(p),
    }),
    sql`from ${employees} where ${employees.accountId} = ${p.account}
      and ${employees.id} = ${p.employeeId}::int and ${employees.deletedAt} is null`,
  )

/** The resources of the service and those asked for beside, each with its use in the window. */
const needs = (p: Slots<OfferParams>): SQL =>
  jsonArray(
    json({
      resourceId: resources.id,
      quantity: sql`n.quantity`,
      total: resources.quantity,
      active: resources.active,
      ofService: sql`n.of_service`,
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
    sql`from (select id, max(quantity) as quantity, bool_or(of_service) as of_service from (
        select ${serviceResources.resourceId} as id, ${serviceResources.quantity} as quantity,
          true as of_service
        from ${serviceResources} where ${serviceResources.accountId} = ${p.account}
          and ${serviceResources.serviceId} = ${p.serviceId}::int
        union all select r, 1, false from unnest(${p.resourceIds}::int[]) as r
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
  excludeFound: sql`(${p.exclude}::int is null or exists (select from ${appointments}
    where ${appointments.accountId} = ${p.account} and ${appointments.id} = ${p.exclude}::int
      and ${appointments.hiddenAt} is null))`,
})

/** The facts that offering starts takes, in one statement. */
export const offerFacts = query<OfferParams, OfferFacts>(p => sql`select ${json(offerFields(p))}`)

const isKnown = (p: Slots<BookingParams>): SQL => sql`(${p.knownTo}::int is null or exists (
  select from ${appointments} where ${appointments.accountId} = ${p.account}
    and ${appointments.customerId} = ${customers.id}
    and ${appointments.employeeId} = ${p.knownTo}::int))`

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
      and ${isKnown(p)}
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

const bookingFields = (p: Slots<BookingParams>) => ({
  ...offerFields(p),
  customer: customer(p),
  extras: chosenExtras(p),
  guests: jsonArray(
    customers.id,
    sql`from ${customers} where ${customers.accountId} = ${p.account}
      and ${customers.id} = any(${p.guestIds}::int[]) and ${customers.deletedAt} is null
      and ${isKnown(p)}`,
  ),
  ids: sql`(select json_agg(nextval('appointments_id_seq')::int) from generate_series(1, ${p.count}::int))`,
  seriesId: sql`nextval('appointment_series_id_seq')::int`,
  sessionId: sql`nextval('group_sessions_id_seq')::int`,
  customerId: sql`nextval('customers_id_seq')::int`,
})

/** The facts that writing a booking takes, with the ids it will need, in one statement. */
export const bookingFacts = query<BookingParams, BookingFacts>(
  p => sql`select ${json(bookingFields(p))}`,
)

/** The same for a member's booking, without who works when: to plan that takes a third of it. */
export const memberFields = (p: Slots<BookingParams>): SQL =>
  json({ ...bookingFields(p), employees: named(p) })

/** The facts of a member's booking, in one statement. */
export const memberFacts = query<BookingParams, MemberFacts>(p => sql`select ${memberFields(p)}`)
