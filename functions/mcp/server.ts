import type { ToolServer } from '#lib/mcp/endpoint.ts'
import { Toolbox } from '#lib/mcp/toolbox.ts'
import { ORDER } from './order.ts'

const instructions = `Almanac runs a business's calendar. There are two kinds of dates: bookings are meetings of event types (list_event_types, get_available_slots, create_booking); appointments are of services that customers pay for (list_services, list_staff, search_customers, check_availability, create_appointment).

- Never make up an id: look it up with a list, get or search tool first.
- Ask get_available_slots or check_availability before you book or move anything, and book a start that was offered.
- Times in arguments must carry an offset, such as 2026-03-08T09:00:00-05:00 or a Z for UTC. Answers are in UTC. Do not guess a time zone: get_current_user and list_locations tell the zones of the user and of the places; ask if it is still unclear.
- Money is in cents, durations are in minutes.
- Before you cancel, delete or change many things at once, say what you are about to do and wait for a yes; people are told by e-mail.
- Lists answer 20 at a time; nextCursor, given as cursor, asks for more.
- A result with isError says in details which argument is wrong and how. Correct it; do not repeat the same call.`

/** The tool server. Each toolset is loaded when something of it is first needed. */
export const SERVER: ToolServer = {
  about: { name: 'almanac', title: 'Almanac', instructions },
  toolbox: new Toolbox({
    order: ORDER,
    words: () => import('./words.ts'),
    toolsets: {
      bookings: () => import('./tools/bookings.ts'),
      event_types: () => import('./tools/event-types.ts'),
      availability: () => import('./tools/availability.ts'),
      appointments: () => import('./tools/appointments.ts'),
      customers: () => import('./tools/customers.ts'),
      resources: () => import('./tools/resources.ts'),
      analytics: () => import('./tools/analytics.ts'),
      user: () => import('./tools/user.ts'),
      teams: () => import('./tools/teams.ts'),
      routing_forms: () => import('./tools/routing-forms.ts'),
      workflows: () => import('./tools/workflows.ts'),
      webhooks: () => import('./tools/webhooks.ts'),
    },
  }),
}
