import type { EmulatorHost } from './emulators/host.ts'
import { messageOf } from './failure.ts'
import type { Mailbox, MessageFilter } from './mailbox.ts'
import { renderMessage, renderMessages } from './messages-page.ts'
import type { RedisThread } from './redis-thread.ts'

/** What the control surface shows and moves. */
export interface ControlTarget {
  mailbox: Mailbox
  emulators: EmulatorHost
  /** The names of the jobs that can be fired. */
  jobs: readonly string[]
  /** Runs a job to its end as if it were `now`, and tells how it went (`ok`, `exception`). */
  runJob(job: string, now: Date): Promise<string>
  /** How Redis is to go wrong. */
  redis: Pick<RedisThread, 'order'>
  /** Round trips since the start. */
  stats(): { sqlTrips: number; redisTrips: number }
}

/**
 * Answers `/_dev/…`: the page of messages, messages as JSON, firing a job, violations, trip
 * counts, and what a person would do at an emulated provider. Only the local platform has it.
 */
export async function answerControl(target: ControlTarget, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const [first = '', ...rest] = url.pathname.split('/').slice(2)
  const action = rest.join('/')
  switch (`${request.method} ${first}`) {
    case 'GET ':
      return html(renderMessages(target.mailbox.list(filterOf(url)), filterOf(url)))
    case 'GET messages':
      return action ? showMessage(target, action) : listMessages(target, filterOf(url))
    case 'POST cron':
      return fireJob(target, action, url.searchParams.get('now'))
    case 'GET violations':
      return Response.json({ violations: target.emulators.violations })
    case 'DELETE violations':
      target.emulators.resetViolations()
      return Response.json({ violations: [] })
    case 'POST redis':
      if (action === 'fault') return target.redis.order(request)
      break
    case 'GET stats':
      return Response.json(target.stats())
  }
  const answer = await target.emulators.control(first, action, request)
  return answer ?? Response.json({ message: `Nothing at ${url.pathname}` }, { status: 404 })
}

function filterOf(url: URL): MessageFilter {
  const { searchParams } = url
  return {
    channel: searchParams.get('channel') ?? undefined,
    to: searchParams.get('to') ?? undefined,
  }
}

function listMessages({ mailbox }: ControlTarget, filter: MessageFilter): Response {
  return Response.json({ messages: mailbox.list(filter) })
}

function showMessage({ mailbox }: ControlTarget, id: string): Response {
  const message = mailbox.find(id)
  return message
    ? html(renderMessage(message))
    : Response.json({ message: `No message ${id}` }, { status: 404 })
}

async function fireJob(target: ControlTarget, job: string, given: string | null) {
  if (!target.jobs.includes(job)) {
    const message = `No job ${job}: there are ${target.jobs.join(', ')}`
    return Response.json({ message, jobs: target.jobs }, { status: 404 })
  }
  const now = given === null ? new Date() : readInstant(given)
  if (!now) {
    const message = `now is not an ISO instant with a time zone: ${given}`
    return Response.json({ message }, { status: 400 })
  }
  try {
    const result = await target.runJob(job, now)
    return Response.json(
      { job, now: now.toISOString(), result },
      { status: result === 'ok' ? 200 : 500 },
    )
  } catch (error) {
    return Response.json(
      { job, now: now.toISOString(), result: 'exception', message: messageOf(error) },
      { status: 500 },
    )
  }
}

/** A `+` of an offset that was not escaped in the query arrives as a space. */
function readInstant(given: string): Date | undefined {
  const text = given.replace(' ', '+')
  const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const instant = new Date(text)
  return isInstant && !Number.isNaN(instant.getTime()) ? instant : undefined
}

function html(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}
