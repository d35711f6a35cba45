import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** A message that the product sent to one person. */
export interface Message {
  id: string
  channel: 'email' | 'sms'
  from: string
  to: string
  subject: string | null
  text: string | null
  html: string | null
  replyTo: string[]
  headers: Record<string, string>
  /** `content` is base64, as it was sent. */
  attachments: { filename: string | null; contentType: string | null; content: string | null }[]
  /** UTC instant of the sending. */
  createdAt: string
}

/** What has to be said of a message; the rest is empty. */
export type NewMessage = Pick<Message, 'channel' | 'from' | 'to' | 'createdAt'> & Partial<Message>

/** Which messages are asked for; an address is compared without case, and in part. */
export interface MessageFilter {
  channel?: string
  to?: string
}

/** The messages that the emulated providers accepted, kept in a file across restarts. */
export class Mailbox {
  private messages: Message[] = []

  /** `file` has one message per line; without it nothing is kept. */
  constructor(private readonly file?: string) {
    if (file && existsSync(file)) this.messages = readMessages(file)
  }

  add(message: NewMessage): Message {
    const complete: Message = {
      id: randomUUID(),
      subject: null,
      text: null,
      html: null,
      replyTo: [],
      headers: {},
      attachments: [],
      ...message,
    }
    this.messages.push(complete)
    if (this.file) appendFileSync(this.file, `${JSON.stringify(complete)}\n`)
    return complete
  }

  find(id: string): Message | undefined {
    return this.messages.find(message => message.id === id)
  }

  /** Newest first. */
  list({ channel, to }: MessageFilter = {}): Message[] {
    const wanted = to?.toLowerCase()
    return this.messages
      .filter(message => !channel || message.channel === channel)
      .filter(message => !wanted || message.to.toLowerCase().includes(wanted))
      .reverse()
  }
}

/** A line that was cut off by a kill is left out. */
function readMessages(file: string): Message[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(line => {
      try {
        return line ? [JSON.parse(line) as Message] : []
      } catch {
        return []
      }
    })
}
