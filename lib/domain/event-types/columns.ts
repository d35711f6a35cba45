import type { EventTypeChange } from './schema.ts'

type Limits = NonNullable<EventTypeChange['bookingLimitsCount']>

/** Limits without those that are null: no limit. */
const setLimits = (limits: Limits | undefined) =>
  limits && Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null))

function confirmationOf({ requiresConfirmation, confirmationPolicy: policy }: EventTypeChange) {
  if (policy !== undefined)
    return {
      requiresConfirmation: policy !== null,
      confirmationNotice: policy?.type === 'time' ? (policy.noticeThreshold ?? null) : null,
    }
  return requiresConfirmation === false
    ? { requiresConfirmation, confirmationNotice: null }
    : { requiresConfirmation }
}

function seatsOf({ seats }: EventTypeChange) {
  if (seats === undefined) return {}
  return {
    seatsPerTimeSlot: seats?.seatsPerTimeSlot ?? null,
    seatsShowAttendees: seats?.showAttendeeInfo,
    seatsShowAvailabilityCount: seats?.showAvailabilityCount,
  }
}

function activeLimitOf({ bookerActiveBookingsLimit: limit }: EventTypeChange) {
  if (limit === undefined) return {}
  return {
    maximumActiveBookings: limit?.maximumActiveBookings ?? null,
    offerReschedule: limit === null ? false : limit.offerReschedule,
  }
}

function reschedulingOf({ disableRescheduling: policy }: EventTypeChange) {
  if (policy === undefined) return {}
  const { disabled = false, minutesBefore } = policy ?? {}
  const isLimited = disabled || minutesBefore != null
  return {
    disableRescheduling: isLimited
      ? { disabled, ...(minutesBefore == null ? {} : { minutesBefore }) }
      : null,
  }
}

/** The columns of an event type out of what is said of it; what is left out is undefined. */
export const columnsOf = (input: EventTypeChange) => ({
  title: input.title,
  description: input.description,
  length: input.length ?? input.lengthInMinutes,
  lengthOptions: input.lengthInMinutesOptions,
  hidden: input.hidden,
  color: input.color,
  customName: input.customName,
  locations: input.locations,
  bookingFields: input.bookingFields,
  metadata: input.metadata,
  slotInterval: input.slotInterval,
  offsetStart: input.offsetStart,
  minimumBookingNotice: input.minimumBookingNotice,
  beforeEventBuffer: input.beforeEventBuffer,
  afterEventBuffer: input.afterEventBuffer,
  bookingWindow: input.bookingWindow,
  bookingLimitsCount: setLimits(input.bookingLimitsCount),
  bookingLimitsDuration: setLimits(input.bookingLimitsDuration),
  ...activeLimitOf(input),
  onlyShowFirstAvailableSlot: input.onlyShowFirstAvailableSlot,
  ...confirmationOf(input),
  recurrence: input.recurrence,
  ...seatsOf(input),
  disableGuests: input.disableGuests,
  disableCancelling: input.disableCancelling,
  ...reschedulingOf(input),
  allowReschedulingPastBookings: input.allowReschedulingPastBookings,
  allowReschedulingCancelledBookings: input.allowReschedulingCancelledBookings,
  requiresBookerEmailVerification: input.requiresBookerEmailVerification,
  hideOrganizerEmail: input.hideOrganizerEmail,
  successRedirectUrl: input.successRedirectUrl,
  interfaceLanguage: input.interfaceLanguage,
  price: input.price,
  currency: input.currency,
  scheduleId: input.scheduleId,
  instantExpirySeconds: input.instantMeetingExpiryTimeOffsetInSeconds,
  schedulingType: input.schedulingType ?? undefined,
})
