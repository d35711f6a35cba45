import type { BookedExtra } from './answer.ts'
import type { BookingFacts, ServiceFacts } from './facts.ts'

/** The deposit on a price, in cents: never more than the price, halves of a cent rounded up. */
export function depositOn(
  service: Pick<ServiceFacts, 'depositType' | 'depositAmount'>,
  price: number,
): number {
  if (service.depositType === 'none') return 0
  if (service.depositType === 'fixed') return Math.min(Math.round(service.depositAmount), price)
  return Math.min(Math.round((price * service.depositAmount) / 100), price)
}

/** The price of a booking in cents: the service for each person, and the extras. */
export const priceOf = (
  service: ServiceFacts,
  persons: number,
  extras: readonly BookedExtra[],
): number => service.price * persons + extras.reduce((sum, e) => sum + e.price * e.quantity, 0)

/**
 * The minutes of a booking: the service and its extras. A group session lasts as long as its service:
 * the extras of one seat do not keep the others waiting.
 */
export const durationOf = (
  service: ServiceFacts,
  group: boolean,
  extras: readonly BookedExtra[],
): number =>
  service.duration + (group ? 0 : extras.reduce((sum, e) => sum + e.duration * e.quantity, 0))

/**
 * The chosen extras with their names and prices; undefined for one that the service does not have,
 * or more of one than it may be.
 */
export function bookExtras(
  known: BookingFacts['extras'],
  chosen: readonly { id: number; quantity?: number | undefined }[],
): (BookedExtra | undefined)[] {
  return chosen.map(({ id, quantity = 1 }) => {
    const extra = known.find(e => e.id === id)
    if (!extra || quantity > extra.maxQuantity) return undefined
    const { name, price, duration } = extra
    return { id, name, price, duration, quantity }
  })
}
