import type { Context } from 'hono'
import { conflict } from '#lib/core/errors.ts'
import { PressClaim, Replay, UnderWay, Untold } from '#lib/core/idempotency.ts'
import { sha256OfBytes } from '#lib/core/text.ts'
import { readBytes } from './body.ts'
import type { Exchange } from './exchange.ts'
import { readForm } from './validate.ts'

/** The field that tells one showing of a form from another; no question of a form can be called so. */
export const ONCE = '.once'

const TRIES = 20
const PAUSE_MS = 100
const pause = () => new Promise(resolve => setTimeout(resolve, PAUSE_MS))

/**
 * The hold on a press of a button: the same fields sent again from the same showing of a form by the same
 * user are the same press, other fields are another.
 */
async function claimOf(c: Context, x: Exchange): Promise<PressClaim | undefined> {
  if (x.claim || !(await readForm(c))[ONCE]) return undefined
  const print = await sha256OfBytes(await readBytes(c))
  return new PressClaim(`f${x.identity?.userId ?? ''} ${c.req.path}`, print, print, x.now)
}

/** What a button does, and what is told of it. */
interface Press<D> {
  /** What it leads to, told by the page after it. */
  work: () => Promise<D>
  /** What a second press is told of that; all of it where nothing is said. Kept as JSON. */
  again?: (done: D) => D
  /** The same when the first was carried out and did not get to say what it led to. */
  untold: () => D
}

/**
 * Carries out what the button of a form asks for, once: who presses it twice, or sends the page again, is
 * told what came of the first press. The form has a field `ONCE`. A press that was refused can be
 * repeated, since the reason may be gone.
 */
export async function pressOnce<D extends object>(c: Context, press: Press<D>): Promise<D> {
  const x: Exchange = c.var.exchange
  const claim = await claimOf(c, x)
  if (!claim) return press.work()
  await x.admission()
  const earlier = await take(x, claim, press.untold)
  if (earlier) return earlier
  const done = await workUnder(x, claim, press.work)
  await tell(x, claim, JSON.stringify(press.again ? press.again(done) : done))
  return done
}

/** Takes hold of a press, waiting as long as an earlier one is under way; answers what that has led to. */
async function take<D>(x: Exchange, claim: PressClaim, untold: () => D): Promise<D | undefined> {
  for (let tries = 1; ; tries++)
    try {
      const [cells = []] = await x.deps.db.trip([claim.statement()])
      claim.settle(cells)
      return undefined
    } catch (error) {
      if (error instanceof Replay) return JSON.parse(error.body) as D
      if (!(error instanceof UnderWay)) throw error
      if (tries < TRIES) await pause()
      else if (error instanceof Untold) return untold()
      else conflict('The first press is still being worked on; load the page again in a moment')
    }
}

/** Whatever is written meanwhile is noted under the claim by the same batch. */
async function workUnder<D>(x: Exchange, claim: PressClaim, work: () => Promise<D>): Promise<D> {
  x.claim = claim
  try {
    return await work()
  } catch (error) {
    if (!claim.stored) await x.deps.db.trip([claim.releasing()])
    throw error
  } finally {
    // The page that is answered now is not kept under it.
    x.claim = undefined
  }
}

async function tell(x: Exchange, claim: PressClaim, told: string): Promise<void> {
  try {
    await x.deps.db.trip([claim.telling(told)])
  } catch (error) {
    // It is done, and noted: a second press is told so much.
    console.error(`${x.requestId} What a press has led to is not kept`, error)
  }
}
