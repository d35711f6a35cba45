import type { Settings } from '#lib/core/context.ts'
import { lineOf } from '#lib/domain/attendees/person.ts'
import type { ShownStep, WorkflowMessage } from '../claimed.ts'
import type { Composed, Skipped } from '../compose.ts'
import { escapeHtml, textOfHtml, writtenHtml } from '../html.ts'
import { given, type Letter, oneLine } from '../templates.ts'
import { type Style, usableStyle, writeTimes } from '../times.ts'
import { fillVariables, type Variable } from '../variables.ts'
import { workflowUrl } from './links.ts'
import { type Occasion, occasionOf, type Standing } from './occasion.ts'
import { type Template, valuesOf, WORDS } from './words.ts'

/** How what a message tells of must stand for it to be true; the others are about what is on. */
const STANDINGS: Record<string, readonly Standing[]> = {
  eventCancelled: ['off'],
  bookingRejected: ['off'],
  bookingRequested: ['pending'],
  bookingPaymentInitiated: ['pending', 'on'],
  bookingPaid: ['pending', 'on'],
  rescheduleEvent: ['pending', 'on'],
}

type WithStep = WorkflowMessage & { step: ShownStep }
const hasStep = (message: WorkflowMessage): message is WithStep => message.step !== null

/** A message with everything that its words are made of. */
interface Writing {
  message: WithStep
  occasion: Occasion
  style: Style
  values: Record<Variable, string | null>
  words: (typeof WORDS)[Template] | undefined
}

/** What waited longer, since no provider was configured, comes too late for anybody. */
const LONGEST_MS = 86_400_000

/** Why a message of a workflow is not true any more, if it is not. */
function refusalOf(
  { data, createdAt }: WorkflowMessage,
  occasion: Occasion,
  now: Date,
): string | undefined {
  const { standing, startTime } = occasion
  if (now.getTime() - Date.parse(createdAt) > LONGEST_MS)
    return 'skipped: it is more than a day late'
  const fits = STANDINGS[data.trigger] ?? ['on']
  if (!fits.includes(standing)) return `skipped: by now it is ${standing}`
  if (data.start !== undefined && data.start !== startTime) return 'skipped: it was moved'
  if (data.trigger === 'beforeEvent' && Date.parse(startTime) <= now.getTime())
    return 'skipped: it has begun'
  return undefined
}

async function begin(
  message: WorkflowMessage,
  settings: Settings,
  now: Date,
): Promise<Writing | Skipped> {
  if (!hasStep(message)) return { skipped: 'skipped: the workflow was changed or switched off' }
  const occasion = occasionOf(message, settings)
  if (!occasion) return { skipped: 'skipped: what it is about is gone' }
  const skipped = refusalOf(message, occasion, now)
  if (skipped) return { skipped }
  const { reader } = message.data
  const { sender, step } = message
  const style = usableStyle([reader.locale, sender.locale], [reader.timeZone, sender.timeZone])
  const values = valuesOf(occasion, style, await linksOf(message, occasion, settings))
  const words = step.template === 'custom' ? undefined : WORDS[step.template]
  return { message, occasion, style, values, words }
}

/** Links that work by themselves: to rate, for who came; to say who did not, for either side of the other. */
async function linksOf(
  { subject, data, booking }: WorkflowMessage,
  { pageUrl }: Occasion,
  settings: Settings,
): Promise<{ ratingUrl: string; noShowUrl: string }> {
  if (subject === 'appointment' || !booking) return { ratingUrl: pageUrl, noShowUrl: '' }
  const purposes = { host: 'no-show', attendee: 'host-no-show', other: null } as const
  const purpose = purposes[data.role]
  return {
    ratingUrl: data.role === 'host' ? '' : await workflowUrl(settings, 'rate', booking),
    noShowUrl: purpose ? await workflowUrl(settings, purpose, booking) : '',
  }
}

/** What an e-mail of a workflow says. */
export async function composeWorkflow(
  message: WorkflowMessage,
  settings: Settings,
  now: Date,
): Promise<Composed | Skipped> {
  const writing = await begin(message, settings, now)
  if ('skipped' in writing) return writing
  const { occasion, style } = writing
  const { step, data, sender } = writing.message
  const { host, attendee, standing, entry } = occasion
  const isHost = data.role === 'host'
  const calendar = {
    method: standing === 'off' ? ('CANCEL' as const) : ('REQUEST' as const),
    events: [entry],
  }
  return {
    letter: letterOf(writing),
    business: sender.name,
    from: {
      name: step.sender ?? (isHost ? sender.name : host.name),
      replyTo: isHost ? attendee.email : (host.email ?? sender.email),
    },
    locale: style.locale,
    ...(step.includeCalendarEvent ? { calendar } : {}),
  }
}

function letterOf({ message, occasion, style, values, words }: Writing): Letter {
  const { step, data, sender } = message
  const fill = (text: string) => fillVariables(text, values)
  const own = step.body === null ? undefined : ownWords(step.body, step.isHtml, values)
  const isHost = data.role === 'host'
  const subject = step.subject ?? words?.subject ?? '{event_name}, {event_date}'
  return {
    subject: oneLine(fill(subject)),
    heading: fill(words?.heading ?? ''),
    greeting: data.reader.name ? `Hello ${oneLine(data.reader.name)},` : 'Hello,',
    lead: fill(words?.lead ?? ''),
    facts: factsOf(occasion, style, isHost),
    dates: [],
    ...(own ? { own } : {}),
    ...(isHost ? {} : buttonOf(step.template, occasion, values)),
    footer: isHost
      ? 'You get this e-mail because you host this meeting.'
      : `${sender.name} sends you this e-mail about a booking.`,
  }
}

/** What the business has written, as text and as HTML; what stands for a variable is no HTML. */
function ownWords(body: string, isHtml: boolean, values: Record<Variable, string | null>) {
  if (!isHtml) {
    const text = fillVariables(body, values)
    return { text, html: writtenHtml(text) }
  }
  const escaped = Object.entries(values).map(([name, value]) => [name, escapeHtml(value ?? '')])
  const html = fillVariables(body, Object.fromEntries(escaped))
  return { html, text: textOfHtml(html) }
}

function factsOf(occasion: Occasion, style: Style, isHost: boolean): Letter['facts'] {
  const { attendee, host, standing } = occasion
  return given([
    ['What', occasion.title],
    ['When', writeTimes(occasion, style)],
    isHost ? ['Who', lineOf(attendee)] : ['With', host.name],
    ['Where', standing !== 'off' && occasion.place],
    ['Notes', isHost && occasion.notes],
    ['Reason', standing === 'off' && occasion.reason],
  ])
}

function buttonOf(
  template: string,
  { pageUrl, standing }: Occasion,
  { rating_url: ratingUrl }: Record<Variable, string | null>,
): Pick<Letter, 'button'> {
  if (template === 'rating' && ratingUrl) return { button: { label: 'Tell us', url: ratingUrl } }
  if (standing === 'off' || template === 'completed') return {}
  return { button: { label: 'See or change', url: pageUrl } }
}

/** What a text message of a workflow says. */
export async function composeText(
  message: WorkflowMessage,
  settings: Settings,
  now: Date,
): Promise<{ text: string } | Skipped> {
  const writing = await begin(message, settings, now)
  if ('skipped' in writing) return writing
  const { step } = writing.message
  const text = fillVariables(step.body ?? writing.words?.text ?? '', writing.values).trim()
  return text ? { text } : { skipped: 'skipped: it says nothing' }
}
