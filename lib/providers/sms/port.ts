/** A text message to one number. */
export interface OutgoingSms {
  /** E.164; with `whatsapp:` before it, a WhatsApp message. */
  to: string
  text: string
}

/** What we ask of a provider of text messages. None of them knows a repetition by a key of ours. */
export interface Sms {
  /**
   * Sends one message.
   * @returns the provider's id of it
   * @throws SmsError when the provider refuses, cannot be reached, or leaves open whether it sent
   */
  send(sms: OutgoingSms): Promise<string>
  /**
   * The ids of messages in these words to this number that the provider has accepted since an
   * instant, the oldest first: how a try whose answer was lost is found again.
   * @throws SmsError when the provider cannot say
   */
  find(sms: OutgoingSms, since: Date): Promise<string[]>
}

/**
 * What a failed call means: `refused` for good; refused as `unsubscribed`, because the number asked
 * for no more; not sent, but another time perhaps (`later`); `unknown`, it may have been sent.
 */
export type SmsFailure = 'refused' | 'unsubscribed' | 'later' | 'unknown'

/** A message that was not sent, or not surely. */
export class SmsError extends Error {
  constructor(
    message: string,
    readonly failure: SmsFailure,
  ) {
    super(message)
  }
}
