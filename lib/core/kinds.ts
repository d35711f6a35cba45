declare const KIND: unique symbol

/**
 * Text or a number of which the description of the API says more than its type does: `S` are keywords
 * of JSON Schema. Any other text or number is good enough to be one, but not that of another kind.
 */
type Kind<T, S> = T & { readonly [KIND]?: S }

/** An instant: ISO 8601 in UTC, with milliseconds and `Z`. */
export type Instant = Kind<string, { format: 'date-time' }>
/** An instant as the clocks of a zone show it: ISO 8601 with the zone's offset. */
export type LocalInstant = Kind<
  string,
  { format: 'date-time'; description: 'With the offset of the asked zone.' }
>
/** A calendar day, `YYYY-MM-DD`. */
export type Day = Kind<string, { format: 'date' }>
/** A number that need not be whole, as all others are. */
export type Decimal = Kind<number, { type: 'number' }>
/** Money. */
export type Cents = Kind<number, { description: 'In cents.' }>
/** A length of time. */
export type Minutes = Kind<number, { description: 'In minutes.' }>
/** An address of the platform's own. */
export type Url = Kind<string, { format: 'uri' }>
