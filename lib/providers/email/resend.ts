import { type Email, EmailError, type OutgoingEmail } from './port.ts'

const TIMEOUT_MS = 10_000

/** Base64 of UTF-8 text. */
const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const toWire = (email: OutgoingEmail) => ({
  from: email.from,
  to: [email.to],
  subject: email.subject,
  text: email.text,
  html: email.html,
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
    const answer = await response.json<{ id?: string; message?: string }>().catch(() => undefined)
    if (response.ok && answer?.id) return answer.id
    const permanent = response.status >= 400 && response.status < 500 && response.status !== 429
    throw new EmailError(`Resend answered ${response.status}: ${answer?.message ?? ''}`, permanent)
  },
})
