import { notFound } from '#lib/core/errors.ts'
import { createApp } from '#lib/http/app.ts'
import { answerAsset } from '#lib/pages/assets.ts'
import { present } from '#lib/pages/error.tsx'
import { signedIn } from '#lib/pages/guard.ts'
import { bookingPages } from './bookings.ts'
import { entryPages } from './entry.ts'
import { eventPages } from './event-pages.ts'
import { joinPages } from './join.ts'
import { showHome } from './pages/home.tsx'
import { showLanding } from './pages/landing.tsx'
import { unsubscribePages } from './unsubscribe.ts'

export default createApp('/', present, { ahead: answerAsset })
  .get('/health', c => c.json({ status: 'ok' }))
  .get('/assets/:file', () => notFound('File'))
  .get('/', c => showLanding(c))
  .get('/home', signedIn, c => showHome(c, c.var.ctx))
  .route('/', entryPages)
  .route('/e', bookingPages)
  .route('/unsubscribe', unsubscribePages)
  .route('/connect-and-join', joinPages)
  // Last: what is no page of ours may be a user's.
  .route('/', eventPages)
