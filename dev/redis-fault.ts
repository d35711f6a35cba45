import { setTimeout as sleep } from 'node:timers/promises'

/** How requests to Redis go wrong. */
interface Fault {
  /** Only for requests that have this text, such as a counter's key. */
  contains: string
  /** Waits before the answer. */
  delayMilliseconds: number
  /** Answers this status and an error instead. */
  status?: number | undefined
  /** For so many requests. */
  times: number
}

/** Slows requests to Redis down or refuses them, as `POST /_dev/redis/fault` asks for. */
export class RedisFaults {
  private faults: Fault[] = []

  /** Waits as long as was asked for a request like this one, and tells the status to refuse it with. */
  async pass(body: string): Promise<number | undefined> {
    const fault = this.faults.find(({ contains, times }) => times > 0 && body.includes(contains))
    if (!fault) return undefined
    fault.times--
    await sleep(fault.delayMilliseconds, undefined, { ref: false })
    return fault.status
  }

  /** Takes an order; `times: 0` takes back those for the same text. */
  async order(request: Request): Promise<Response> {
    const fault = readFault(await request.text())
    if (!fault) {
      const message = 'expected {contains, delayMilliseconds?, status?, times?}'
      return Response.json({ message }, { status: 400 })
    }
    this.faults = [...this.faults.filter(({ contains }) => contains !== fault.contains), fault]
    return Response.json({ faults: this.faults })
  }
}

function readFault(text: string): Fault | undefined {
  try {
    const {
      contains,
      delayMilliseconds = 0,
      status,
      times = 1,
    } = JSON.parse(text) as Partial<Fault>
    return typeof contains === 'string' && contains !== ''
      ? { contains, delayMilliseconds: Number(delayMilliseconds), status, times: Number(times) }
      : undefined
  } catch {
    return undefined
  }
}
