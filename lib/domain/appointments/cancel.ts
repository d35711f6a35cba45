import { type Member, ownEmployee } from '#lib/core/context.ts'
import { conflict, notFound } from '#lib/core/errors.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { freeResources } from '../resources/writes.ts'
import {
  CHANGED,
  changeAndRelease,
  changeRow,
  changeStatuses,
  countCustomers,
  emit,
} from './effects.ts'
import { type Known, known, liveSeats } from './known.ts'
import { tellCanceled, tellChange } from './notices.ts'
import { isLive } from './schema.ts'
import { leaveSession } from './sessions.ts'

interface Removal {
  id: number
  scope?: 'seat' | 'session' | undefined
  reason?: string | undefined
  cancellationReason?: string | undefined
}

/** What removing answers; `canceled` names the seats of a whole session. */
export interface Removed {
  id: number
  deleted: true
  canceled?: number[]
}

/** What canceling answers: everything that it canceled. */
export interface Canceled {
  id: number
  status: 'canceled'
  canceled: number[]
}

/** How what was done is answered; `canceled` are the seats of a whole session. */
type Say<R> = (id: number, canceled?: number[]) => R

const removed: Say<Removed> = (id, canceled) => ({
  id,
  deleted: true,
  ...(canceled ? { canceled } : {}),
})

/**
 * Cancels an appointment that is live, and hides one that is final. `scope: "session"` cancels every
 * live seat of its group session.
 * @throws CONFLICT when it was live and somebody else ended it at the same time
 */
export const removeAppointment = (m: Member, removal: Removal): Promise<Removed> =>
  end(m, removal, removed, was => hide(m, was))

/**
 * Cancels an appointment that is live; `scope: "session"` every live seat of its group session.
 * @throws CONFLICT when it is canceled or completed
 */
export const cancelAppointment = (m: Member, removal: Removal): Promise<Canceled> =>
  end<Canceled>(
    m,
    removal,
    (id, canceled = [id]) => ({ id, status: 'canceled', canceled }),
    was => conflict(`The appointment is ${was.status}`),
  )

async function end<R>(
  m: Member,
  { id, scope, cancellationReason, reason = cancellationReason }: Removal,
  say: Say<R>,
  whenFinal: (was: Known) => Promise<R>,
): Promise<R> {
  const own = ownEmployee(m, 'appointments.write', 'appointments.own')
  let wasLive = false
  return lookingAgain(CHANGED, async () => {
    const was = (await m.tenant.read(known, { id })) ?? notFound('Appointment')
    if (own !== undefined && was.employeeId !== own) notFound('Appointment')
    if (scope === 'session' && was.sessionId !== null)
      return cancelSession(m, id, was.sessionId, reason ?? null, say)
    if (isLive(was.status)) {
      wasLive = true
      return cancelOne(m, was, reason ?? null, say)
    }
    // Who meant to cancel and came second does not hide what the first has canceled.
    return wasLive ? conflict(`The appointment is ${was.status} by now`) : whenFinal(was)
  })
}

async function cancelOne<R>(m: Member, was: Known, reason: string | null, say: Say<R>): Promise<R> {
  const { id } = was
  const write = m.tenant.write('appointment.cancel', id)
  const change = {
    status: 'canceled',
    cancellationReason: reason,
    cancelledBy: 'business',
  } as const
  changeAndRelease(write, m, was, change)
  countCustomers(write, m, was, undefined, 'canceled')
  emit(write, m, [id], was.status, 'canceled')
  tellChange(write, m, was, { status: 'canceled' }, was.customerEmail)
  return write.commit(say(id))
}

async function cancelSession<R>(
  m: Member,
  id: number,
  sessionId: number,
  reason: string | null,
  say: Say<R>,
): Promise<R> {
  const seats = await m.tenant.read(liveSeats, { sessionId })
  const canceled = seats.map(seat => seat.id)
  if (seats.length === 0) return conflict('Every seat of this session is canceled or completed')
  const write = m.tenant.write('appointment.cancel', id)
  const persons = seats.reduce((sum, seat) => sum + seat.persons, 0)
  leaveSession(write, sessionId, persons)
  changeStatuses(write, m, seats, { status: 'canceled', reason, by: 'business', sessionId })
  freeResources(write, 'appointment', canceled)
  tellCanceled(write, m, seats)
  return write.commit(say(id, canceled))
}

async function hide(m: Member, was: Known): Promise<Removed> {
  const write = m.tenant.write('appointment.hide', was.id)
  changeRow(write, m, was, { hiddenAt: m.now.toISOString() })
  return write.commit<Removed>({ id: was.id, deleted: true })
}
