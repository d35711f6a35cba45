import { setTimeout as sleep } from 'node:timers/promises'
import type { SentRequest } from './contract.ts'
import type { Emulator } from './emulator.ts'

/** A request or an answer that its provider's contract does not allow. */
export interface Violation {
  emulator: string
  where: string
  problems: string[]
}

/** How the next requests to an emulator go wrong. */
interface Fault {
  /** The status to answer; 0 breaks the connection. */
  status: number
  times: number
  /** Only for paths that begin so. */
  path?: string
  /** Only for requests whose URL or body has this text, such as a name or a recipient's address. */
  contains?: string
  /** Waits before the answer; with status 200 the request then goes through. */
  delayMilliseconds?: number
  /** The request goes through, and its answer is lost on the way. */
  answerLost?: boolean
}

/** The outbound Worker makes a network error of an answer with this header. */
const BROKEN_CONNECTION = 'x-broken-connection'

/** No service of that name exists here: outbound requests never leave the machine. */
const UNKNOWN_HOST = 599

/**
 * Answers every outbound request of the Workers by its host name, checks both directions against
 * the provider's contract and remembers what was wrong.
 */
export class EmulatorHost {
  private readonly byHost = new Map<string, Emulator>()
  private readonly byName = new Map<string, Emulator>()
  private readonly faults = new Map<string, Fault[]>()
  private found: Violation[] = []

  constructor(emulators: Emulator[]) {
    for (const emulator of emulators) {
      this.byName.set(emulator.name, emulator)
      for (const host of emulator.hosts) this.byHost.set(host, emulator)
    }
  }

  /** What broke a contract since the start or the last reset. */
  get violations(): readonly Violation[] {
    return this.found
  }

  resetViolations(): void {
    this.found = []
  }

  /** Answers a request to an outside service. */
  async fetch(request: Request): Promise<Response> {
    const { hostname } = new URL(request.url)
    const emulator = this.byHost.get(hostname)
    if (!emulator) return new Response(`No emulator for ${hostname}`, { status: UNKNOWN_HOST })
    const sent = await readRequest(request)
    const fault = this.takeFault(emulator, sent)
    if (fault?.delayMilliseconds) await sleep(fault.delayMilliseconds)
    if (fault?.status === 0 && !fault.answerLost) return broken()
    if (fault && fault.status !== 200 && !fault.answerLost)
      return emulator.refuse(fault.status, 'This fault was asked for')
    const problems = emulator.contract.checkRequest(sent)
    if (problems.length > 0) {
      this.report(emulator, sent, 'request', problems)
      return emulator.refuse(422, problems.join('; '))
    }
    const answer = await this.answer(emulator, sent)
    return fault?.answerLost ? broken() : answer
  }

  /** Answers `/_dev/<name>/…`, undefined when no emulator has that name. */
  async control(name: string, action: string, request: Request): Promise<Response | undefined> {
    const emulator = this.byName.get(name)
    if (!emulator) return undefined
    if (action === 'fault' && request.method === 'POST') return this.addFault(name, request)
    const answer = await emulator.control?.(action, request)
    return answer ?? Response.json({ message: `${name} has no action ${action}` }, { status: 404 })
  }

  private async answer(emulator: Emulator, sent: SentRequest): Promise<Response> {
    const body = sent.body || undefined
    const response = await emulator.fetch(
      new Request(sent.url, { method: sent.method, headers: sent.headers, body }),
    )
    const text = await response.clone().text()
    const { contract } = emulator
    const problems = contract.checkResponse(sent.method, sent.url, response.status, text)
    if (problems.length > 0) this.report(emulator, sent, `answer ${response.status}`, problems)
    return response
  }

  private report(emulator: Emulator, sent: SentRequest, what: string, problems: string[]): void {
    const where = `${what} of ${sent.method} ${sent.url}`
    this.found.push({ emulator: emulator.name, where, problems })
  }

  private takeFault(emulator: Emulator, sent: SentRequest): Fault | undefined {
    const { pathname } = new URL(sent.url)
    const faults = this.faults.get(emulator.name) ?? []
    const fault = faults.find(
      ({ times, path = '/', contains = '' }) =>
        times > 0 && pathname.startsWith(path) && `${sent.url} ${sent.body}`.includes(contains),
    )
    if (fault) fault.times--
    return fault
  }

  private async addFault(name: string, request: Request): Promise<Response> {
    const fault = readFault(await request.text())
    if (!fault)
      return Response.json(
        {
          message:
            'expected {status: 0 or 200 to 599, times?, path?, contains?, delayMilliseconds?, answerLost?}',
        },
        { status: 400 },
      )
    const waiting = (this.faults.get(name) ?? []).filter(entry => entry.times > 0)
    // `times: 0` takes back what was asked for.
    this.faults.set(name, fault.times > 0 ? [...waiting, fault] : [])
    return Response.json({ faults: this.faults.get(name) })
  }
}

function broken(): Response {
  return new Response(null, { status: 502, headers: { [BROKEN_CONNECTION]: 'true' } })
}

function readFault(text: string): Fault | undefined {
  try {
    const { status, times = 1, ...rest } = JSON.parse(text) as Partial<Fault>
    const valid = status === 0 || (Number(status) >= 200 && Number(status) <= 599)
    return valid ? { ...rest, status: Number(status), times } : undefined
  } catch {
    return undefined
  }
}

async function readRequest(request: Request): Promise<SentRequest> {
  return {
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  }
}
