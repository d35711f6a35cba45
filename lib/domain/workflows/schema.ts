import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import {
  email,
  id,
  ids,
  optionalText,
  Paging,
  phone,
  queryBoolean,
  text,
} from '#lib/core/schemas.ts'
import { requireKnownVariables } from '../messaging/variables.ts'

/** What a workflow waits for. Those that come before or after something take an offset. */
export const TRIGGERS = [
  'beforeEvent',
  'afterEvent',
  'newEvent',
  'eventCancelled',
  'rescheduleEvent',
  'bookingRequested',
  'bookingRejected',
  'bookingPaymentInitiated',
  'bookingPaid',
  'bookingNoShowUpdated',
  'afterHostsCalVideoNoShow',
  'afterGuestsCalVideoNoShow',
] as const

/** What a step does. */
const ACTIONS = [
  'email_host',
  'email_attendee',
  'email_address',
  'sms_attendee',
  'sms_number',
  'whatsapp_attendee',
  'whatsapp_number',
  'cal_ai_phone_call',
] as const

/** What a step's message says where it is not written out. */
const TEMPLATES = ['reminder', 'custom', 'cancelled', 'rescheduled', 'completed', 'rating'] as const

const UNITS = ['minute', 'hour', 'day'] as const
/** How many minutes each unit of an offset has. */
export const MINUTES_OF = { minute: 1, hour: 60, day: 1440 } as const
const MAX_OFFSET_MINUTES = 525_600

const takesOffset = (type: string): boolean => /^(?:before|after)/.test(type)

const Offset = z
  .object({ value: z.int().min(1).max(MAX_OFFSET_MINUTES), unit: z.enum(UNITS) })
  .refine(({ value, unit }) => value * MINUTES_OF[unit] <= MAX_OFFSET_MINUTES, {
    path: ['value'],
    error: 'must be at most a year',
  })

const Trigger = z
  .object({
    type: z.enum(TRIGGERS),
    offset: Offset.nullable().optional().describe('How long before or after'),
  })
  .superRefine(({ type, offset }, context) => {
    const refuse = (message: string) =>
      context.addIssue({ code: 'custom', path: ['offset'], message })
    if (takesOffset(type) && !offset) refuse('required')
    if (!takesOffset(type) && offset) refuse(`does not go with "${type}"`)
  })

const words = (max: number) => optionalText(max).superRefine(requireKnownVariables)

const Message = z
  .object({
    subject: words(300).optional(),
    html: words(20_000).optional(),
    text: words(20_000).optional(),
  })
  .superRefine(({ html, text }, context) => {
    if (html && text)
      context.addIssue({ code: 'custom', path: ['text'], message: 'does not go with html' })
  })

const TO_NUMBER: readonly string[] = ['sms_number', 'whatsapp_number']

const Step = z
  .object({
    id: id.optional().describe('Of a step that is kept; a new one is given its id'),
    action: z.enum(ACTIONS),
    recipient: text(320)
      .nullable()
      .optional()
      .describe('The address or number, where the action names neither'),
    template: z.enum(TEMPLATES),
    sender: optionalText(100).optional().describe('The name that it comes from'),
    message: Message.optional().describe('Instead of the template’s words; needed for "custom"'),
    includeCalendarEvent: z.boolean().optional(),
    phone: phone.nullable().optional().describe('The same as recipient, for a number'),
    phoneRequired: z.boolean().optional().describe('Whether who books has to give a number'),
  })
  .superRefine((step, context) => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const { action, template, message, recipient } = step
    if (action === 'cal_ai_phone_call')
      refuse(['action'], 'is not offered yet: choose a message by e-mail, text or WhatsApp')
    if (action === 'email_address' && !email.safeParse(recipient ?? '').success)
      refuse(['recipient'], recipient ? 'expected an e-mail address' : 'required')
    if (TO_NUMBER.includes(action) && !numberOf(step))
      refuse(
        ['recipient'],
        recipient ? 'expected a telephone number such as +15551234567' : 'required',
      )
    if (step.phone && recipient && phone.safeParse(recipient).data !== step.phone)
      refuse(['phone'], 'differs from recipient')
    if (template === 'custom' && !message?.html && !message?.text) refuse(['message'], 'required')
    if (message?.subject && !action.startsWith('email'))
      refuse(['message', 'subject'], 'is for e-mails only')
    if (message?.html && !action.startsWith('email'))
      refuse(['message', 'html'], 'is for e-mails only')
  })
/** A step of a workflow as it is given. */
export type Step = z.output<typeof Step>

/** The number that a step goes to, in E.164. */
const numberOf = ({ phone: number, recipient }: Pick<Step, 'phone' | 'recipient'>) =>
  number ?? phone.safeParse(recipient).data

/** Where a step goes: an address, a number, or null for the host or the attendee. */
export function recipientOf(step: Step): string | null {
  if (TO_NUMBER.includes(step.action)) return numberOf(step) ?? null
  return step.action === 'email_address' ? (step.recipient ?? null) : null
}

const Activation = z.object({
  isActiveOnAllEventTypes: z.boolean().optional(),
  activeOnEventTypeIds: ids.optional(),
  isActiveOnAppointments: z.boolean().optional().describe('Whether service appointments count too'),
})

/** The body of a workflow. */
export const NewWorkflow = z.object({
  name: text(200),
  active: z.boolean().optional(),
  trigger: Trigger,
  activation: Activation.optional(),
  steps: z.array(Step).min(1).max(20).describe('In the order in which they are carried out'),
})
export type NewWorkflow = z.output<typeof NewWorkflow>

/** What can be changed; what is left out stays, `steps` replaces them. */
export const WorkflowChange = NewWorkflow.partial()
export type WorkflowChange = z.output<typeof WorkflowChange>

/** Which workflows are listed. */
export const WorkflowFilter = Paging.extend({ active: queryBoolean.optional() })
export type WorkflowFilter = z.output<typeof WorkflowFilter>

/** A step as it is answered. */
export interface WorkflowStep {
  id: number
  stepNumber: number
  action: (typeof ACTIONS)[number]
  recipient: string | null
  template: (typeof TEMPLATES)[number]
  sender: string | null
  message: { subject: string | null; html: string | null; text: string | null }
  includeCalendarEvent: boolean
  phone: string | null
  phoneRequired: boolean
}

/** A workflow as it is answered. */
export interface Workflow {
  id: number
  userId: number
  name: string
  active: boolean
  activation: {
    isActiveOnAllEventTypes: boolean
    activeOnEventTypeIds: number[]
    isActiveOnAppointments: boolean
  }
  trigger: {
    type: (typeof TRIGGERS)[number]
    offset: { value: number; unit: (typeof UNITS)[number] } | null
  }
  steps: WorkflowStep[]
  createdAt: Instant
  updatedAt: Instant
}
