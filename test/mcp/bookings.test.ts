import { beforeAll, describe, expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import { callTool } from './rpc.ts'
import { clock, june, makeStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await makeStage()
  await call('cancel_booking', { uid: stage.uids.cancel })
  await call('reject_booking', { uid: stage.uids.reject })
})

const call = (name: string, args: object, at?: string) =>
  callTool(name, args, { key: stage.key, headers: at ? { 'x-test-now': at } : clock })

const startsOf = async (args: object, at?: string, name = 'list_bookings') => {
  const { value, isError, text } = await call(name, args, at)
  if (isError) throw new Error(text)
  return (value.items ?? []).map(b => [b.status, b.start])
}

const THERE = {
  first: ['accepted', june('09T18:00')],
  cancelled: ['cancelled', june('10T14:00')],
  moved: ['accepted', june('10T15:00')],
  missed: ['accepted', june('10T17:00')],
  waits: ['pending', june('12T14:00')],
  rejected: ['rejected', june('12T15:00')],
}

describe('list_bookings', () => {
  it('has all of them, the latest first, without a filter', async () => {
    expect(await startsOf({})).toEqual(Object.values(THERE).toReversed())
  })

  it('takes a status, or where they stand by the clock', async () => {
    const { first, cancelled, moved, missed, waits, rejected } = THERE
    const noon = june('10T16:00')
    expect(await startsOf({ status: 'upcoming' }, noon)).toEqual([missed, waits])
    expect(await startsOf({ status: 'past' }, noon)).toEqual([moved, first])
    expect(await startsOf({ status: 'cancelled' }, noon)).toEqual([cancelled])
    expect(await startsOf({ status: 'rejected' }, noon)).toEqual([rejected])
    expect(await startsOf({ status: 'unconfirmed' }, noon)).toEqual([waits])
    expect(await startsOf({ status: 'unconfirmed' }, june('13T00:00'))).toEqual([])
    expect(await startsOf({ status: 'recurring' }, noon)).toEqual([])
    expect(await startsOf({ status: 'accepted' }, noon)).toEqual([missed, moved, first])
  })

  it('takes instants, an event type, an attendee, and pages', async () => {
    const { first, cancelled, moved, missed, waits, rejected } = THERE
    const day = { from: june('10T00:00'), to: '2031-06-10T11:00:00-04:00' }
    expect(await startsOf(day)).toEqual([cancelled])
    expect(await startsOf({ eventTypeId: stage.ids.picky })).toEqual([rejected, waits])
    const email = `G${stage.mark}@example.org`
    expect(await startsOf({ attendeeEmail: email.toUpperCase() })).toEqual([first])
    const page = await call('list_bookings', { limit: 4, sort: 'start' })
    expect(page.value.items?.map(b => b.start)).toEqual(
      [first, cancelled, moved, missed].map(([, start]) => start),
    )
    const rest = { limit: 4, sort: 'start', cursor: page.value.nextCursor }
    expect(await startsOf(rest)).toEqual([waits, rejected])
  })

  it('sorts by startTime, as lists of appointments do', async () => {
    for (const [sort, same] of [
      ['startTime', 'start'],
      ['-startTime', '-start'],
    ])
      expect(await startsOf({ sort })).toEqual(await startsOf({ sort: same }))
    const absences = await call('get_out_of_office', { sort: '-startTime' })
    expect(absences.isError).toBe(false)
  })

  it('takes days, and says of a time without an offset what it wants', async () => {
    expect((await call('list_bookings', { from: '2031-06-10' })).isError).toBe(false)
    for (const from of ['2031-06-10T00:00:00', 'today']) {
      const { isError, value } = await call('list_bookings', { from })
      expect([isError, value.details]).toEqual([
        true,
        [{ field: 'from', message: expect.stringContaining('with an offset') }],
      ])
    }
  })
})

describe('search_bookings', () => {
  it('finds by the title, by a name and by an e-mail address, in any case', async () => {
    for (const search of [`picky ${stage.mark}`, `GUEST ${stage.mark}`, `guest${stage.mark}@EX`])
      expect((await startsOf({ search }, undefined, 'search_bookings')).length).toBeGreaterThan(1)
    const found = await startsOf({ search: `g${stage.mark}@` }, undefined, 'search_bookings')
    expect(found).toEqual([THERE.first])
    expect(await startsOf({ search: '%' }, undefined, 'search_bookings')).toEqual([])
    const turned = `${stage.mark} picky`
    expect((await startsOf({ search: turned }, undefined, 'search_bookings')).length).toBe(
      (await startsOf({ search: `picky ${stage.mark}` }, undefined, 'search_bookings')).length,
    )
    expect(await startsOf({ search: `${turned} nobody` }, undefined, 'search_bookings')).toEqual([])
  })

  it('takes the words as query too, and asks for them where there are none', async () => {
    const query = `g${stage.mark}@`
    expect(await startsOf({ query }, undefined, 'search_bookings')).toEqual([THERE.first])
    const { isError, value } = await call('search_bookings', {})
    expect([isError, value.details]).toEqual([
      true,
      [{ field: 'search', message: 'required, unless query is given' }],
    ])
  })

  it('has an index of each expression that it looks in', async () => {
    const indexes = await queryDatabase<{ indexdef: string }>(
      `select indexdef from pg_indexes
       where indexname in ('bookings_search', 'booking_attendees_search') order by indexname`,
    )
    expect(indexes.map(({ indexdef }) => indexdef.split('USING ')[1])).toEqual([
      "gin ((((((name || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(phone_number, ''::text))) gin_trgm_ops)",
      'gin (title gin_trgm_ops)',
    ])
  })
})

describe('get_booking', () => {
  it('shows one whole, by uid or by id', async () => {
    const { value } = await call('get_booking', { uid: stage.uids.cancel })
    expect(value).toMatchObject({
      uid: stage.uids.cancel,
      status: 'cancelled',
      start: june('10T14:00'),
      end: june('10T14:30'),
      duration: 30,
      eventType: { slug: '30min' },
      hosts: [{ id: stage.userId, email: stage.world.account.email }],
      attendees: [{ name: `Guest ${stage.mark}`, absent: false, timeZone: 'UTC' }],
      guests: [],
      cancelledByEmail: stage.world.account.email,
      icsUid: stage.uids.cancel,
    })
    for (const named of [
      { id: value.id },
      { id: String(value.id) },
      { id: value.uid },
      { bookingUid: value.uid },
      { id: value.id, uid: value.uid },
      { id: value.uid, uid: value.uid, bookingUid: value.uid },
    ])
      expect((await call('get_booking', named)).value).toEqual(value)
  })

  it('refuses names of two bookings, a number of nobody and no name', async () => {
    const { cancel, move } = stage.uids
    for (const names of [
      { uid: cancel, bookingUid: move },
      { uid: cancel, id: move },
      { bookingUid: cancel, id: move },
    ])
      expect((await call('get_booking', names)).value).toMatchObject({
        error: 'VALIDATION_ERROR',
        details: [{ field: 'uid', message: 'names another booking than bookingUid or id' }],
      })
    const other = (await call('get_booking', { uid: move })).value.id
    for (const named of [{ id: 2_147_483_647 }, { id: 'nobody' }, { id: other, uid: cancel }])
      expect((await call('get_booking', named)).value.error).toBe('NOT_FOUND')
    for (const named of [{}, { id: 0 }, { id: '' }])
      expect((await call('get_booking', named)).value.error).toBe('VALIDATION_ERROR')
  })
})

describe('create_booking', () => {
  const attendee = { name: 'Grace', email: 'grace@example.org', timeZone: 'Europe/Berlin' }
  const book = (args: object) =>
    call('create_booking', { eventTypeId: stage.ids.eventType, attendee, ...args })

  it('refuses a start that is taken, past or outside of the hours, and changes nothing', async () => {
    const taken = await book({ start: june('10T15:00') })
    expect([taken.isError, taken.value.error]).toEqual([true, 'CONFLICT'])
    const past = await book({ start: '2031-05-30T14:00:00Z' })
    expect([past.isError, past.value.error]).toEqual([true, 'BAD_REQUEST'])
    const night = await book({ start: june('16T03:00') })
    expect([night.isError, night.value.error]).toEqual([true, 'CONFLICT'])
    expect(await startsOf({})).toHaveLength(6)
  })

  it('books the host for a guest, who brings others', async () => {
    const { value } = await book({ start: june('16T14:00'), guests: ['ada@example.org'] })
    expect(value).toMatchObject({
      status: 'accepted',
      source: 'mcp',
      attendees: [{ name: 'Grace', timeZone: 'Europe/Berlin' }],
      guests: ['ada@example.org'],
    })
  })

  it('is moved and cancelled with a reason, by either of its names', async () => {
    const reasonsOf = async (names: readonly [string, string], day: string) => {
      const { value } = await book({ start: june(`${day}T14:00`) })
      const { uid } = value
      const moved = await call('reschedule_booking', {
        uid,
        start: june(`${day}T16:00`),
        [names[0]]: 'I am late',
      })
      await call('cancel_booking', { uid: moved.value.uid, [names[1]]: 'I am ill' })
      const { value: shown } = await call('get_booking', { uid: moved.value.uid })
      return [moved.value.reschedulingReason, shown.status, shown.cancellationReason]
    }
    const reasons = ['I am late', 'cancelled', 'I am ill']
    expect(await reasonsOf(['reschedulingReason', 'cancellationReason'], '18')).toEqual(reasons)
    expect(await reasonsOf(['reason', 'reason'], '19')).toEqual(reasons)
  })

  it('is moved in the name of who asked for it, and acted on by its uid as id', async () => {
    const { value } = await book({ start: june('20T14:00') })
    const { value: moved } = await call('reschedule_booking', {
      id: value.uid,
      start: june('20T16:00'),
      rescheduledBy: attendee.email,
    })
    expect(moved).toMatchObject({ uid: value.uid, rescheduledByEmail: attendee.email })
    const again = await call('reschedule_booking', { id: value.uid, start: june('20T17:00') })
    expect(again.value.rescheduledByEmail).toBe(stage.world.account.email)
    const { value: cancelled } = await call('cancel_booking', { id: value.uid })
    expect(cancelled.bookingUid).toBe(value.uid)
  })

  it('twelve at once for one start: one is booked', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, () => book({ start: june('17T14:00') })),
    )
    expect(all.filter(o => !o.isError)).toHaveLength(1)
    expect(new Set(all.filter(o => o.isError).map(o => o.value.error))).toEqual(
      new Set(['CONFLICT']),
    )
  })
})
