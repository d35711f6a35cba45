import { ById, id } from '#lib/core/schemas.ts'
import { listAvailability } from '#lib/domain/appointments/availability.ts'
import { updateAppointments } from '#lib/domain/appointments/bulk.ts'
import { cancelAppointment } from '#lib/domain/appointments/cancel.ts'
import { updateAppointment } from '#lib/domain/appointments/changes.ts'
import {
  createAppointment,
  findAppointment,
  listAppointments,
} from '#lib/domain/appointments/operations.ts'
import {
  AppointmentChange,
  AppointmentFilter,
  AvailabilityQuery,
  BulkChange,
  NewAppointment,
  Removal,
} from '#lib/domain/appointments/schema.ts'
import { breaks, reads, sends, type Tools } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** Appointments of services. */
export const tools: Tools = {
  list_appointments: reads(
    'List service appointments, the latest start first; sort "startTime" turns it round. Bookings of event types are listed by list_bookings.',
    AppointmentFilter,
    listAppointments,
    ANSWER.appointments,
  ),
  get_appointment: reads(
    'Read one service appointment.',
    ById,
    findAppointment,
    ANSWER.appointment,
  ),
  create_appointment: sends(
    'Book a service appointment. Look up the service, the customer and who gives it, and ask check_availability first. The customer is told by e-mail.',
    NewAppointment,
    createAppointment,
    ANSWER.appointment,
  ),
  update_appointment: sends(
    'Change a service appointment: its time, status, employee or notes; what is left out stays. A new startTime alone moves the end along.',
    AppointmentChange.safeExtend({ id }),
    updateAppointment,
    ANSWER.appointment,
  ),
  cancel_appointment: breaks(
    'Cancel a service appointment, or with scope "session" a whole group session; customers are told.',
    Removal,
    cancelAppointment,
    ANSWER.canceled,
  ),
  check_availability: reads(
    'The free starts of a service by day, with who could give it, over at most 31 days: for one date, or from and to.',
    AvailabilityQuery,
    listAvailability,
    ANSWER.availability,
  ),
  bulk_update_appointments: breaks(
    'Change up to 100 service appointments alike, such as completing those of a day. Each is changed or refused by itself; failed says why.',
    BulkChange,
    updateAppointments,
    ANSWER.bulk,
  ),
}
