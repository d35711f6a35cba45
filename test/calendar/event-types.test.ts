import { beforeAll, describe, expect, it } from 'vitest'
import { ById } from '#lib/core/schemas.ts'
import {
  createEventType,
  deleteEventType,
  duplicateEventType,
  findEventType,
  listEventTypes,
  updateEventType,
} from '#lib/domain/event-types/operations.ts'
import {
  Duplicate,
  EventTypeChange,
  EventTypeFilter,
  NewEventType,
} from '#lib/domain/event-types/schema.ts'
import { type Actor, type Actors, as, join, makeActors } from './actors.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const Change = EventTypeChange.safeExtend({ id: ById.shape.id })
const make = (who: Actor, input: object = {}) =>
  as(who, createEventType, NewEventType, { title: 'Intro call', length: 30, ...input })
const list = (who: Actor, filter: object = {}) => as(who, listEventTypes, EventTypeFilter, filter)
const change = (who: Actor, id: unknown, input: object) =>
  as(who, updateEventType, Change, { id, ...input })
const find = (who: Actor, id: unknown) => as(who, findEventType, ById, { id })
const remove = (who: Actor, id: unknown) => as(who, deleteEventType, ById, { id })
const copy = (who: Actor, input: object) => as(who, duplicateEventType, Duplicate, input)

const FULL = {
  title: 'Deep dive',
  slug: 'deep-dive',
  description: 'We look into it',
  lengthInMinutes: 45,
  lengthInMinutesOptions: [30, 45, 60],
  hidden: true,
  color: '#2266aa',
  customName: '{Event} with {Host}',
  locations: [
    { type: 'address', address: '1 Main St', public: true },
    { type: 'link', link: 'https://meet.example.org/x' },
    { type: 'phone', phone: '+15550100000' },
    { type: 'integrations:jitsi' },
    { type: 'attendeePhone' },
  ],
  bookingFields: [
    { type: 'select', slug: 'size', label: 'Size', required: true, options: ['S', 'L'] },
    { type: 'textarea', slug: 'notes', label: 'Notes', placeholder: null },
  ],
  metadata: { crm: 'x-1' },
  slotInterval: 20,
  offsetStart: 5,
  minimumBookingNotice: 0,
  beforeEventBuffer: 10,
  afterEventBuffer: 15,
  bookingWindow: { type: 'range', value: ['2031-01-01', '2031-03-31'] },
  bookingLimitsCount: { day: 2, week: 5 },
  bookingLimitsDuration: { month: 600 },
  bookerActiveBookingsLimit: { maximumActiveBookings: 2, offerReschedule: true },
  onlyShowFirstAvailableSlot: true,
  requiresConfirmation: true,
  confirmationPolicy: {
    type: 'time',
    noticeThreshold: { unit: 'hours', count: 4 },
    blockUnconfirmedBookingsInBooker: true,
  },
  recurrence: { frequency: 'weekly', interval: 2, occurrences: 6 },
  disableGuests: true,
  disableCancelling: true,
  disableRescheduling: { disabled: false, minutesBefore: 60 },
  allowReschedulingPastBookings: true,
  allowReschedulingCancelledBookings: true,
  requiresBookerEmailVerification: false,
  hideOrganizerEmail: true,
  successRedirectUrl: 'https://example.org/thanks',
  interfaceLanguage: 'pt-BR',
  price: 2500,
  currency: 'eur',
  instantMeetingExpiryTimeOffsetInSeconds: 60,
}

describe('create an event type', () => {
  it('200 with what holds where nothing is said', async () => {
    const { status, body } = await make(actors.owner)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      userId: actors.owner.userId,
      teamId: null,
      slug: 'intro-call',
      length: 30,
      lengthInMinutes: 30,
      lengthInMinutesOptions: [],
      hidden: false,
      minimumBookingNotice: 120,
      beforeEventBuffer: 0,
      bookingWindow: null,
      bookingLimitsCount: {},
      bookerActiveBookingsLimit: null,
      requiresConfirmation: false,
      confirmationPolicy: null,
      recurrence: null,
      seats: null,
      price: 0,
      currency: 'usd',
      schedulingType: null,
      hosts: [],
      instantMeetingExpiryTimeOffsetInSeconds: 90,
    })
  })

  it('200 and everything is read back as it was said, and can be sent back', async () => {
    const made = await make(actors.owner, { ...FULL, length: undefined })
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ ...FULL, length: 45 })
    expect((await find(actors.owner, made.body.id)).body).toEqual(made.body)
    const { updatedAt: _, ...same } = made.body
    expect((await change(actors.owner, made.body.id, made.body)).body).toMatchObject(same)
  })

  it('200 with the next free slug where none is chosen, at once as well', async () => {
    const who = await join(actors.owner.accountId, 'staff')
    const made = await Promise.all([1, 2, 3].map(() => make(who, { title: 'Café & Chat!' })))
    expect(made.map(m => m.body.slug).sort()).toEqual(['cafe-chat', 'cafe-chat-2', 'cafe-chat-3'])
  })

  it('409 when the slug that is chosen is taken, by the same owner alone', async () => {
    await make(actors.staff, { slug: 'Taken One' })
    const again = await make(actors.staff, { slug: 'taken-one' })
    expect([again.status, again.body.details]).toEqual([
      409,
      [{ field: 'slug', message: 'This slug is taken' }],
    ])
    expect((await make(actors.colleague, { slug: 'taken-one' })).status).toBe(200)
  })
})

describe('change an event type', () => {
  it('200 and what is left out stays; null takes away', async () => {
    const { body } = await make(actors.owner, { ...FULL, slug: 'to-change', length: undefined })
    const changed = await change(actors.owner, body.id, {
      title: 'Deeper',
      length: 50,
      recurrence: null,
      seats: { seatsPerTimeSlot: 5 },
      bookerActiveBookingsLimit: null,
      requiresConfirmation: false,
      bookingWindow: null,
      bookingLimitsCount: { day: 1, week: null },
    })
    expect(changed.body).toMatchObject({
      title: 'Deeper',
      slug: 'to-change',
      length: 50,
      lengthInMinutes: 50,
      recurrence: null,
      seats: { seatsPerTimeSlot: 5, showAttendeeInfo: false, showAvailabilityCount: true },
      bookerActiveBookingsLimit: null,
      confirmationPolicy: null,
      bookingWindow: null,
      bookingLimitsCount: { day: 1 },
      locations: FULL.locations,
      price: 2500,
    })
  })

  it('409 for a taken slug, 422 for what does not go with what is there', async () => {
    const one = await make(actors.manager)
    const two = await make(actors.manager, { ...FULL, length: undefined })
    const taken = await change(actors.manager, one.body.id, { slug: 'Deep dive' })
    expect(taken.status).toBe(409)
    const seats = await change(actors.manager, two.body.id, { seats: { seatsPerTimeSlot: 2 } })
    expect([seats.status, seats.body.details]).toEqual([
      422,
      [{ field: 'seats', message: 'does not go with recurrence' }],
    ])
    const host = { hosts: [{ userId: actors.manager.userId }] }
    expect((await change(actors.manager, one.body.id, host)).status).toBe(422)
  })
})

describe('duplicate and delete an event type', () => {
  it('200 with a copy that differs in what is said', async () => {
    const { body } = await make(actors.staff, { ...FULL, slug: 'original', length: undefined })
    const made = await copy(actors.staff, {
      id: body.id,
      slug: 'A copy',
      title: 'Copy',
      length: 20,
    })
    expect(made.status).toBe(200)
    const { id: _, createdAt: _at, updatedAt: _on, ...rest } = body
    expect(made.body).toMatchObject({
      ...rest,
      slug: 'a-copy',
      title: 'Copy',
      length: 20,
      lengthInMinutes: 20,
    })
    expect((await copy(actors.staff, { id: body.id, slug: 'a-copy', title: 'X' })).status).toBe(409)
    expect((await copy(actors.staff, { id: body.id, slug: 'b' })).body.details).toEqual([
      { field: 'title', message: 'required' },
    ])
  })

  it('200 when deleted, 404 after', async () => {
    const { body } = await make(actors.staff, { title: 'Gone' })
    expect((await remove(actors.staff, body.id)).body).toEqual({ id: body.id, deleted: true })
    expect((await find(actors.staff, body.id)).status).toBe(404)
    expect((await change(actors.staff, body.id, { title: 'X' })).status).toBe(404)
  })
})

describe('list event types', () => {
  it('200 in pages, by owner, by what is searched', async () => {
    const who = await join(actors.owner.accountId, 'staff')
    for (const title of ['Alpha', 'Beta', 'Gamma 100%'])
      await make(who, { title, hidden: title === 'Beta' })
    const first = await list(who, { sort: 'title', limit: '2' })
    expect(first.items.map(t => t.title)).toEqual(['30 minute meeting', 'Alpha'])
    const next = await list(who, { sort: 'title', limit: '2', cursor: first.nextCursor })
    expect(next.items.map(t => t.title)).toEqual(['Beta', 'Gamma 100%'])
    expect(next.nextCursor).toBeNull()
    const titles = async (filter: object) =>
      (await list(actors.owner, filter)).items.map(t => t.title)
    expect(await titles({ userId: String(who.userId), hidden: 'true' })).toEqual(['Beta'])
    expect(await titles({ userId: String(who.userId), search: '0%' })).toEqual(['Gamma 100%'])
  })
})

describe('whose event types', () => {
  it('staff see and change their own alone; managers everybody’s', async () => {
    const { manager, staff, colleague } = actors
    const theirs = await make(colleague, { title: 'Theirs' })
    const { id } = theirs.body
    for (const { status } of [
      await find(staff, id),
      await change(staff, id, { title: 'Mine' }),
      await copy(staff, { id, slug: 'x', title: 'X' }),
      await remove(staff, id),
    ])
      expect(status).toBe(404)
    expect((await list(staff, { limit: '100' })).items.map(t => t.userId)).not.toContain(
      colleague.userId,
    )
    expect((await make(staff, { userId: colleague.userId })).status).toBe(403)
    expect((await change(manager, id, { title: 'Ours' })).body.title).toBe('Ours')
    expect((await make(manager, { userId: staff.userId })).body.userId).toBe(staff.userId)
  })

  it('404 for those of another account, its users and schedules', async () => {
    const { owner, stranger } = actors
    const { id } = (await make(owner, { title: 'Ours' })).body
    for (const { status } of [
      await find(stranger, id),
      await change(stranger, id, { title: 'X' }),
      await copy(stranger, { id, slug: 'x', title: 'X' }),
      await remove(stranger, id),
    ])
      expect(status).toBe(404)
    const { scheduleId } = (await list(stranger)).items[0]!
    expect((await make(owner, { scheduleId })).body.message).toBe('Schedule does not exist')
    expect((await change(owner, id, { scheduleId })).status).toBe(404)
    expect((await make(owner, { userId: stranger.userId })).body.message).toBe(
      'User does not exist',
    )
    expect((await find(owner, id)).body.scheduleId).toBeNull()
  })

  it('404 for the schedule of somebody else', async () => {
    const { owner, staff } = actors
    const all = (await list(owner, { userId: String(staff.userId), limit: '100' })).items
    const scheduleId = all.map(t => Number(t.scheduleId)).find(Boolean)
    expect((await make(owner, { title: 'Borrowed', scheduleId })).body.message).toBe(
      'Schedule does not exist',
    )
    expect((await make(owner, { title: 'Lent', scheduleId, userId: staff.userId })).status).toBe(
      200,
    )
  })
})
