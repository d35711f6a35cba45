import { bookingRecordings } from '#drizzle/schema/bookings.ts'
import type { Visitor } from '#lib/core/context.ts'
import { unauthorized } from '#lib/core/errors.ts'
import { bookingByRoom } from '#lib/db/entrances.ts'
import { lostTo } from '#lib/db/meanings.ts'
import { lookUp } from '#lib/db/query.ts'
import type { SignedEvent, Video, VideoEvent } from '#lib/providers/video/port.ts'
import { type EventDetails, emitBookings } from './events.ts'
import { roomName } from './places.ts'

/** What the provider of video meetings is answered. */
export interface Received {
  received: true
}

const RECEIVED: Received = { received: true }

/** What was recorded: in which room, and how its links are found. */
interface Recorded {
  kind: 'recording' | 'transcript'
  externalId: string
  roomName?: string | undefined
  roomId?: string | undefined
  links(): Promise<NonNullable<EventDetails['recording']>>
}

const EVENTS = {
  recording: 'RECORDING_READY',
  transcript: 'RECORDING_TRANSCRIPTION_GENERATED',
} as const

/** The uid in the name of a room of ours. */
const uidOf = (name: string | undefined): string | null => {
  const prefix = roomName('')
  return name?.startsWith(prefix) ? name.slice(prefix.length) : null
}

async function recordedOf(event: VideoEvent, video: Video): Promise<Recorded | undefined> {
  if (event.kind === 'other') return undefined
  const { kind, id } = event
  if (kind === 'recording')
    return {
      ...{ kind, externalId: id, roomName: event.roomName },
      links: async () => ({ recording: await video.recordingLink(id) }),
    }
  if (kind === 'transcript')
    return {
      ...{ kind, externalId: id, roomName: event.roomName, roomId: event.roomId },
      links: async () => ({
        transcription: { vtt: await video.transcriptLink(id) },
        recording: null,
      }),
    }
  const { recordingId, links } = await video.transcription(id)
  return {
    ...{ kind: 'transcript', externalId: id, roomName: await video.roomOf(recordingId) },
    links: async () => ({
      transcription: links,
      recording: await video.recordingLink(recordingId),
    }),
  }
}

/**
 * Takes an event of the provider of video meetings: a recording, or a transcript, of a meeting that is
 * booked here is told of, once however often the provider says so. Others are received and left.
 * @throws UNAUTHORIZED for an event that is not signed, or wrongly or too long ago; INTERNAL_ERROR
 * (503) when the deployment has no DAILY_WEBHOOK_SECRET
 */
export async function receiveVideoEvent(v: Visitor, signed: SignedEvent): Promise<Received> {
  await v.admission()
  const video = v.ports.video()
  const event = (await video.readEvent(signed, v.now)) ?? unauthorized('The signature is not valid')
  const recorded = await recordedOf(event, video)
  if (!recorded) return RECEIVED
  const { kind, externalId } = recorded
  const uid = uidOf(recorded.roomName)
  const roomId = recorded.roomId ?? null
  const booking = await lookUp(v.db, bookingByRoom, { uid, roomId, kind, externalId })
  if (!booking || booking.isTold) return RECEIVED
  const { accountId, id: bookingId } = booking
  const recording = await recorded.links()
  const write = v.enter(accountId).write('booking.recorded', bookingId)
  write.insert(bookingRecordings, { bookingId, kind, externalId, createdAt: v.now.toISOString() })
  emitBookings(write, v, EVENTS[kind], [bookingId], { recording })
  return write.commit(RECEIVED).catch(error => {
    if (lostTo(error) !== 'booking_recordings_once') throw error
    return RECEIVED
  })
}
