import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { daily } from './daily.ts'

const SECRET = Buffer.from('a secret of the webhook').toString('base64')
const NOW = new Date('2027-03-03T16:00:00Z')
const AT = String(NOW.getTime() / 1000)
const body = JSON.stringify({
  version: '1.0.0',
  type: 'recording.ready-to-download',
  id: 'rec-rtd-1',
  payload: { type: 'cloud', recording_id: 'r1', room_name: 'almanac-u', status: 'finished' },
  event_ts: NOW.getTime() / 1000,
})

const signed = (timestamp = AT, secret = SECRET, signs = `${timestamp}.${body}`) => ({
  body,
  timestamp,
  signature: createHmac('sha256', Buffer.from(secret, 'base64')).update(signs).digest('base64'),
})
const read = (event: object, webhookSecret: string | undefined = SECRET) =>
  daily({ webhookSecret }).readEvent({ ...signed(), ...event }, NOW)

describe('an event of Daily', () => {
  it('is read when it is signed over its time and body, in seconds or milliseconds', async () => {
    const recording = { kind: 'recording', id: 'r1', roomName: 'almanac-u' }
    expect(await read(signed())).toEqual(recording)
    expect(await read(signed(String(NOW.getTime() - 60_000)))).toEqual(recording)
  })

  it('is refused when it was changed, signed by another, too long ago, or not at all', async () => {
    const seconds = (by: number) => String(NOW.getTime() / 1000 + by)
    for (const event of [
      { body: `${body} ` },
      { timestamp: seconds(1) },
      { signature: undefined },
      { timestamp: undefined },
      signed(AT, Buffer.from('another').toString('base64')),
      signed(AT, SECRET, body),
      signed(seconds(-301)),
      signed(seconds(301)),
      signed('soon'),
    ])
      expect(await read(event), JSON.stringify(event)).toBeUndefined()
  })

  it('is another where it is the test of our address, or tells nothing that we know', async () => {
    const test = { body: '{"test": "test"}', signature: undefined, timestamp: undefined }
    expect(await read(test)).toEqual({ kind: 'other' })
    const of = (text: string) => {
      const signs = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(`${AT}.${text}`)
      return read({ body: text, timestamp: AT, signature: signs.digest('base64') })
    }
    for (const text of [
      '{"type":"meeting.ended","payload":{"meeting_id":"m"}}',
      '{"type":"recording.ready-to-download","payload":null}',
      '{}',
      '[1',
      'null',
    ])
      expect(await of(text), text).toEqual({ kind: 'other' })
  })
})

it('503 that names the setting which a verb lacks', async () => {
  const lacking = daily({})
  const unset = (name: string) => ({ status: 503, message: expect.stringContaining(name) })
  expect(() => lacking.roomUrl('x')).toThrow(/DAILY_DOMAIN/)
  await expect(lacking.readEvent(signed(), NOW)).rejects.toMatchObject(
    unset('DAILY_WEBHOOK_SECRET'),
  )
  await expect(lacking.recordingLink('r')).rejects.toMatchObject(unset('DAILY_API_KEY'))
})
