import { randomUUID } from 'node:crypto'
import { Contract } from './contract.ts'
import type { Emulator, EmulatorContext } from './emulator.ts'

interface StoredRoom {
  id: string
  name: string
  privacy: string
  createdAt: Date
  config: { nbf?: number; exp?: number }
}

interface State {
  context: EmulatorContext
  rooms: Map<string, StoredRoom>
  /** Which room each recording was made in, by its id. */
  recordings: Map<string, { roomName: string; start: number }>
  /** Which recording each transcription is of, by the id of its job. */
  jobs: Map<string, string>
}

const FORMATS = ['json', 'srt', 'txt', 'vtt']
const DOMAIN = 'almanac-local'

/**
 * Daily: rooms, and links to recordings and transcripts. `POST /_dev/daily/record` with
 * `{"room": "…"}` records a meeting in a room and has it transcribed, and answers the ids that Daily's
 * events would name; `GET /_dev/daily/rooms` lists the rooms.
 */
export function createDaily(context: EmulatorContext): Emulator {
  const contract = Contract.read(new URL('./contracts/daily.json', import.meta.url))
  const state: State = { context, rooms: new Map(), recordings: new Map(), jobs: new Map() }
  return {
    name: 'daily',
    hosts: contract.hosts,
    contract,
    refuse: (status, message) => refuse(status, 'server-error', message),
    fetch: async request => {
      const [kind = '', id = '', more] = new URL(request.url).pathname.split('/').slice(2)
      if (kind === 'rooms') return roomsOf(state, id, request)
      return answerOf(state, kind, id, more === 'access-link')
    },
    control: (action, request) => control(state, action, request),
  }
}

const refuse = (status: number, error: string, info: string): Response =>
  Response.json({ error, info }, { status })
const notFound = (what: string) => refuse(404, 'not-found', `${what} not found`)

const shown = ({ id, name, privacy, createdAt, config }: StoredRoom) => ({
  ...{ id, name, privacy, config, api_created: true },
  url: `https://${DOMAIN}.daily.co/${name}`,
  created_at: createdAt.toISOString(),
})

async function roomsOf({ rooms, context }: State, at: string, request: Request): Promise<Response> {
  const known = rooms.get(at)
  if (at && !known) return notFound('room')
  if (known && request.method === 'GET') return Response.json(shown(known))
  const { name, privacy, properties } = (await request.json()) as {
    name: string
    privacy: string
    properties: StoredRoom['config']
  }
  if (known) {
    known.config = { ...known.config, ...properties }
    return Response.json(shown(known))
  }
  if (rooms.has(name))
    return refuse(400, 'invalid-request-error', `a room named ${name} already exists`)
  const room = { id: randomUUID(), name, privacy, createdAt: context.now(), config: properties }
  rooms.set(name, room)
  return Response.json(shown(room))
}

const fileAt = (name: string) => `https://daily-files.example.com/${name}?signature=local`

function answerOf(state: State, kind: string, id: string, isLink: boolean): Response {
  const recording = state.recordings.get(kind === 'transcript' ? id.replace(/^t-/, '') : id)
  if (kind === 'recordings' && recording && !isLink)
    return Response.json({
      ...{ id, room_name: recording.roomName, start_ts: recording.start, status: 'finished' },
    })
  if (kind === 'recordings' && recording)
    return Response.json({ download_link: fileAt(`${id}.mp4`), expires: recording.start + 3600 })
  if (kind === 'transcript' && recording && isLink)
    return Response.json({ transcriptId: id, download_link: fileAt(`${id}.vtt`) })
  const recordingId = kind === 'batch-processor' ? state.jobs.get(id) : undefined
  if (!recordingId) return notFound(kind)
  const job = { id, preset: 'transcript', status: 'finished' }
  if (!isLink) return Response.json({ ...job, input: { sourceType: 'recordingId', recordingId } })
  const transcription = FORMATS.map(format => ({ format, link: fileAt(`${id}.${format}`) }))
  return Response.json({ ...job, transcription })
}

async function control(state: State, action: string, request: Request): Promise<Response> {
  if (action === 'rooms') return Response.json({ rooms: [...state.rooms.values()].map(shown) })
  if (action !== 'record' || request.method !== 'POST')
    return Response.json({ message: 'expected POST record or GET rooms' }, { status: 404 })
  const { room } = (await request.json()) as { room: string }
  const [recordingId, jobId] = [randomUUID(), randomUUID()]
  const start = Math.floor(state.context.now().getTime() / 1000)
  state.recordings.set(recordingId, { roomName: room, start })
  state.jobs.set(jobId, recordingId)
  return Response.json({ recordingId, jobId, transcriptId: `t-${recordingId}` })
}
