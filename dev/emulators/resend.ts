import { randomUUID } from 'node:crypto'
import { Contract } from './contract.ts'
import type { Emulator, EmulatorContext } from './emulator.ts'

/** An e-mail as Resend takes it: https://resend.com/docs/api-reference/emails/send-email */
interface Email {
  from: string
  to: string | string[]
  cc?: string | string[]
  bcc?: string | string[]
  reply_to?: string | string[]
  subject: string
  html?: string
  text?: string
  headers?: Record<string, string>
  attachments?: { filename?: string; content?: string; content_type?: string }[]
}

interface StoredEmail extends Email {
  id: string
  createdAt: string
}

/** Resend keeps the answer to an idempotency key for 24 hours. */
const IDEMPOTENCY_MILLISECONDS = 24 * 60 * 60 * 1000

/** Resend: sending one or many, reading, with idempotency keys. Every recipient gets a message. */
export function createResend(context: EmulatorContext): Emulator {
  const contract = Contract.read(new URL('./contracts/resend.json', import.meta.url))
  const emails = new Map<string, StoredEmail>()
  const answers = new Map<string, { body: string; answer: string; expiresAt: number }>()

  const send = (email: Email): { id: string } => {
    const stored = { ...email, id: randomUUID(), createdAt: context.now().toISOString() }
    emails.set(stored.id, stored)
    deliver(context, stored)
    return { id: stored.id }
  }

  const sendOnce = (key: string | null, body: string, create: () => unknown): Response => {
    const known = key === null ? undefined : answers.get(key)
    const now = context.now().getTime()
    if (known && known.expiresAt > now) {
      if (known.body === body) return jsonText(known.answer)
      return refuse(409, 'This idempotency key was used with another body')
    }
    const answer = JSON.stringify(create())
    if (key !== null) answers.set(key, { body, answer, expiresAt: now + IDEMPOTENCY_MILLISECONDS })
    return jsonText(answer)
  }

  return {
    name: 'resend',
    hosts: contract.hosts,
    contract,
    refuse,
    async fetch(request) {
      if (!/^Bearer re_\w+/.test(request.headers.get('authorization') ?? ''))
        return refuse(401, 'API key is missing or invalid')
      const operation = contract.match(request.method, request.url)
      const key = request.headers.get('idempotency-key')
      const body = await request.text()
      if (request.method === 'POST' && operation?.path === '/emails')
        return sendOnce(key, body, () => send(JSON.parse(body) as Email))
      if (request.method === 'POST' && operation?.path === '/emails/batch')
        return sendOnce(key, body, () => ({ data: (JSON.parse(body) as Email[]).map(send) }))
      if (request.method === 'GET' && operation?.path === '/emails/{email_id}') {
        const email = emails.get(operation.values.email_id ?? '')
        return email ? Response.json(describe(email)) : refuse(404, 'Email not found')
      }
      return refuse(501, `The emulator does not answer ${request.method} ${operation?.path}`)
    },
  }
}

const NAMES: Record<number, string> = {
  401: 'missing_api_key',
  404: 'not_found',
  409: 'invalid_idempotent_request',
  422: 'validation_error',
  429: 'rate_limit_exceeded',
}

function refuse(status: number, message: string): Response {
  const name = NAMES[status] ?? 'application_error'
  return Response.json({ statusCode: status, name, message }, { status })
}

function jsonText(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

function deliver({ mailbox }: EmulatorContext, email: StoredEmail): void {
  for (const to of [...list(email.to), ...list(email.cc), ...list(email.bcc)]) {
    mailbox.add({
      channel: 'email',
      from: email.from,
      to: bareAddress(to),
      subject: email.subject,
      text: email.text ?? null,
      html: email.html ?? null,
      replyTo: list(email.reply_to),
      headers: email.headers ?? {},
      attachments: (email.attachments ?? []).map(attachment => ({
        filename: attachment.filename ?? null,
        contentType: attachment.content_type ?? null,
        content: attachment.content ?? null,
      })),
      createdAt: email.createdAt,
    })
  }
}

function describe(email: StoredEmail) {
  return {
    object: 'email',
    id: email.id,
    to: list(email.to),
    from: email.from,
    created_at: email.createdAt,
    subject: email.subject,
    html: email.html ?? null,
    text: email.text ?? null,
    last_event: 'delivered',
  }
}

function list(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}

/** `Name <a@b>` is delivered to `a@b`. */
function bareAddress(address: string): string {
  return /<([^>]+)>\s*$/.exec(address)?.[1] ?? address
}
