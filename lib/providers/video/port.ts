/** A room that is met in, open between two instants. */
export interface Room {
  name: string
  opensAt: Date
  closesAt: Date
}

/** An event as the provider sends it: the raw body, and what it is signed with. */
export interface SignedEvent {
  body: string
  timestamp: string | undefined
  signature: string | undefined
}

/** What an event of the provider tells, as far as we listen. */
export type VideoEvent =
  | { kind: 'recording'; id: string; roomName: string }
  | { kind: 'transcript'; id: string; roomName: string | undefined; roomId: string | undefined }
  | { kind: 'transcription'; id: string }
  /** A test of our address, or something that we do not listen to. */
  | { kind: 'other' }

/** A finished transcription of a recording: where each format can be fetched. */
export interface Transcription {
  recordingId: string
  links: Record<string, string>
}

/** What we ask of a provider of video meetings. Each verb may lack a setting (503). */
export interface Video {
  /** Where a room is met in, whether it has been made or not. */
  roomUrl(name: string): string
  /**
   * Makes a room or, where there is one of that name, gives it these times.
   * @returns the provider's id of it
   */
  setRoom(room: Room): Promise<string>
  /** The name of the room that a recording was made in. */
  roomOf(recordingId: string): Promise<string>
  /** Where a recording can be fetched, for a while. */
  recordingLink(id: string): Promise<string>
  /** Where a live transcript can be fetched, for a while. */
  transcriptLink(id: string): Promise<string>
  /** What a transcription of a recording came to. */
  transcription(id: string): Promise<Transcription>
  /**
   * Reads an event; undefined for one that is not signed, or signed wrongly or too long ago.
   * @param now the moment that it arrived
   */
  readEvent(signed: SignedEvent, now: Date): Promise<VideoEvent | undefined>
}

/** The provider refused, or did not answer. */
export class VideoError extends Error {}
