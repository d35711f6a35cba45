/** What the plain sweep needs to know; instants are minutes since the epoch. */
interface PlainFacts {
  company: { policy: { minNoticeMinutes: number; horizonDays: number } }
  service: { duration: number }
  employees: {
    id: number
    timeZone: string
    hours: { weekly: { day: number; intervals: { start: string; end: string }[] }[] }
    busy: number[]
  }[]
}

interface PlainSlot {
  startTime: string
  endTime: string
  start: string
  end: string
  employeeIds: number[]
  spotsOpen: 1
  spotsTotal: 1
}

const DAY = 1440
const STEP = 15
const ZONE = 'America/New_York'

const offsets = new Map<number, number>()
const format = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, timeZoneName: 'longOffset' })

/** Minutes east of UTC at noon of a day: clocks change at night, when nobody works here. */
function offsetOn(day: number): number {
  let offset = offsets.get(day)
  if (offset === undefined) {
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)$/.exec(
      format.format((day * DAY + 960) * 60_000),
    )!
    offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    offsets.set(day, offset)
  }
  return offset
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const dates = new Map<number, string>()

/** `2026-03-08T17:00:00.000`; a day's date is made once. */
function wallClock(minutes: number): string {
  const day = Math.floor(minutes / DAY)
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * 86_400_000).toISOString().slice(0, 10)
    dates.set(day, date)
  }
  const hour = Math.floor((minutes - day * DAY) / 60)
  const minute = minutes - day * DAY - hour * 60
  return `${date}T${hour < 10 ? '0' : ''}${hour}:${minute < 10 ? '0' : ''}${minute}:00.000`
}

const offsetText = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${String(Math.abs(offset) / 60).padStart(2, '0')}:00`

/**
 * The slots of a month, as plainly as the businesses of the benches allow: one zone in the whole
 * hours of which clocks change at night, the same hours each week, neither buffers nor sessions.
 */
export function listPlainly(facts: PlainFacts, from: string, to: string, nowMs: number) {
  const { company, service, employees } = facts
  const earliest = nowMs / 60_000 + company.policy.minNoticeMinutes
  const latest = nowMs / 60_000 + company.policy.horizonDays * DAY
  const first = Date.parse(from) / 86_400_000
  const last = Date.parse(to) / 86_400_000
  const slots: Record<string, PlainSlot[]> = {}
  for (let day = first; day <= last; day++) {
    const offset = offsetOn(day)
    const found = new Map<number, number[]>()
    for (const { id, hours, busy } of employees)
      for (const { day: weekday, intervals } of hours.weekly) {
        if (weekday !== (day + 4) % 7) continue
        for (const interval of intervals) {
          const end = day * DAY + minuteOf(interval.end) - offset - service.duration
          let start = day * DAY + minuteOf(interval.start) - offset
          let next = 0
          for (; start <= end; start += STEP) {
            if (start < earliest || start > latest) continue
            while (next < busy.length && busy[next + 1]! <= start) next += 2
            if (next < busy.length && busy[next]! < start + service.duration) continue
            const ids = found.get(start)
            if (ids) ids.push(id)
            else found.set(start, [id])
          }
        }
      }
    if (found.size > 0)
      slots[wallClock(day * DAY).slice(0, 10)] = listed(found, service.duration, offset)
  }
  return { timeZone: ZONE, slots }
}

function listed(found: Map<number, number[]>, duration: number, offset: number): PlainSlot[] {
  const text = offsetText(offset)
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([start, employeeIds]) => ({
      startTime: `${wallClock(start)}Z`,
      endTime: `${wallClock(start + duration)}Z`,
      start: wallClock(start + offset) + text,
      end: wallClock(start + duration + offset) + text,
      employeeIds,
      spotsOpen: 1,
      spotsTotal: 1,
    }))
}

/** What the plain sweep needs to know of an event type whose hosts take turns. */
interface PlainHosts {
  eventType: { length: number; notice: number }
  hosts: {
    schedule: { availability: { days: string[]; startTime: string; endTime: string }[] }
    busy: number[]
  }[]
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** When any of the hosts is free, by days of UTC, on which all of their hours lie. */
export function listStartsPlainly(
  { eventType, hosts }: PlainHosts,
  from: string,
  to: string,
  nowMs: number,
) {
  const { length, notice } = eventType
  const earliest = nowMs / 60_000 + notice
  const last = Date.parse(to) / 86_400_000
  const days: Record<string, { start: string; end: string }[]> = {}
  for (let day = Date.parse(from) / 86_400_000; day <= last; day++) {
    const midnight = day * DAY - offsetOn(day)
    const weekday = WEEKDAYS[(day + 4) % 7]!
    const free = new Set<number>()
    for (const { schedule, busy } of hosts)
      for (const { days: named, startTime, endTime } of schedule.availability) {
        if (!named.includes(weekday)) continue
        const end = midnight + minuteOf(endTime) - length
        let next = 0
        for (let start = midnight + minuteOf(startTime); start <= end; start += length) {
          if (start < earliest) continue
          while (next < busy.length && busy[next + 1]! <= start) next += 2
          if (next >= busy.length || busy[next]! >= start + length) free.add(start)
        }
      }
    if (free.size === 0) continue
    days[wallClock(day * DAY).slice(0, 10)] = [...free]
      .sort((a, b) => a - b)
      .map(start => ({ start: `${wallClock(start)}Z`, end: `${wallClock(start + length)}Z` }))
  }
  return days
}
