import { describe, expect, it } from 'vitest'
import { Lanes } from './lanes.ts'

interface Item {
  lane: string
  slow?: boolean
  bad?: boolean
}

/** Lanes whose work ends when the test says so. */
function open({ total = 6, perLane = 2, slowTotal = 3 } = {}) {
  const running: { item: Item; end(): void }[] = []
  const work = (item: Item) =>
    new Promise<Item>(resolve => {
      const entry = {
        item,
        end() {
          running.splice(running.indexOf(entry), 1)
          resolve(item)
        },
      }
      running.push(entry)
    })
  const lanes = new Lanes<Item, Item>(
    {
      total,
      lane: item => item.lane,
      perLane: () => perLane,
      isGood: item => item.bad !== true,
      isSlow: item => item.slow === true,
      slowTotal,
    },
    work,
  )
  return { lanes, running, names: () => running.map(({ item }) => item.lane).join('') }
}
const items = (names: string, slow = false): Item[] => [...names].map(lane => ({ lane, slow }))
const tick = () => new Promise(resolve => setTimeout(resolve, 1))

describe('Lanes', () => {
  it('begin with one of a lane, and take twice as many after each that went well', async () => {
    const { lanes, running, names } = open({ perLane: 4, total: 20 })
    lanes.add(items('aaaaaaaaaab'))
    expect(names()).toBe('ab')
    running[0]!.end()
    await tick()
    expect(names()).toBe('baa')
    running[1]!.end()
    await tick()
    expect(names()).toBe('baaaa')
    running[1]!.end()
    await tick()
    expect(names()).toBe('baaaa')
    expect(lanes.size).toBe(11)
  })

  it('begin again with one after what went wrong', async () => {
    const { lanes, running, names } = open()
    lanes.add([{ lane: 'a' }, { lane: 'a', bad: true }, ...items('aaaa')])
    running[0]!.end()
    await tick()
    expect(names()).toBe('aa')
    running[0]!.end()
    await tick()
    expect(names()).toBe('a')
    running[0]!.end()
    await tick()
    expect(names()).toBe('aa')
  })

  it('work on so many in all', () => {
    const { lanes, names } = open()
    lanes.add(items('abcdefgh'))
    expect(names()).toBe('abcdef')
  })

  it('leave room beside what is slow', () => {
    const { lanes, names } = open()
    lanes.add([...items('abcde', true), ...items('xyz')])
    expect(names()).toBe('abcxyz')
  })

  it('give out what is finished, soon after the first, without waiting for the last', async () => {
    const { lanes, running } = open()
    lanes.add(items('abc'))
    const taken = lanes.take(9, 20)
    running[0]!.end()
    running[0]!.end()
    expect((await taken).map(({ lane }) => lane)).toEqual(['a', 'b'])
    expect(lanes.size).toBe(1)
    const last = lanes.take(9, 10_000)
    running[0]!.end()
    expect(await last).toEqual([{ lane: 'c', slow: false }])
    expect(lanes.size).toBe(0)
    expect(await lanes.take(9, 1)).toEqual([])
  })

  it('give out as many as were asked for, no fewer and without waiting for more', async () => {
    const { lanes, running } = open()
    lanes.add(items('abcd'))
    const taken = lanes.take(3, 10_000)
    for (let n = 0; n < 3; n++) {
      running[0]!.end()
      await tick()
    }
    expect((await taken).map(({ lane }) => lane)).toEqual(['a', 'b', 'c'])
  })

  it('tell what waits in lanes that stand still', async () => {
    const { lanes, running } = open()
    lanes.add(items('aaaabbb'))
    expect(lanes.stalled).toEqual([])
    running[0]!.end()
    await lanes.take(9, 1)
    expect(lanes.stalled).toEqual(items('bb'))
    running.find(({ item }) => item.lane === 'b')!.end()
    await lanes.take(9, 1)
    expect(lanes.stalled).toEqual(items('a'))
  })

  it('give back what was not begun, of one lane or of all', () => {
    const { lanes, names } = open()
    lanes.add(items('aaabbbcc'))
    expect(names()).toBe('abc')
    expect(lanes.drop('a')).toEqual(items('aa'))
    expect(lanes.drop()).toEqual(items('bbc'))
    expect(lanes.size).toBe(3)
  })
})
