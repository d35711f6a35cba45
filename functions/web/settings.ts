import { Hono } from 'hono'
import type { AppEnv } from '#lib/http/exchange.ts'
import { pageRoutes } from './forms.ts'
import { inBrowser } from './guard.ts'
import { appsPage } from './pages/settings/apps.tsx'
import { absencePage, awayPage } from './pages/settings/away.tsx'
import { clientPage } from './pages/settings/client.tsx'
import { clientsPage } from './pages/settings/clients.tsx'
import { keysPage } from './pages/settings/keys.tsx'
import { passwordPage } from './pages/settings/password.tsx'
import { profilePage } from './pages/settings/profile.tsx'
import { schedulePage } from './pages/settings/schedule.tsx'
import { schedulesPage } from './pages/settings/schedules.tsx'
import { teamPage } from './pages/settings/team.tsx'
import { teamsPage } from './pages/settings/teams.tsx'
import { webhookPage } from './pages/settings/webhook.tsx'
import { webhooksPage } from './pages/settings/webhooks.tsx'

/** The pages of those who run a business: their own, and the business's. */
export const settingsPages = new Hono<AppEnv>()
  .get('/', inBrowser, c => c.redirect('/settings/profile', 303))
  .route('/', pageRoutes('/profile', profilePage))
  .route('/', pageRoutes('/password', passwordPage))
  .route('/', pageRoutes('/keys', keysPage))
  .route('/', pageRoutes('/schedules', schedulesPage))
  .route('/', pageRoutes('/schedules/:id', schedulePage))
  .route('/', pageRoutes('/away', awayPage))
  .route('/', pageRoutes('/away/:id', absencePage))
  .route('/', pageRoutes('/teams', teamsPage))
  .route('/', pageRoutes('/teams/:id', teamPage))
  .route('/', pageRoutes('/webhooks', webhooksPage))
  .route('/', pageRoutes('/webhooks/:id', webhookPage))
  .route('/', pageRoutes('/clients', clientsPage))
  .route('/', pageRoutes('/clients/:id', clientPage))
  .route('/', pageRoutes('/apps', appsPage))
