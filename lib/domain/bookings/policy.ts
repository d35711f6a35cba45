/** Whether and until when who booked may move it. */
export interface ReschedulingPolicy {
  disabled?: boolean
  minutesBefore?: number | null
}

/**
 * Whether an event type's policy keeps its attendees from moving a booking any more.
 * @param start when it begins, and `now`, in minutes since the epoch
 */
export function isTooLateToMove(
  policy: ReschedulingPolicy | null,
  start: number,
  now: number,
): boolean {
  const { disabled = false, minutesBefore = null } = policy ?? {}
  return disabled || (minutesBefore !== null && start - now < minutesBefore)
}
