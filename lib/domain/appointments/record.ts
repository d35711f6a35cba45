import { sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { appointmentSeries, appointments, groupSessions } from '#drizzle/schema/appointments.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import { customers, employees } from '#drizzle/schema/people.ts'
import { resourceBookings } from '#drizzle/schema/resources.ts'
import { momentInCompany } from '#lib/db/days.ts'
import { iso, json, jsonArray, jsonIf } from '#lib/db/json.ts'
import { idsOf, type ListSpec, lister } from '#lib/db/list.ts'
import { ownerOf } from '#lib/db/owner.ts'
import { from, named, query } from '#lib/db/query.ts'
import { emitFrom } from '#lib/events/emit.ts'
import type { AnsweredAttendee, Appointment, PublicAppointment } from './answer.ts'

const a = appointments

const joins = sql`
  join ${services} on ${services.accountId} = ${a.accountId} and ${services.id} = ${a.serviceId}
  left join ${customers} on ${customers.accountId} = ${a.accountId}
    and ${customers.id} = ${a.customerId}
  left join ${employees} on ${employees.accountId} = ${a.accountId}
    and ${employees.id} = ${a.employeeId}
  left join ${locations} on ${locations.accountId} = ${a.accountId}
    and ${locations.id} = ${a.locationId}`

const seats = named(appointments, 'seats')
const guests = named(customers, 'guests')

/** Who comes: those named in the appointment, or everybody with a live seat of the session. */
export const attendees = sql`case when ${a.sessionId} is null then ${jsonArray(
  json<AnsweredAttendee>({
    name: sql`who.known -> 'name'`,
    email: sql`who.known -> 'email'`,
    phone: sql`who.known -> 'phone'`,
    customerId: sql`who.known -> 'customerId'`,
    persons: sql`coalesce(who.known -> 'persons', '1')`,
    status: a.status,
  }),
  sql`from jsonb_array_elements(${a.attendees}) with ordinality as who(known, place) order by place`,
)} else ${jsonArray(
  json<AnsweredAttendee>({
    name: sql`coalesce(${guests.name}, ${seats.attendees} -> 0 ->> 'name', 'Guest')`,
    email: sql`coalesce(${guests.email}, ${seats.attendees} -> 0 ->> 'email')`,
    phone: sql`coalesce(${guests.phone}, ${seats.attendees} -> 0 ->> 'phone')`,
    customerId: seats.customerId,
    persons: seats.persons,
    status: seats.status,
  }),
  sql`from ${from(seats)} left join ${from(guests)} on ${guests.accountId} = ${seats.accountId}
      and ${guests.id} = ${seats.customerId}
    where ${seats.accountId} = ${a.accountId} and ${seats.sessionId} = ${a.sessionId}
      and ${seats.status} <> 'canceled' order by ${seats.id}`,
)} end`

/** What it uses, by itself or with its session. */
export const resourceIds = jsonArray(
  resourceBookings.resourceId,
  sql`from ${resourceBookings} where ${resourceBookings.accountId} = ${a.accountId}
    and ((${resourceBookings.source} = 'appointment' and ${resourceBookings.sourceId} = ${a.id})
      or (${resourceBookings.source} = 'session' and ${resourceBookings.sourceId} = ${a.sessionId}))
    order by 1`,
)

/** Until when a pending appointment holds its time, where that is before it begins. */
const confirmBy = iso(
  sql`case when ${a.status} = 'pending' and ${a.confirmBy} < ${a.startTime} then ${a.confirmBy} end`,
)

/** Of what, with whom and where: names beside the ids. */
const parties = {
  service: json({ id: services.id, name: services.name }),
  customer: jsonIf(customers.id, {
    id: customers.id,
    name: customers.name,
    email: customers.email,
    phone: customers.phone,
  }),
  employee: jsonIf(employees.id, { id: employees.id, name: employees.name }),
  location: jsonIf(locations.id, { id: locations.id, name: locations.name }),
}

const fields = {
  id: a.id,
  uid: a.uid,
  serviceId: a.serviceId,
  customerId: a.customerId,
  employeeId: a.employeeId,
  locationId: a.locationId,
  startTime: a.startTime,
  endTime: a.endTime,
  status: a.status,
  confirmBy,
  price: a.price,
  currency: a.currency,
  depositAmount: a.depositAmount,
  taxAmount: a.taxAmount,
  totalAmount: a.totalAmount,
  amountPaid: a.amountPaid,
  paymentStatus: a.paymentStatus,
  recurrenceRule: a.recurrenceRule,
  recurrenceCount: a.recurrenceCount,
  seriesId: a.seriesId,
  seriesIndex: a.seriesIndex,
  isGroupBooking: a.isGroupBooking,
  persons: a.persons,
  attendees,
  extras: a.extras,
  resourceIds,
  timeZone: a.timeZone,
  notes: a.notes,
  internalNotes: a.internalNotes,
  customFields: a.customFields,
  cancellationReason: a.cancellationReason,
  cancelledBy: a.cancelledBy,
  noShow: a.noShow,
  source: a.source,
  version: a.version,
  ...parties,
  createdAt: a.createdAt,
  updatedAt: a.updatedAt,
}

/** An appointment by itself: nothing was just made. */
type Standing = Omit<Appointment, 'recurrence'>

const spec: ListSpec = {
  table: appointments,
  record: json<Standing>(fields),
  joins,
  where: sql`${a.hiddenAt} is null`,
  orders: {
    startTime: { by: a.startTime, type: 'timestamptz' },
    createdAt: { by: a.createdAt, type: 'timestamptz' },
  },
  defaultOrder: '-startTime',
  filters: {
    from: given => sql`${a.startTime} >= ${momentInCompany(given, 'from', 0)}`,
    to: given => sql`${a.startTime} < ${momentInCompany(given, 'to', 1)}`,
    status: given => sql`${a.status} = ${given.status}`,
    customerId: given => sql`${a.customerId} = ${given.customerId}::int`,
    employeeId: given => sql`${a.employeeId} = ${given.employeeId}::int`,
    serviceId: given => sql`${a.serviceId} = ${given.serviceId}::int`,
    locationId: given => sql`${a.locationId} = ${given.locationId}::int`,
    seriesId: given => sql`${a.seriesId} = ${given.seriesId}::int`,
  },
  names: {
    customerId: idsOf(customers),
    employeeId: idsOf(employees),
    serviceId: idsOf(services),
    locationId: idsOf(locations),
    seriesId: idsOf(appointmentSeries),
  },
  search: sql`${services.name} || ' ' || coalesce(${customers.name}, '') || ' '
    || coalesce(${customers.email}, '') || ' ' || coalesce(${a.notes}, '')`,
}

/** Appointments, the latest start first unless they are asked for otherwise; hidden ones are left out. */
export const appointmentPages = lister<Appointment>(spec)

/** One appointment by id; of one employee alone where `employeeId` is given. */
export const appointmentById = query<{ id: number; employeeId: number | null }, Appointment>(
  p => sql`select ${json<Standing>(fields)} from ${a} ${joins}
    where ${a.accountId} = ${p.account} and ${a.id} = ${p.id}::int and ${a.hiddenAt} is null
      and (${p.employeeId}::int is null or ${a.employeeId} = ${p.employeeId}::int)`,
)

const series = named(appointments, 'series')

/**
 * The first appointment of a series, with all of it. `planned` is JSON of `{index, startTime}`: what
 * of it was not booked is listed as skipped.
 */
export const appointmentWithSeries = query<
  { id: number; seriesId: number; planned: string },
  Appointment
>(
  p =>
    sql`select ${json<Appointment>({
      ...fields,
      recurrence: json({
        id: a.seriesId,
        appointmentIds: jsonArray(
          series.id,
          sql`from ${from(series)} where ${series.accountId} = ${a.accountId}
          and ${series.seriesId} = ${p.seriesId}::int order by ${series.seriesIndex}`,
        ),
        skipped: jsonArray(
          sql`w."startTime"`,
          sql`from jsonb_to_recordset(${p.planned}::jsonb) as w(index int, "startTime" text)
          where not exists (select from ${from(series)} where ${series.accountId} = ${a.accountId}
            and ${series.seriesId} = ${p.seriesId}::int and ${series.seriesIndex} = w.index)
          order by w.index`,
        ),
      }),
    })} from ${a} ${joins} where ${a.accountId} = ${p.account} and ${a.id} = ${p.id}::int`,
)

/** What somebody who booked is told: theirs alone. */
export const publicAppointment = query<{ id: number; publicUrl: string }, PublicAppointment>(
  p =>
    sql`select ${json<PublicAppointment>({
      uid: a.uid,
      status: a.status,
      confirmBy,
      startTime: a.startTime,
      endTime: a.endTime,
      timeZone: a.timeZone,
      price: a.price,
      currency: a.currency,
      depositAmount: a.depositAmount,
      amountDue: sql`greatest(0, ${a.totalAmount} - ${a.amountPaid})`,
      paymentRequired: sql`${a.depositAmount} > ${a.amountPaid}`,
      isGroupBooking: a.isGroupBooking,
      attendees: sql`(select taken from ${groupSessions} where ${groupSessions.accountId} = ${a.accountId}
      and ${groupSessions.id} = ${a.sessionId})`,
      service: json({ id: services.id, name: services.name }),
      employee: jsonIf(employees.id, { id: employees.id, name: employees.name }),
      location: jsonIf(locations.id, { id: locations.id, name: locations.name }),
      occurrences: sql`case when ${a.seriesId} is null then null else ${jsonArray(
        json({ uid: series.uid, startTime: series.startTime, endTime: series.endTime }),
        sql`from ${from(series)} where ${series.accountId} = ${a.accountId}
        and ${series.seriesId} = ${a.seriesId} order by ${series.seriesIndex}`,
      )} end`,
      manageUrl: sql`${p.publicUrl}::text || '/a/' || ${a.uid}`,
      icsUrl: sql`${p.publicUrl}::text || '/a/' || ${a.uid} || '/calendar.ics'`,
    })} from ${a} ${joins} where ${a.accountId} = ${p.account} and ${a.id} = ${p.id}::int`,
)

/**
 * Emits one event for each of some appointments, in the batch that changed them; what it tells is
 * read after the change. `previous` is the status before, null for a new one.
 */
export const emitAppointmentEvents = emitFrom<{
  ids: readonly number[]
  previous: string | null
}>(p => ({
  subject: 'appointment',
  subjectId: a.id,
  version: a.version,
  payload: json({
    id: a.id,
    uid: a.uid,
    title: services.name,
    type: services.slug,
    startTime: a.startTime,
    endTime: a.endTime,
    organizer: sql`coalesce(${jsonIf(employees.id, { name: employees.name, email: employees.email })}, ${ownerOf(a.accountId)})`,
    attendees: sql`case when ${customers.id} is null then '[]'::json else json_build_array(${json({
      name: customers.name,
      email: customers.email,
      timeZone: sql`coalesce(${a.timeZone}, ${customers.timeZone}, ${accounts.timeZone})`,
    })}) end`,
    status: a.status,
    previousStatus: sql`${p.previous}::text`,
    ...parties,
    price: a.price,
    currency: a.currency,
  }),
  from: sql`from ${a} ${joins} join ${accounts} on ${accounts.id} = ${a.accountId}
    where ${a.accountId} = ${p.account} and ${a.id} = any(${p.ids}::int[]) order by ${a.id}`,
}))
