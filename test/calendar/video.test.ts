import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { queryDatabase } from '../database.ts'
import { fireJob, platform } from '../platform.ts'
import {
  bodyOf,
  book,
  type Calendar,
  createCalendar,
  eventsOf,
  newAddress,
  visitor,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const DAILY = { locations: '[{"type": "integrations:daily"}]' }
const PATH = '/api/webhooks/video'

interface DailyRoom {
  id: string
  name: string
  url: string
  config: { nbf: number; exp: number }
}

const daily = async <R>(action: string, body?: object): Promise<R> => {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await (await fetch(`${platform().url}/_dev/daily/${action}`, init)).json()) as R
}
const roomOf = async (uid: unknown) =>
  (await daily<{ rooms: DailyRoom[] }>('rooms')).rooms.find(r => r.name === `almanac-${uid}`)
const record = (uid: unknown) =>
  daily<{ recordingId: string; jobId: string; transcriptId: string }>('record', {
    room: `almanac-${uid}`,
  })

/** Sends what Daily would, signed as Daily signs. */
function send(type: string, payload: object, { age = 0, secret = '' } = {}) {
  const body = JSON.stringify({ version: '1.0.0', type, id: 'e', payload, event_ts: 1 })
  const timestamp = String(Math.floor(Date.now() / 1000) - age)
  const key = secret || platform().bindings.DAILY_WEBHOOK_SECRET!
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${timestamp}.${body}`)
    .digest('base64')
  return visitor.post(PATH, body, {
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
    'x-test-client': newAddress(),
  })
}

const payloadsOf = async ({ account }: Calendar, type: string) =>
  (
    await queryDatabase<{ payload: Record<string, unknown> }>(
      'select payload from events where account_id = $1 and type = $2 order by id',
      [account.accountId, type],
    )
  ).map(e => e.payload)

async function met() {
  const calendar = await createCalendar(DAILY)
  const { status, body } = await book(bodyOf(calendar.eventTypeId, AT))
  expect(status).toBe(201)
  return { calendar, uid: body.uid, body }
}

describe('a room of Daily', () => {
  test('is known when it is booked, made by the job, and opens when the meeting is', async () => {
    const { calendar, uid, body } = await met()
    expect(body).toMatchObject({
      location: 'integrations:daily',
      meetingUrl: `https://almanac-local.daily.co/almanac-${uid}`,
    })
    expect(await roomOf(uid)).toBeUndefined()
    const now = new Date('2027-03-01T12:01:00Z')
    await Promise.all([fireJob('rooms', now), fireJob('rooms', now)])
    const seconds = (at: string) => Date.parse(at) / 1000
    expect(await roomOf(uid)).toMatchObject({
      url: body.meetingUrl,
      config: { nbf: seconds('2027-03-03T14:45:00Z'), exp: seconds('2027-03-03T17:30:00Z') },
    })
    const later = '2027-03-04T15:00:00Z'
    await book({ ...bodyOf(calendar.eventTypeId, later), rescheduleUid: uid })
    await fireJob('rooms', now)
    expect((await roomOf(uid))?.config.nbf).toBe(seconds('2027-03-04T14:45:00Z'))
  })

  test('is made by the next job where Daily did not answer', async () => {
    const { uid } = await met()
    const fault = { status: 500, times: 1, contains: `almanac-${uid}` }
    await daily('fault', fault)
    const now = new Date('2027-03-01T12:01:00Z')
    await fireJob('rooms', now)
    expect(await roomOf(uid)).toBeUndefined()
    await fireJob('rooms', now)
    expect(await roomOf(uid)).toBeDefined()
  })
})

describe('POST /api/webhooks/video', () => {
  test('200 and a recording is told of, once however often Daily says so', async () => {
    const { calendar, uid } = await met()
    const { recordingId } = await record(uid)
    const payload = { recording_id: recordingId, room_name: `almanac-${uid}`, status: 'finished' }
    const tell = () => send('recording.ready-to-download', payload)
    const all = await Promise.all([tell(), tell(), tell(), tell()])
    all.push(await tell())
    for (const { status, body } of all)
      expect([status, body.data]).toEqual([200, { received: true }])
    expect(await payloadsOf(calendar, 'RECORDING_READY')).toEqual([
      expect.objectContaining({
        uid,
        downloadLink: expect.stringContaining(`/${recordingId}.mp4`),
        attendees: [expect.objectContaining({ name: 'Zoe', email: 'zoe@example.com' })],
      }),
    ])
    const second = { ...payload, recording_id: (await record(uid)).recordingId }
    await send('recording.ready-to-download', second)
    expect(await payloadsOf(calendar, 'RECORDING_READY')).toHaveLength(2)
  })

  test('200 and a transcription is told of in all its formats, with its recording', async () => {
    const { calendar, uid } = await met()
    const { recordingId, jobId } = await record(uid)
    for (let n = 0; n < 2; n++)
      await send('batch-processor.job-finished', { id: jobId, preset: 'transcript' })
    const [payload, ...more] = await payloadsOf(calendar, 'RECORDING_TRANSCRIPTION_GENERATED')
    expect(more).toEqual([])
    const at = (format: string) => expect.stringContaining(`/${jobId}.${format}`)
    expect(payload).toMatchObject({
      downloadLinks: {
        transcription: { json: at('json'), srt: at('srt'), txt: at('txt'), vtt: at('vtt') },
        recording: expect.stringContaining(`/${recordingId}.mp4`),
      },
    })
  })

  test('200 and a live transcript is told of, by the room’s name or by its id', async () => {
    const { calendar, uid } = await met()
    await fireJob('rooms', new Date('2027-03-01T12:01:00Z'))
    const { id } = (await roomOf(uid))!
    const [named, known] = [await record(uid), await record(uid)]
    const type = 'transcript.ready-to-download'
    await send(type, { id: named.transcriptId, room_name: `almanac-${uid}` })
    await send(type, { id: known.transcriptId, room_id: id })
    const told = await payloadsOf(calendar, 'RECORDING_TRANSCRIPTION_GENERATED')
    expect(told.map(p => p.downloadLinks)).toEqual([
      { transcription: { vtt: expect.stringContaining(named.transcriptId) }, recording: null },
      { transcription: { vtt: expect.stringContaining(known.transcriptId) }, recording: null },
    ])
  })

  test('401 for a wrong signature, an old one, or none; nothing is told of', async () => {
    const { calendar, uid } = await met()
    const { recordingId } = await record(uid)
    const payload = { recording_id: recordingId, room_name: `almanac-${uid}` }
    const type = 'recording.ready-to-download'
    const secret = Buffer.from('another').toString('base64')
    for (const answer of [
      await send(type, payload, { secret }),
      await send(type, payload, { age: 301 }),
      await send(type, payload, { age: -301 }),
      await visitor.post(PATH, { type, payload }),
    ])
      expect([answer.status, answer.body.error]).toEqual([401, 'UNAUTHORIZED'])
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })

  test('200 for Daily’s test, other events, and rooms that are not met in here', async () => {
    const elsewhere = await createCalendar()
    const { body } = await book(bodyOf(elsewhere.eventTypeId, AT))
    const { recordingId } = await record(body.uid)
    const ready = (room_name: string) =>
      send('recording.ready-to-download', { recording_id: recordingId, room_name })
    for (const { status } of [
      await visitor.post(PATH, '{"test":"test"}'),
      await send('meeting.ended', { meeting_id: 'm' }),
      await ready('somebody-else'),
      await ready(`almanac-${body.uid}`),
    ])
      expect(status).toBe(200)
    expect(await eventsOf(elsewhere)).toEqual(['BOOKING_CREATED'])
  })
})
