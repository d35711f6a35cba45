import {
  type Business,
  CUSTOMERS,
  EMPLOYEES,
  FIRST_CUSTOMER,
  FIRST_EMPLOYEE,
  SERVICE,
} from './business.ts'
import { newAppointment } from './capture.ts'
import type { Ask } from './client.ts'

/** A request that is compared, made anew for each time that it is sent. */
export interface Case {
  name: string
  status: number
  ask(): Ask
}

/** The slots of an event type with twenty hosts, which another function answers. */
export const slotsCase = ({ account, month }: Business, eventTypeId: number): Case => {
  const range = `start=${month.from}&end=${month.to}`
  const path = `/api/extension/slots?eventTypeId=${eventTypeId}&${range}`
  const ask = (): Ask => ({ method: 'GET', path, key: account.apiKey })
  return { name: 'slots, a month, 20 hosts in turn', status: 200, ask }
}

/** The list, two months of availability, and bookings that never clash with one another. */
export function casesOf({ account, month }: Business): Case[] {
  const get = (path: string): Ask => ({ method: 'GET', path, key: account.apiKey })
  const range = `from=${month.from}&to=${month.to}`
  let booked = 0
  const nextBooking = (): Ask => {
    const employee = FIRST_EMPLOYEE + (booked % EMPLOYEES)
    const customer = FIRST_CUSTOMER + (booked % CUSTOMERS)
    const at = Date.UTC(2041, 0, 1) + Math.floor(booked++ / EMPLOYEES) * 1_800_000
    const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16)
    const body = newAppointment(employee, customer, minute(at), minute(at + 1_800_000))
    return { ...get('/api/services/appointments'), method: 'POST', body }
  }
  const availability = '/api/services/availability'
  const one = `${availability}?serviceId=${SERVICE.everybody}&employeeId=${FIRST_EMPLOYEE}&${range}`
  const five = `${availability}?serviceId=${SERVICE.five}&${range}`
  return [
    { name: 'list of 50', status: 200, ask: () => get('/api/services/appointments?limit=50') },
    { name: 'month, 1 employee', status: 200, ask: () => get(one) },
    { name: 'month, 5 employees', status: 200, ask: () => get(five) },
    { name: 'booking', status: 201, ask: nextBooking },
  ]
}
