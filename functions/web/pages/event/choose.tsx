import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { showTimes } from '#lib/pages/bookable.tsx'
import { Choice, Hidden } from '#lib/pages/fields.tsx'
import { writeLength } from '#lib/pages/words.ts'
import {
  carried,
  type EventAddress,
  type EventChoices,
  type EventSelection,
  readEventSelection,
} from '../../event-choices.ts'

/** How long, and the answers that led here. */
const Filters = ({ lengths, routed, bookable }: EventSelection) => (
  <>
    <Hidden values={carried(routed)} />
    {lengths.length > 1 ? (
      <Choice
        name="length"
        label="Length"
        options={lengths.map(minutes => [String(minutes), writeLength(minutes)])}
        chosen={String(bookable.length)}
      />
    ) : null}
  </>
)

/** The free times of an event type, by month and day. */
export async function showEventType<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: EventAddress,
  choices: EventChoices,
): Promise<Response> {
  const selection = await readEventSelection(c, v, address, choices)
  return showTimes(c, selection.bookable, {
    now: v.now,
    choices,
    filters: <Filters {...selection} />,
  })
}
