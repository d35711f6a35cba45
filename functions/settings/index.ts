import { Hono } from 'hono'
import { createApp } from '#lib/http/app.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { present } from '#lib/pages/error.tsx'
import { inBrowser } from '#lib/pages/guard.ts'
import { authorizePages } from './authorize.ts'
import { pageRoutes } from './forms.ts'
import { appsPage } from './pages/apps.tsx'
import { absencePage, awayPage } from './pages/away.tsx'
import { businessPage } from './pages/business.tsx'
import { clientPage } from './pages/client.tsx'
import { clientsPage } from './pages/clients.tsx'
import { keysPage } from './pages/keys.tsx'
import { passwordPage } from './pages/password.tsx'
import { peoplePage } from './pages/people.tsx'
import { profilePage } from './pages/profile.tsx'
import { schedulePage } from './pages/schedule.tsx'
import { schedulesPage } from './pages/schedules.tsx'
import { teamPage } from './pages/team.tsx'
import { teamsPage } from './pages/teams.tsx'
import { webhookPage } from './pages/webhook.tsx'
import { webhooksPage } from './pages/webhooks.tsx'

/** The pages of those who run a business: their own, and the business's. */
const settingsPages = new Hono<AppEnv>()
  .get('/', inBrowser, c => c.redirect('/settings/profile', 303))
  .route('/', pageRoutes('/profile', profilePage))
  .route('/', pageRoutes('/password', passwordPage))
  .route('/', pageRoutes('/business', businessPage))
  .route('/', pageRoutes('/keys', keysPage))
  .route('/', pageRoutes('/schedules', schedulesPage))
  .route('/', pageRoutes('/schedules/:id', schedulePage))
  .route('/', pageRoutes('/away', awayPage))
  .route('/', pageRoutes('/away/:id', absencePage))
  .route('/', pageRoutes('/people', peoplePage))
  .route('/', pageRoutes('/teams', teamsPage))
  .route('/', pageRoutes('/teams/:id', teamPage))
  .route('/', pageRoutes('/webhooks', webhooksPage))
  .route('/', pageRoutes('/webhooks/:id', webhookPage))
  .route('/', pageRoutes('/clients', clientsPage))
  .route('/', pageRoutes('/clients/:id', clientPage))
  .route('/', pageRoutes('/apps', appsPage))

/** The pages of those who have signed in: settings, and the consent to what applications ask for. */
export default createApp('/', present)
  .route('/settings', settingsPages)
  .route('/auth/oauth2', authorizePages)
