/** A POST to an address of somebody else's. */
export interface OutgoingPost {
  url: string
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * What came of it: the status that was answered, or what kept it from being answered. A redirect is
 * an answer like others; it is not followed.
 */
export interface PostOutcome {
  status: number | null
  /** `timeout` after 10 s without an answer, `unreachable` when there was no connection. */
  fault: 'timeout' | 'unreachable' | null
  /** From sending to the answer's headers, or to giving up. */
  durationMs: number
}

/** Posts to addresses of others. What they answer beyond the status is thrown away. */
export interface Poster {
  post(request: OutgoingPost): Promise<PostOutcome>
}
