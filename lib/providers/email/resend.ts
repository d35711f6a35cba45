import { type Email, EmailError, type OutgoingEmail } from './port.ts'

const TIMEOUT_MS = 10_000

/**
 * Refusals that say nothing of the e-mail: a key that the operator will put right, the same e-mail
 * still under way, too many requests.
 */
const PASSING = new Set([401, 403, 408, 409, 429])

interface Answer {
  id?: string
  name?: string
  message?: string
}

/** Base64 of UTF-8 text. */
const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const toWire = (email: OutgoingEmail) => ({
  from: email.from,
  to: [email.to],
  subject: email.subject,
  text: email.text,
  html: email.html,
  ...(email.replyTo ? { reply_to: email.replyTo } : {}),
  ...(email.headers ? { headers: email.headers } : {}),
  ...(email.attachments
    ? {
        attachments: email.attachments.map(a => ({
          filename: a.filename,
          content: base64(a.content),
          content_type: a.contentType,
        })),
      }
    : {}),
})

/** Resend (https://resend.com/docs/api-reference/emails/send-email): one POST per e-mail. */
export const resend = (apiKey: string, baseUrl = 'https://api.resend.com'): Email => ({
  async send(email, key) {
    const response = await fetch(`${baseUrl}/emails`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(toWire(email)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status } = response
    const answer = await response.json<Answer>().catch(() => undefined)
    if (response.ok && answer?.id) return answer.id
    if (status === 409 && answer?.name === 'invalid_idempotent_request') return ''
    const permanent = status >= 400 && status < 500 && !PASSING.has(status)
    throw new EmailError(`Resend answered ${status}: ${answer?.message ?? ''}`, permanent)
  },
})
