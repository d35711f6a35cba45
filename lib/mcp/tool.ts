import * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { id } from '#lib/core/schemas.ts'
import type { JsonSchema } from '#lib/http/json-schema.ts'

/** What a client may tell its user of a tool before it is called. */
export interface Annotations {
  readOnlyHint: boolean
  /** Whether something may be lost by it. */
  destructiveHint: boolean
  /** Whether a second call with the same arguments changes nothing more. */
  idempotentHint: boolean
  /** Whether it reaches people or programs outside of the account. */
  openWorldHint: boolean
}

/** An operation as assistants call it. */
export interface Tool {
  /** What it does, for the model that chooses it. */
  description: string
  input: z.ZodObject
  run(m: Member, input: never): Promise<unknown>
  annotations: Annotations
  /** The shape of its structured answer, where that is fixed. */
  output?: JsonSchema | undefined
}

type Run<S extends z.ZodObject> = (m: Member, input: z.output<S>) => Promise<unknown>

/** Makes a line of a tool table: what it does, what it takes, and the operation that does it. */
type Maker = <S extends z.ZodObject>(
  description: string,
  input: S,
  run: Run<S>,
  output?: JsonSchema,
) => Tool

const maker =
  (readOnly: boolean, destructive: boolean, idempotent: boolean, openWorld: boolean): Maker =>
  (description, input, run, output) => ({
    description,
    input,
    run,
    output,
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  })

/** A tool that changes nothing. */
export const reads = maker(true, false, true, false)
/** A tool that makes something new, or adds to what is there, each time it is called. */
export const creates = maker(false, false, false, false)
/** A tool that changes something; a second time it finds it changed. */
export const updates = maker(false, false, true, false)
/** A tool after which something is gone. */
export const deletes = maker(false, true, true, false)
/** A tool that makes something, of which others are told. */
export const sends = maker(false, false, false, true)
/** A tool that ends or moves what others count on; they are told. */
export const breaks = maker(false, true, true, true)

/** What changing one record takes: its id, and what `crud()` says can be changed. */
export const changeById = (change: z.ZodObject): z.ZodObject<{ id: typeof id }> =>
  change.safeExtend({ id }) as unknown as z.ZodObject<{ id: typeof id }>

/** For a tool that takes nothing. */
export const Nothing = z.object({})

/** Whatever a tool file exports as its table. */
export type Tools = Record<string, Tool>
