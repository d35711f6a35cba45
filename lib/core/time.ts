const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)

/** Whether an instant is one that is reckoned with: from 1970 up to 2200. */
export const isWithinTime = (instant: Date): boolean =>
  instant.getTime() >= EARLIEST && instant.getTime() < LATEST
