import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calibrate, type Host, nextHost } from './fair.ts'

type Counted = { -readonly [K in keyof Host]: Host[K] }

const host = (id: number, weight = 100, more: Partial<Host> = {}): Counted => ({
  id,
  weight,
  assigned: 0,
  calibration: 0,
  ...more,
})
const everybody = (hosts: readonly Host[]) => new Set(hosts.map(h => h.id))
const turns = (h: Host) => h.assigned + h.calibration

/** Gives one turn and answers whose it was. */
function turn(hosts: readonly Counted[], available = everybody(hosts)): Counted {
  const id = nextHost(hosts, available)
  const chosen = hosts.find(h => h.id === id)!
  chosen.assigned++
  return chosen
}

/** How far the host who is furthest off is from what their weight is due. */
function deviation(hosts: readonly Host[]): number {
  const taking = hosts.filter(h => !h.isFixed && h.weight > 0)
  const weights = taking.reduce((sum, h) => sum + h.weight, 0)
  const total = taking.reduce((sum, h) => sum + turns(h), 0)
  return Math.max(...taking.map(h => Math.abs(turns(h) - (h.weight * total) / weights)))
}

const weights = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 12 })
const ROUNDING = 1e-6

describe('nextHost', () => {
  it('goes round by id where all are equal', () => {
    const hosts = [host(3), host(1), host(2)]
    expect(Array.from({ length: 7 }, () => turn(hosts).id)).toEqual([1, 2, 3, 1, 2, 3, 1])
  })

  it('spreads the turns of a heavy host among those of the others', () => {
    const hosts = [host(1, 3), host(2, 2)]
    const order = [1, 2, 1, 1, 2]
    expect(Array.from({ length: 10 }, () => turn(hosts).id)).toEqual([...order, ...order])
  })

  it('puts a higher priority first among equals, without giving it more', () => {
    const hosts = [host(1), host(2, 100, { priority: 4 }), host(3)]
    expect(Array.from({ length: 6 }, () => turn(hosts).id)).toEqual([2, 1, 3, 2, 1, 3])
  })

  it('is nobody a whole turn off their due after any of 10,000 turns, whatever the weights', () => {
    const property = fc.property(weights, given => {
      const hosts = given.map((weight, index) => host(index + 1, weight))
      for (let step = 0; step < 10_000; step++) {
        turn(hosts)
        if (deviation(hosts) >= 1) return false
      }
      return true
    })
    fc.assert(property, { numRuns: 12, seed: 20260308 })
  })

  it('is nobody more than a turn off while hosts join and weights change', () => {
    const event = fc.record({
      after: fc.integer({ min: 0, max: 40 }),
      weight: fc.integer({ min: 1, max: 500 }),
      who: fc.nat(),
    })
    const property = fc.property(weights, fc.array(event, { maxLength: 12 }), (given, events) => {
      let hosts = given.map((weight, index) => host(index + 1, weight))
      for (const { after, weight, who } of events) {
        for (let step = 0; step < after; step++) turn(hosts)
        const at = who % (hosts.length + 1)
        const wanted = hosts.map((h, i) => (i === at ? { ...h, weight } : h))
        if (at === hosts.length) wanted.push(host(hosts.length + 1, weight))
        const calibrations = calibrate(hosts, wanted)
        hosts = wanted.map((h, i) => ({ ...h, calibration: calibrations[i]! }))
        for (let step = 0; step < 30; step++) {
          turn(hosts)
          if (deviation(hosts) > 1 + ROUNDING) return false
        }
      }
      return true
    })
    fc.assert(property, { numRuns: 200, seed: 7 })
  })

  it('is always somebody who is available, and the same for the same question', () => {
    const question = fc.array(
      fc.record({
        weight: fc.integer({ min: 0, max: 300 }),
        assigned: fc.nat(50),
        calibration: fc.double({ min: 0, max: 50, noNaN: true }),
        isFree: fc.boolean(),
      }),
      { maxLength: 8 },
    )
    const property = fc.property(question, list => {
      const hosts = list.map((h, index) => ({ ...h, id: index + 1 }))
      const free = new Set(hosts.filter(h => h.isFree).map(h => h.id))
      const chosen = nextHost(hosts, free)
      expect(nextHost(hosts.toReversed(), free)).toBe(chosen)
      if (chosen === undefined) expect(free.size).toBe(0)
      else expect(free.has(chosen)).toBe(true)
    })
    fc.assert(property, { seed: 11 })
  })

  it('gives who was away their turns later, and the others theirs in proportion meanwhile', () => {
    const hosts = [host(1), host(2), host(3)]
    const present = new Set([1, 2])
    for (let step = 0; step < 10; step++) turn(hosts, present)
    expect(hosts.map(h => h.assigned)).toEqual([5, 5, 0])
    for (let step = 0; step < 5; step++) turn(hosts)
    expect(hosts.map(h => h.assigned)).toEqual([5, 5, 5])
  })

  it('passes a weight of 0 over, unless nobody else is available', () => {
    const hosts = [host(1, 0), host(2, 0), host(3, 1)]
    for (let step = 0; step < 20; step++) expect(turn(hosts).id).toBe(3)
    const spare = new Set([1, 2])
    expect([turn(hosts, spare).id, turn(hosts, spare).id, turn(hosts, spare).id]).toEqual([1, 2, 1])
    expect(nextHost(hosts, new Set())).toBeUndefined()
  })
})

describe('calibrate', () => {
  it('lets a newcomer neither catch up nor wait', () => {
    const old = [host(1), host(2)]
    for (let step = 0; step < 100; step++) turn(old)
    const wanted = [...old, host(3)]
    expect(calibrate(old, wanted)).toEqual([0, 0, 50])
    const hosts = [...old, host(3, 100, { calibration: 50 })]
    for (let step = 0; step < 30; step++) turn(hosts)
    expect(hosts.map(h => h.assigned)).toEqual([60, 60, 10])
  })

  it('begins anew where nobody stays', () => {
    expect(calibrate([host(1, 100, { assigned: 9 })], [host(2), host(3)])).toEqual([0, 0])
    expect(calibrate([], [host(1)])).toEqual([0])
  })

  it('goes on from the present when a weight changes, and when a fixed host takes turns', () => {
    const current = [
      host(1, 100, { assigned: 10 }),
      host(2, 100, { assigned: 10 }),
      host(3, 100, { isFixed: true }),
    ]
    const wanted = [host(1), host(2, 200), host(3)]
    expect(calibrate(current, wanted)).toEqual([0, 10, 10])
    expect(calibrate(current, [host(1), host(2, 0), host(3, 100, { isFixed: true })])).toEqual([
      0, 0, 0,
    ])
  })
})
