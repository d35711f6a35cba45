import { notFound } from './errors.ts'

/**
 * JSON text of a `T` as the database made it. REST passes it through unread, which spares decoding
 * and encoding every row; `read()` is for callers that need the value.
 */
export class Json<T> {
  declare readonly shape?: T
  constructor(readonly text: string) {}
  read(): T {
    return JSON.parse(this.text) as T
  }
}

/** A record that was looked for: NOT_FOUND, by the word for it, where there is none. */
export const existing = <T>(record: Json<T>, noun: string): Json<T> =>
  record.text === 'null' ? notFound(noun) : record

/** A page of a list. `nextCursor` is null on the last page. */
export interface Page<T> {
  items: Json<T[]>
  limit: number
  nextCursor: string | null
}

/** What deleting a record answers. */
export interface Deleted {
  id: number
  deleted: true
}

/** JSON text of any value, whether the database made it or not. */
export const toText = (value: unknown): string =>
  value instanceof Json ? value.text : JSON.stringify(value)
