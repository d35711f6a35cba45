import { notConfigured } from '#lib/core/errors.ts'
import { sameText } from '#lib/core/text.ts'
import { type SignedEvent, type Video, VideoError, type VideoEvent } from './port.ts'

const TIMEOUT_MS = 10_000

/** How far from now the time of a signed event may be: older ones could be repeated by others. */
const WINDOW_MS = 5 * 60_000

/** What our account at Daily needs; each verb says what it lacks. */
export interface DailyConfig {
  apiKey?: string | undefined
  /** The subdomain of daily.co that rooms are met at. */
  domain?: string | undefined
  /** Base64, as Daily gives it to whoever sets up the webhook. */
  webhookSecret?: string | undefined
  baseUrl?: string | undefined
}

/** Requests to Daily's API. */
function requests({ apiKey, baseUrl = 'https://api.daily.co/v1' }: DailyConfig) {
  const ask = async <R>(path: string, body?: object): Promise<{ status: number; answer: R }> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${apiKey ?? notConfigured('DAILY_API_KEY')}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status } = response
    const answer = await response.json<R>().catch(() => {
      throw new VideoError(`Daily answered ${status} to ${path} with something else than JSON`)
    })
    return { status, answer }
  }
  const get = async <R>(path: string): Promise<R> => {
    const { status, answer } = await ask<R>(path)
    if (status !== 200) throw new VideoError(`Daily answered ${status} to GET ${path}`)
    return answer
  }
  const link = async (path: string) =>
    (await get<{ download_link: string }>(`${path}/access-link`)).download_link
  return { ask, get, link }
}

/** Daily (https://docs.daily.co/reference/rest-api). */
export function daily(config: DailyConfig): Video {
  const { domain, webhookSecret } = config
  const { ask, get, link } = requests(config)
  return {
    roomUrl: name => `https://${domain ?? notConfigured('DAILY_DOMAIN')}.daily.co/${name}`,
    async setRoom({ name, opensAt, closesAt }) {
      const properties = { nbf: seconds(opensAt), exp: seconds(closesAt) }
      const made = await ask<{ id: string }>('/rooms', { name, privacy: 'public', properties })
      if (made.status === 200) return made.answer.id
      if (made.status !== 400) throw new VideoError(`Daily answered ${made.status} to POST /rooms`)
      const set = await ask<{ id: string }>(`/rooms/${encodeURIComponent(name)}`, { properties })
      if (set.status === 200) return set.answer.id
      throw new VideoError(`Daily answered ${set.status} to POST /rooms/${name}`)
    },
    roomOf: async id => (await get<{ room_name: string }>(`/recordings/${part(id)}`)).room_name,
    recordingLink: id => link(`/recordings/${part(id)}`),
    transcriptLink: id => link(`/transcript/${part(id)}`),
    async transcription(id) {
      const job = `/batch-processor/${part(id)}`
      const [{ input }, { transcription }] = await Promise.all([
        get<{ input: { recordingId: string } }>(job),
        get<{ transcription: { format: string; link: string }[] }>(`${job}/access-link`),
      ])
      const links = transcription.map(({ format, link }) => [format, link])
      return { recordingId: input.recordingId, links: Object.fromEntries(links) }
    },
    readEvent: async (signed, now) =>
      readSigned(signed, webhookSecret ?? notConfigured('DAILY_WEBHOOK_SECRET'), now),
  }
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
const part = encodeURIComponent

/** Sent once, unsigned, when the webhook is set up: only a 200 is wanted. */
const TEST = '{"test":"test"}'

async function readSigned(
  { body, timestamp, signature }: SignedEvent,
  secret: string,
  now: Date,
): Promise<VideoEvent | undefined> {
  if (body.replace(/\s/g, '') === TEST) return { kind: 'other' }
  if (!timestamp || !signature || !isRecent(timestamp, now)) return undefined
  if (!sameText(signature, await sign(secret, `${timestamp}.${body}`))) return undefined
  return eventOf(body)
}

/** Seconds or milliseconds since 1970. */
function isRecent(timestamp: string, now: Date): boolean {
  const number = Number(timestamp)
  const at = number < 1e11 ? number * 1000 : number
  return /^\d{9,14}$/.test(timestamp) && Math.abs(now.getTime() - at) <= WINDOW_MS
}

/** HMAC-SHA-256 in base64, by the secret that is base64 itself. */
async function sign(secret: string, text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret), character => character.charCodeAt(0))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const made = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(made)))
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

interface Wire {
  type?: string
  payload?: Record<string, unknown> | null
}

function parsed(body: string): Wire {
  try {
    const wire: Wire | null = JSON.parse(body)
    return wire ?? {}
  } catch {
    return {}
  }
}

/** What a body tells that Daily has signed. */
function eventOf(body: string): VideoEvent {
  const { type, payload: told } = parsed(body)
  const payload = told ?? {}
  const [roomName, roomId] = [textOf(payload.room_name), textOf(payload.room_id)]
  const id = textOf(payload.recording_id) ?? textOf(payload.id)
  if (!id) return { kind: 'other' }
  if (type === 'recording.ready-to-download' && roomName) return { kind: 'recording', id, roomName }
  if (type === 'transcript.ready-to-download') return { kind: 'transcript', id, roomName, roomId }
  const isTranscription = payload.preset === undefined || payload.preset === 'transcript'
  if (type === 'batch-processor.job-finished' && isTranscription)
    return { kind: 'transcription', id }
  return { kind: 'other' }
}
