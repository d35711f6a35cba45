import { describe, expect, it, vi } from 'vitest'
import type { Base } from '#lib/core/context.ts'
import { notConfigured } from '#lib/core/errors.ts'
import { sendMessages } from './send.ts'

const base: Base = {
  now: new Date('2026-03-01T12:00:00Z'),
  elapsed: () => 0,
  requestId: 'r',
  via: 'api',
  db: { trip: () => Promise.reject(new Error('asked the database')) },
  settings: { publicUrl: '', secret: '', emailFrom: '', allowLoopback: false, deliveriesAtOnce: 5 },
  ports: {
    email: () => notConfigured('RESEND_API_KEY'),
    sms: () => notConfigured('TWILIO_ACCOUNT_SID'),
    dns: () => notConfigured('DNS_BASE_URL'),
    poster: () => notConfigured('nothing'),
    video: () => notConfigured('DAILY_API_KEY'),
  },
  admission: () => Promise.resolve(),
  after: () => {},
  enter: () => {
    throw new Error('entered an account')
  },
}

describe('sendMessages', () => {
  it('leaves the queue alone and says so once where no provider is configured', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(await sendMessages(base)).toMatchObject({ processed: 0 })
    expect(await sendMessages(base, { accountId: 1 })).toMatchObject({ processed: 0 })
    expect(warn).toHaveBeenCalledTimes(2)
    expect(warn.mock.calls[0]?.[0]).toContain('RESEND_API_KEY')
    expect(warn.mock.calls[1]?.[0]).toContain('TWILIO_ACCOUNT_SID')
    warn.mockRestore()
  })
})
