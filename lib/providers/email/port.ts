/** An e-mail to one person. */
export interface OutgoingEmail {
  from: string
  to: string
  /** Where an answer goes, if not to the sender. */
  replyTo?: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  attachments?: { filename: string; content: string; contentType: string }[]
}

/** What we ask of an e-mail provider. */
export interface Email {
  /**
   * Sends one e-mail. The same `key` never sends twice.
   * @returns the provider's id of the message; '' when an earlier try with this key was accepted in
   *   other words, so that nothing was sent now
   * @throws EmailError when the provider refuses or cannot be reached
   */
  send(email: OutgoingEmail, key: string): Promise<string>
}

/** `permanent` failures (a bad address) are not tried again. */
export class EmailError extends Error {
  constructor(
    message: string,
    readonly permanent: boolean,
  ) {
    super(message)
  }
}
