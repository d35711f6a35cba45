import { randomBytes } from 'node:crypto'
import { Contract } from './contract.ts'
import type { Emulator, EmulatorContext } from './emulator.ts'

interface StoredMessage {
  sid: string
  from: string | null
  service: string | null
  to: string
  body: string
  createdAt: Date
}

/** https://www.twilio.com/docs/iam/test-credentials: the recipient that no message can reach. */
const INVALID_NUMBER = '+15005550001'
const NUMBER = /^(?:whatsapp:)?\+[1-9]\d{6,14}$/
const STOP_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'])
const START_WORDS = new Set(['START', 'YES', 'UNSTOP'])
/** Twilio counts 160 characters to a segment, 153 where there are several. */
const segmentsOf = (body: string): number => (body.length <= 160 ? 1 : Math.ceil(body.length / 153))

interface State {
  context: EmulatorContext
  messages: StoredMessage[]
  /** Numbers that answered STOP. */
  stopped: Set<string>
}

/**
 * Twilio's messages: sending, reading and listing them, and numbers that answered STOP. Twilio knows
 * no idempotency keys: what is sent twice arrives twice.
 *
 * `POST /_dev/twilio/inbound` with `{"from": "+1…", "body": "STOP"}` is somebody who writes back.
 */
export function createTwilio(context: EmulatorContext): Emulator {
  const contract = Contract.read(new URL('./contracts/twilio.json', import.meta.url))
  const state: State = { context, messages: [], stopped: new Set() }
  return {
    name: 'twilio',
    hosts: contract.hosts,
    contract,
    refuse,
    async fetch(request) {
      const operation = contract.match(request.method, request.url)
      const { AccountSid: account = '', Sid: sid } = operation?.values ?? {}
      if (!isSignedIn(request, account)) return refuse(401, 'Authenticate')
      if (!operation?.path.includes('/Messages')) return refuse(404, 'Not emulated')
      if (request.method === 'POST')
        return send(state, account, new URLSearchParams(await request.text()))
      if (!sid) return list(state, account, new URL(request.url))
      const message = state.messages.find(m => m.sid === sid)
      return message ? Response.json(describe(account, message)) : refuse(404, 'Not found')
    },
    async control(action, request) {
      if (action !== 'inbound' || request.method !== 'POST') return refuse(404, `No ${action}`)
      return writeBack(state, JSON.parse(await request.text()))
    },
  }
}

function send({ context, messages, stopped }: State, account: string, form: URLSearchParams) {
  const to = form.get('To') ?? ''
  const body = form.get('Body') ?? ''
  const [from, service] = [form.get('From'), form.get('MessagingServiceSid')]
  if (!from && !service) return refuse(400, "A 'From' phone number is required.", 21603)
  if (!body) return refuse(400, 'Message body is required.', 21602)
  if (!NUMBER.test(to) || to === INVALID_NUMBER)
    return refuse(400, `Invalid 'To' Phone Number: ${to}`, 21211)
  if (stopped.has(to)) return refuse(400, 'Attempt to send to unsubscribed recipient', 21610)
  const sid = `SM${randomBytes(16).toString('hex')}`
  const message = { sid, from, service, to, body, createdAt: context.now() }
  messages.push(message)
  const createdAt = message.createdAt.toISOString()
  const arrived = { from: from ?? service ?? '', to: to.replace('whatsapp:', ''), text: body }
  context.mailbox.add({ channel: 'sms', ...arrived, createdAt })
  return Response.json(describe(account, message), { status: 201 })
}

/** The newest first, page by page. */
function list({ messages }: State, account: string, url: URL): Response {
  const [to, from] = [url.searchParams.get('To'), url.searchParams.get('From')]
  const size = Number(url.searchParams.get('PageSize') ?? 50)
  const page = Number(url.searchParams.get('Page') ?? 0)
  const all = messages.filter(m => (!to || m.to === to) && (!from || m.from === from)).reverse()
  const shown = all.slice(page * size, (page + 1) * size)
  const pageUri = (at: number) => {
    const query = new URLSearchParams(url.search)
    query.set('Page', String(at))
    return `${url.pathname}?${query}`
  }
  return Response.json({
    messages: shown.map(m => describe(account, m)),
    page,
    page_size: size,
    start: page * size,
    end: page * size + shown.length - 1,
    uri: pageUri(page),
    first_page_uri: pageUri(0),
    next_page_uri: (page + 1) * size < all.length ? pageUri(page + 1) : null,
    previous_page_uri: page > 0 ? pageUri(page - 1) : null,
  })
}

function writeBack({ stopped }: State, { from = '', body = '' }: Record<string, string>) {
  const word = body.trim().toUpperCase()
  if (STOP_WORDS.has(word)) stopped.add(from)
  if (START_WORDS.has(word)) stopped.delete(from)
  return Response.json({ from, stopped: stopped.has(from) })
}

/** Any token opens the account that it is sent with. */
function isSignedIn(request: Request, account: string): boolean {
  const [scheme, encoded = ''] = (request.headers.get('authorization') ?? '').split(' ')
  const [user, token] = Buffer.from(encoded, 'base64').toString().split(':')
  return scheme === 'Basic' && user === account && Boolean(token)
}

const CODES: Record<number, number> = { 401: 20003, 404: 20404, 422: 21100, 429: 20429 }

function refuse(status: number, message: string, code = CODES[status] ?? 20500): Response {
  const more = `https://www.twilio.com/docs/errors/${code}`
  return Response.json({ code, message, more_info: more, status }, { status })
}

function describe(account: string, { sid, from, service, to, body, createdAt }: StoredMessage) {
  const uri = `/2010-04-01/Accounts/${account}/Messages/${sid}`
  return {
    account_sid: account,
    api_version: '2010-04-01',
    body,
    date_created: createdAt.toUTCString(),
    date_sent: null,
    date_updated: createdAt.toUTCString(),
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from,
    messaging_service_sid: service,
    num_media: '0',
    num_segments: String(segmentsOf(body)),
    price: null,
    price_unit: 'USD',
    sid,
    status: service ? 'accepted' : 'queued',
    subresource_uris: { media: `${uri}/Media.json` },
    to,
    uri: `${uri}.json`,
  }
}
