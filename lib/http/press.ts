import type { Context } from 'hono'
import { Claim, Replay, UnderWay } from '#lib/core/idempotency.ts'
import { Json } from '#lib/core/json.ts'
import { sha256OfBytes } from '#lib/core/text.ts'
import { readBytes } from './body.ts'
import type { Exchange } from './exchange.ts'
import { readForm } from './validate.ts'

/** The field that tells one showing of a form from another. */
export const ONCE = 'once'

const TRIES = 20
const PAUSE_MS = 100
const pause = () => new Promise(resolve => setTimeout(resolve, PAUSE_MS))

/**
 * The hold on a press of a button: the same fields sent again from the same showing of a form are the
 * same press, other fields are another.
 */
async function claimOf(c: Context, x: Exchange): Promise<Claim | undefined> {
  if (x.claim || !(await readForm(c))[ONCE]) return undefined
  const print = await sha256OfBytes(await readBytes(c))
  return new Claim(`f ${c.req.path}`, print, print, x.now)
}

/** Tries as long as the first of two presses is under way. */
async function patiently<R>(claim: Claim, work: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (claim.made || !(error instanceof UnderWay) || tries === TRIES) throw error
      await pause()
    }
}

/**
 * Carries out what the button of a form asks for, once: who presses it twice, or sends the page again, is
 * led to what the first press has made. The form has a field `ONCE`, and its work answers `Json`. A press
 * that was refused can be repeated, since the reason may be gone.
 */
export async function pressOnce<R>(c: Context, work: () => Promise<R>): Promise<R> {
  const x: Exchange = c.var.exchange
  const claim = await claimOf(c, x)
  if (!claim) return work()
  x.claim = claim
  try {
    return await patiently(claim, work)
  } catch (error) {
    // Nothing more is kept under it: neither the answer of the first press again, nor a refusal.
    x.claim = undefined
    if (error instanceof Replay) return new Json(error.body) as R
    if (claim.made && !claim.stored) await x.deps.db.trip([claim.releasing()])
    throw error
  }
}
