import type * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import { queryId } from '#lib/core/schemas.ts'
import { listPublicSlots } from '#lib/domain/appointments/availability.ts'
import { getStorefront } from '#lib/domain/storefront/operations.ts'
import type {
  ShownEmployee,
  ShownLocation,
  ShownService,
  Storefront,
} from '#lib/domain/storefront/schema.ts'
import type { Bookable } from '#lib/pages/bookable.tsx'
import { Choices } from '#lib/pages/choices.ts'
import { englishFor, writeLength, writePrice } from '#lib/pages/words.ts'

/** Where the pages of a service are. */
export interface ServiceAddress {
  subdomain: string
  service: string
}

/** What was chosen on the way to an appointment. What cannot be read counts as not chosen. */
export const ServiceChoices = Choices.extend({
  employee: queryId.optional().catch(undefined),
  location: queryId.optional().catch(undefined),
})
export type ServiceChoices = z.output<typeof ServiceChoices>

/** Choices that were looked up: everything is there and fits together. */
export interface ServiceSelection {
  service: ShownService
  locations: ShownLocation[]
  location: ShownLocation | undefined
  employees: ShownEmployee[]
  employee: ShownEmployee | undefined
  /** The service as pages offer it, with what was chosen. */
  bookable: Bookable
}

/** A business by the name in its address. */
export const readShop = (v: Visitor, subdomain: string): Promise<Storefront> =>
  getStorefront(v, { subdomain: subdomain.slice(0, 100) })

/**
 * Looks up what was chosen. An employee or a place that does not fit counts as not chosen.
 * @throws NOT_FOUND for a business or a service that is not there
 */
export async function readServiceSelection(
  v: Visitor,
  address: ServiceAddress,
  choices: Pick<ServiceChoices, 'employee' | 'location' | 'zone'>,
): Promise<ServiceSelection> {
  const shop = await readShop(v, address.subdomain)
  const service = shop.services.find(s => s.slug === address.service) ?? notFound('Service')
  const locations = shop.locations.filter(
    l => service.locationId === null || service.locationId === l.id,
  )
  const location = locations.find(l => l.id === choices.location) ?? locations[0]
  const employees = shop.employees.filter(
    e =>
      (e.serviceIds?.includes(service.id) ?? true) &&
      (!location || e.locationIds.length === 0 || e.locationIds.includes(location.id)),
  )
  const employee = employees.find(e => e.id === choices.employee)
  const found = { service, locations, location, employees, employee }
  return { ...found, bookable: bookableOf(v, shop, found, choices.zone) }
}

/** A service as pages offer it: with the times of who and where was chosen. */
function bookableOf(
  v: Visitor,
  shop: Storefront,
  { service, locations, location, employee }: Omit<ServiceSelection, 'bookable'>,
  zone: string | undefined,
): Bookable {
  const { duration, price, currency, seats } = service
  const timeZone = zone ?? location?.timeZone ?? shop.timeZone
  const locale = englishFor(shop.locale)
  const perPerson = seats === null || price === 0 ? '' : ' per person'
  return {
    title: service.name,
    description: service.description,
    owner: { name: shop.name, path: `/b/${shop.subdomain}` },
    facts: [writeLength(duration), writePrice(price, currency, locale) + perPerson],
    length: duration,
    path: `/b/${shop.subdomain}/${service.slug}`,
    kept: {
      location: locations.length > 1 ? location?.id : undefined,
      employee: employee?.id,
      zone,
    },
    weekStart: shop.weekStart,
    horizonDays: shop.policy.horizonDays,
    locale,
    timeZone,
    async list(from, to) {
      const { slots } = await listPublicSlots(v, {
        serviceId: service.id,
        ...(employee ? { employeeId: employee.id } : {}),
        ...(location ? { locationId: location.id } : {}),
        timeZone,
        from,
        to,
      })
      return slots
    },
  }
}
