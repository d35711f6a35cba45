import type * as z from 'zod'
import { ownerOf } from '#dev/operator.ts'
import type { Base, Member } from '#lib/core/context.ts'
import { ApiError } from '#lib/core/errors.ts'
import { detailsOf } from '#lib/core/faults.ts'
import { Json } from '#lib/core/json.ts'
import type { Role } from '#lib/core/permissions.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { addMember } from '#lib/domain/accounts/operations.ts'
import { type Body, createAccount, directly } from '../client.ts'

/** What an operation answered, in the terms of an endpoint: 200, or the status of its error. */
export interface Outcome {
  status: number
  /** The record, or the error. */
  body: Body
  /** The records of a list. */
  items: Body[]
  nextCursor: string | null
}

/** A user of an account who carries out operations. */
export interface Actor {
  accountId: number
  userId: number
  role: Role
  username?: string
  subdomain?: string
}

/** The caller that an actor is. */
const memberOf = (base: Base, { accountId, userId, role }: Actor): Member => ({
  ...ownerOf(base, { accountId, userId, plan: 'enterprise' }),
  role,
})

interface Shown {
  text?: string
  items?: { text: string }
  nextCursor?: string | null
}

const outcome = (status: number, body: unknown, more: Partial<Outcome> = {}): Outcome => ({
  status,
  body: body as Body,
  items: [],
  nextCursor: null,
  ...more,
})

function shown(result: unknown): Outcome {
  if (result instanceof Json) return outcome(200, result.read())
  const { items, nextCursor = null } = (result ?? {}) as Shown
  if (!items) return outcome(200, result)
  return outcome(200, result, { items: JSON.parse(items.text) as Body[], nextCursor })
}

/** What an error is to the caller; anything unexpected is thrown on. */
function refused(thrown: unknown): Outcome {
  const error = meaningOf(thrown)
  if (!(error instanceof ApiError)) throw error
  const { status, code, message, details } = error
  return outcome(status, { status: 'error', error: code, message, details })
}

type Operation<C, S extends z.ZodType> = (caller: C, input: z.output<S>) => Promise<unknown>

/** Carries out an operation for a caller of each kind, its input validated as at an endpoint. */
export async function carryOut<C, S extends z.ZodType>(
  callerOf: (base: Base) => C,
  operation: Operation<C, S>,
  schema: S,
  input: unknown,
  now?: Date,
): Promise<Outcome> {
  const parsed = schema.safeParse(input)
  if (!parsed.success)
    return refused(
      new ApiError(
        'VALIDATION_ERROR',
        'The request failed validation',
        detailsOf(parsed.error.issues),
      ),
    )
  return directly(async base => {
    try {
      return shown(await operation(callerOf(base), parsed.data))
    } catch (thrown) {
      return refused(thrown)
    }
  }, now)
}

/** Carries out an operation as a user. */
export const as = <S extends z.ZodType>(
  actor: Actor,
  operation: Operation<Member, S>,
  schema: S,
  input: unknown = {},
  now?: Date,
): Promise<Outcome> => carryOut(base => memberOf(base, actor), operation, schema, input, now)

/** Another user of an account. */
export const join = (accountId: number, role: Role): Promise<Actor> =>
  directly(async base => {
    const email = `${crypto.randomUUID()}@example.com`
    const person = {
      name: `A ${role}`,
      email,
      password: 'correct horse',
      timeZone: 'Europe/Berlin',
    }
    const { userId } = await addMember(base, base.enter(accountId), { ...person, role })
    return { accountId, userId, role }
  })

/** An account's owner, a manager, two of its staff, and the owner of another account. */
export async function makeActors() {
  const [account, other] = await Promise.all([createAccount(), createAccount()])
  const { accountId, userId, username, subdomain } = account
  const [manager, staff, colleague] = await Promise.all([
    join(accountId, 'manager'),
    join(accountId, 'staff'),
    join(accountId, 'staff'),
  ])
  const owner: Actor = { accountId, userId, role: 'owner', username, subdomain }
  const stranger: Actor = { accountId: other.accountId, userId: other.userId, role: 'owner' }
  return { owner, manager, staff, colleague, stranger }
}

/** The actors of a test file. */
export type Actors = Awaited<ReturnType<typeof makeActors>>
