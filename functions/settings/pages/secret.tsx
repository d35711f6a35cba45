import { SecretRotation } from '#lib/core/rotation.ts'
import { Choice, type Option } from '#lib/pages/fields.tsx'
import type { Typed } from '../forms.ts'
import type { Reader } from '../local.ts'
import { At, Confirm } from './frame.tsx'

const OVERLAPS: Option[] = [
  ['60', 'for another hour'],
  ['1440', 'for another day'],
  ['10080', 'for another week'],
  ['43200', 'for another 30 days'],
  ['0', 'no longer'],
]

/** How long the secret that is replaced works beside the new one. */
export const Overlap = SecretRotation.pick({ overlapMinutes: true })

/** The form of `ChangeSecret` as its schema has it. */
export const readOverlap = ({ overlapMinutes }: Typed) =>
  overlapMinutes ? { overlapMinutes: Number(overlapMinutes) } : {}

/** What to do for one who did not see the secret, on the page of what has it. */
export const MAKE_ANOTHER = 'change the secret on this page'

/** Two presses that make another secret; `does` says what one is for: it signs, or it works. */
export const ChangeSecret = ({ does }: { does: string }) => (
  <Confirm
    act="rotate"
    label="Change secret"
    ask="A new secret is made and shown once."
    button="Change secret"
  >
    <Choice
      name="overlapMinutes"
      label={`The present one ${does}`}
      options={OVERLAPS}
      chosen="1440"
    />
  </Confirm>
)

interface PreviousProps {
  /** When the secret before the last rotation ends, if there is one. */
  until: string | null
  now: Date
  reader: Reader
  does: string
}

/** Until when the secret before the last rotation is good, with two presses that end it at once. */
export const PreviousSecret = ({ until, now, reader, does }: PreviousProps) =>
  until && now < new Date(until) ? (
    <>
      <p>
        The secret before it {does} too, until <At at={until} reader={reader} />.
      </p>
      <Confirm
        act="end"
        label="End the old secret"
        ask={`From now on the present secret ${does} alone.`}
        button="End the old secret now"
      />
    </>
  ) : null
