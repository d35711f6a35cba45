import { beforeAll, describe, expect, it } from 'vitest'
import { createEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { type Actors, as, makeActors } from './actors.ts'

let actors: Actors
beforeAll(async () => {
  actors = await makeActors()
})

const RECURRENCE = { frequency: 'weekly', interval: 2, occurrences: 6 }

describe('create an event type', () => {
  it.each([
    ['length', { length: 0 }, 'must be at least 1'],
    ['length', { length: 1441 }, 'must be at most 1440'],
    ['length', { length: undefined }, 'required'],
    ['lengthInMinutes', { lengthInMinutes: 45 }, 'differs from length'],
    ['title', { title: ' ' }, 'must be at least 1 character long'],
    ['slug', { slug: '!!' }, 'must have a letter or a digit'],
    ['price', { price: -1 }, 'must be at least 0'],
    ['minimumBookingNotice', { minimumBookingNotice: -5 }, 'must be at least 0'],
    ['seats.seatsPerTimeSlot', { seats: { seatsPerTimeSlot: 1001 } }, 'must be at most 1000'],
    [
      'recurrence',
      { recurrence: RECURRENCE, seats: { seatsPerTimeSlot: 2 } },
      'does not go with seats',
    ],
    [
      'recurrence.occurrences',
      { recurrence: { ...RECURRENCE, occurrences: 53 } },
      'must be at most 52',
    ],
    [
      'bookingLimitsCount.week',
      { bookingLimitsCount: { day: 3, week: 2 } },
      'must be at least that of day',
    ],
    [
      'bookingWindow.value',
      { bookingWindow: { type: 'range', value: ['2031-02-01', '2031-01-01'] } },
      'must not end before it begins',
    ],
    [
      'bookingFields.0.options',
      { bookingFields: [{ type: 'radio', slug: 'a', label: 'A' }] },
      'required',
    ],
    [
      'bookingFields.1.slug',
      {
        bookingFields: [
          { type: 'text', slug: 'a', label: 'A' },
          { type: 'text', slug: 'a', label: 'B' },
        ],
      },
      'stands here twice',
    ],
    ['confirmationPolicy.noticeThreshold', { confirmationPolicy: { type: 'time' } }, 'required'],
    [
      'requiresConfirmation',
      { requiresConfirmation: false, confirmationPolicy: { type: 'always' } },
      'differs from confirmationPolicy',
    ],
    [
      'metadata',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) },
      'must have at most 50 entries',
    ],
    ['hosts', { hosts: [{ userId: 1 }] }, 'is for the event types of teams only'],
    ['schedulingType', { schedulingType: 'collective' }, 'is for the event types of teams only'],
    [
      'successRedirectUrl',
      { successRedirectUrl: 'javascript:alert(1)' },
      'expected an http(s) URL',
    ],
    [
      'locations.0.type',
      { locations: [{ type: 'moon' }] },
      expect.stringContaining('"address", "link"'),
    ],
  ])('422 for a wrong %s', async (field, input, message) => {
    const { status, body } = await as(actors.owner, createEventType, NewEventType, {
      title: 'Wrong',
      length: 30,
      ...input,
    })
    expect(status).toBe(422)
    expect(body.details).toEqual([{ field, message }])
  })
})
