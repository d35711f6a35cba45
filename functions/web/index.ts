import { createApp } from '#lib/http/app.ts'

export default createApp().get('/health', c => c.json({ status: 'ok' }))
