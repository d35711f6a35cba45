import * as z from 'zod'
import { id, minutes } from './schemas.ts'

const DEFAULT_OVERLAP_MINUTES = 1440
const MINUTE_MS = 60_000

/** A new secret; the one before it also works for `overlapMinutes`, a day where nothing is said. */
export const SecretRotation = z.object({ id, overlapMinutes: minutes(0, 43_200).optional() })
export type SecretRotation = z.output<typeof SecretRotation>

/** Until when a secret that is replaced at `now` works beside the new one, as ISO 8601. */
export const overlapEnd = (
  now: Date,
  { overlapMinutes = DEFAULT_OVERLAP_MINUTES }: Pick<SecretRotation, 'overlapMinutes'>,
): string => new Date(now.getTime() + overlapMinutes * MINUTE_MS).toISOString()
