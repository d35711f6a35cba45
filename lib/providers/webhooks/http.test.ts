import { afterEach, describe, expect, it, vi } from 'vitest'
import { httpPoster } from './http.ts'

const request = {
  url: 'https://hooks.example.com/in',
  headers: {},
  body: new Uint8Array([123, 125]),
}

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Lets every post be answered so, and remembers by which signals it could have been ended. */
function answering(answer: () => Response): AbortSignal[] {
  const signals: AbortSignal[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    if (init.signal) signals.push(init.signal)
    return answer()
  })
  return signals
}

const bodied = (length: string | null) =>
  new Response('x'.repeat(10), { headers: length === null ? {} : { 'content-length': length } })

describe('httpPoster', () => {
  it('has one timer for what begins together, which leaves each its 10 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const signals = answering(() => new Response(null))
    let now = 0
    const poster = httpPoster(() => now)
    for (now of [5000, 5100, 5249, 5250, 9000]) await poster.post(request)
    const [first, second, third, fourth, fifth] = signals
    expect([second, third]).toEqual([first, first])
    expect(fourth).not.toBe(first)
    expect(fifth).not.toBe(fourth)
    // The third begins 249 ms after its timer.
    expect(timeout.mock.calls).toEqual([[10_250], [10_250], [10_250]])
  })

  it.each([
    ['reads a short answer, by which its connection can be used again', '10', true, false],
    ['hangs up on a long one', '4097', false, true],
    ['hangs up on one that does not say how long it is', null, false, true],
    ['has nothing to do for an empty one', '0', false, false],
  ])('%s', async (_, length, isRead, isCancelled) => {
    const answer = bodied(length)
    const read = vi.spyOn(answer, 'arrayBuffer')
    const cancelled = vi.spyOn(answer.body!, 'cancel')
    answering(() => answer)
    const outcome = await httpPoster(() => 0).post(request)
    expect(outcome).toEqual({ status: 200, fault: null, durationMs: 0 })
    expect(read.mock.calls.length > 0).toBe(isRead)
    expect(cancelled.mock.calls.length > 0).toBe(isCancelled)
  })
})
