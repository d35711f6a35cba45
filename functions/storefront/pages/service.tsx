import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { showTimes } from '#lib/pages/bookable.tsx'
import { Choice } from '#lib/pages/fields.tsx'
import {
  readServiceSelection,
  type ServiceAddress,
  type ServiceChoices,
  type ServiceSelection,
} from '../service-choices.ts'

/** Where, and with whom. */
const Filters = ({ locations, location, employees, employee }: ServiceSelection) => (
  <>
    {locations.length > 1 ? (
      <Choice
        name="location"
        label="Where"
        options={locations.map(({ id, name }) => [String(id), name])}
        chosen={String(location?.id)}
      />
    ) : null}
    <Choice
      name="employee"
      label="With"
      options={[['', 'Anyone'], ...employees.map(e => [String(e.id), e.name] as const)]}
      chosen={String(employee?.id ?? '')}
    />
  </>
)

/** The free times of a service, by month and day. */
export async function showService<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: ServiceAddress,
  choices: ServiceChoices,
): Promise<Response> {
  const selection = await readServiceSelection(v, address, choices)
  return showTimes(c, selection.bookable, {
    now: v.now,
    choices,
    filters: <Filters {...selection} />,
    advice: 'Please choose another day or month, or somebody else.',
  })
}
