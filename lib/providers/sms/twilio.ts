import { type OutgoingSms, type Sms, SmsError, type SmsFailure } from './port.ts'

/** What a deployment says of its Twilio account. */
export interface TwilioSettings {
  /** `AC…` */
  accountSid: string
  authToken: string
  /** The number (E.164) that messages come from, or a messaging service (`MG…`). */
  from: string
  /** The number that WhatsApp messages come from, where there is one. */
  whatsappFrom?: string | undefined
  baseUrl?: string | undefined
}

const TIMEOUT_MS = 10_000
const PAGE_SIZE = 100
/** So many messages to one number are looked through for a lost one. */
const MAX_PAGES = 5
/** A lost try may bear a time of Twilio's clock that is a little before ours. */
const CLOCK_SLACK_MS = 60_000

/** https://www.twilio.com/docs/api/errors/21610: the recipient answered STOP. */
const UNSUBSCRIBED = 21_610

/** Refusals that say nothing of the message: a key that will be put right, too many requests. */
const PASSING = new Set([401, 403, 429])

interface Message {
  sid: string
  body: string
  /** RFC 2822. */
  date_created: string
}

interface Answer {
  sid?: string
  code?: number
  message?: string
  messages?: Message[]
  next_page_uri?: string | null
}

/** Twilio's Messages (https://www.twilio.com/docs/messaging/api/message-resource): one form post each. */
export function twilio(settings: TwilioSettings): Sms {
  const { accountSid, authToken, baseUrl = 'https://api.twilio.com' } = settings
  const authorization = `Basic ${btoa(`${accountSid}:${authToken}`)}`
  const messages = `/2010-04-01/Accounts/${accountSid}/Messages.json`

  const call = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const headers = { authorization }
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal }).catch(error => {
      throw new SmsError(`Twilio did not answer: ${String(error)}`, 'unknown')
    })
    const answer = await response.json<Answer>().catch(() => undefined)
    if (response.ok && answer) return answer
    const { status } = response
    const words = `Twilio answered ${status}: ${answer?.code ?? ''} ${answer?.message ?? ''}`
    throw new SmsError(words.trim(), failureOf(status, answer?.code))
  }

  return {
    async send(sms) {
      const body = new URLSearchParams({ To: sms.to, ...senderOf(sms, settings), Body: sms.text })
      const { sid } = await call(messages, { method: 'POST', body })
      if (!sid) throw new SmsError('Twilio answered without a sid', 'unknown')
      return sid
    },

    async find(sms, since) {
      const earliest = since.getTime() - CLOCK_SLACK_MS
      const found: string[] = []
      const query = new URLSearchParams({ To: sms.to, PageSize: String(PAGE_SIZE) })
      let path: string | null = `${messages}?${query}`
      for (let page = 0; path && page < MAX_PAGES; page++) {
        const answer: Answer = await call(path)
        // The newest come first.
        const recent = (answer.messages ?? []).filter(m => Date.parse(m.date_created) >= earliest)
        // A trial account puts words of Twilio's own before ours.
        found.push(...recent.filter(m => m.body.endsWith(sms.text)).map(m => m.sid))
        const all = recent.length === answer.messages?.length
        path = (all && answer.next_page_uri) || null
      }
      return found.reverse()
    },
  }
}

function senderOf(
  { to }: OutgoingSms,
  { from, whatsappFrom }: TwilioSettings,
): Record<string, string> {
  if (to.startsWith('whatsapp:')) {
    if (!whatsappFrom) throw new SmsError('TWILIO_WHATSAPP_FROM is not set', 'refused')
    return { From: `whatsapp:${whatsappFrom}` }
  }
  return from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }
}

/** Without an answer of Twilio's own, or with one of trouble within, a message may have been sent. */
function failureOf(status: number, code: number | undefined): SmsFailure {
  if (code === UNSUBSCRIBED) return 'unsubscribed'
  if (PASSING.has(status)) return 'later'
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown'
}
