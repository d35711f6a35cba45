import { describe, expect, it } from 'vitest'
import { queryInt, timeZone } from './schemas.ts'

describe('timeZone', () => {
  it.each([
    'UTC',
    'America/New_York',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT-14',
    'Asia/Kolkata',
  ])('takes %s', zone => expect(timeZone.safeParse(zone).success).toBe(true))

  // The runtime knows them all; to Postgres they are another zone, or none.
  it.each(['IST', 'ACT', 'EST', 'AET', 'PRT', 'CTT', 'US/Pacific-New', 'SystemV/EST5'])(
    'refuses %s, which the database understands in another way',
    zone => expect(timeZone.safeParse(zone).success).toBe(false),
  )

  it.each(['', '+02:00', 'GMT+5', 'Mars/Olympus', 'America', 'Europe/Berlin; --', 'x'.repeat(65)])(
    'refuses "%s", which is none',
    zone => expect(timeZone.safeParse(zone).success).toBe(false),
  )
})

describe('queryInt', () => {
  const number = queryInt(-5, 100)
  it.each([
    ['7', 7],
    ['007', 7],
    ['-5', -5],
    ['100', 100],
  ])('reads %s', (text, value) => expect(number.parse(text)).toBe(value))
  it.each(['', ' 7', '7.0', '7e0', '0x7', '+7', '٧', '101', '-6', 'seven', '99999999999999999999'])(
    'refuses "%s"',
    text => expect(number.safeParse(text).success).toBe(false),
  )
})
