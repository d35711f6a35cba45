import * as z from 'zod'
import { type Member, may } from '#lib/core/context.ts'
import { invalid } from '#lib/core/errors.ts'
import { date, timeOfDay } from '#lib/core/schemas.ts'
import {
  createOutOfOffice,
  deleteOutOfOffice,
  findOutOfOffice,
  listOutOfOffice,
  updateOutOfOffice,
} from '#lib/domain/out-of-office/operations.ts'
import { NewOutOfOffice, type OutOfOffice } from '#lib/domain/out-of-office/schema.ts'
import { findColleague, getMe } from '#lib/domain/users/operations.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Area, Choice, Field } from '#lib/pages/fields.tsx'
import { act, type FormPage, type Typed, type View } from '../forms.ts'
import { endOfDay, instantOf, type Reader, shownAt, writeSpan } from '../local.ts'
import { Confirm, Form, More, pageOf, Row, Rows, Section, Settings } from './frame.tsx'

const REASONS: [OutOfOffice['reason'], string][] = [
  ['unspecified', 'Not said'],
  ['vacation', 'Vacation'],
  ['travel', 'Travel'],
  ['sick', 'Sick'],
  ['public_holiday', 'Public holiday'],
]
const reasonName = (reason: string) => REASONS.find(([key]) => key === reason)?.[1] ?? reason

const Fields = ({ filled }: { filled: Filled }) => (
  <>
    <div class="from-to dated">
      <Field name="start" label="First day" type="date" filled={filled} />
      <Field name="startTime" label="From" type="time" optional filled={filled} />
    </div>
    <div class="from-to dated">
      <Field name="end" label="Last day" type="date" filled={filled} />
      <Field name="endTime" label="Until" type="time" optional filled={filled} />
    </div>
    <p class="hint">Without times it is the whole of the days.</p>
    <Choice
      name="reason"
      label="Reason"
      options={REASONS}
      chosen={filled.values.reason ?? 'unspecified'}
      fault={filled.errors.reason}
    />
    <Field
      name="toUserId"
      label="Who takes over"
      verbatim
      optional
      hint="The e-mail address or username of a colleague, who gets the bookings meanwhile."
      filled={filled}
    />
    <Area name="notes" label="Notes" maxlength={2000} filled={filled} />
  </>
)

const Absence = ({ of, reader, m }: { of: OutOfOffice; reader: Reader; m: Member }) => {
  const name = of.userId === m.userId ? 'You' : of.user.name
  const reason = of.reason === 'unspecified' ? 'away' : reasonName(of.reason)
  return (
    <Row
      top
      name={<a href={`/settings/away/${of.id}`}>{`${name}: ${reason}`}</a>}
      facts={[writeSpan(of.start, of.end, reader), of.toUser && `${of.toUser.name} takes over`]}
    />
  )
}

const show = async (view: View) => {
  const { m } = view
  const [me, found] = await Promise.all([
    getMe(m),
    listOutOfOffice(m, { sort: 'start', from: m.now.toISOString(), ...pageOf(view) }),
  ])
  const reader = me.read()
  const filled = view.form('create')
  return (
    <Settings
      view={view}
      title="Out of office"
      here="away"
      lead="Nothing can be booked with who is away, unless somebody takes over."
      reader={reader}
    >
      <Rows none="Nobody is away, now or later.">
        {found.items.read().map(one => (
          <Absence of={one} reader={reader} m={m} />
        ))}
      </Rows>
      <More view={view} next={found.nextCursor} />
      <Section id="new" title="New absence">
        <Form act="create" button="Add absence" filled={filled}>
          {may(m, 'calendar.write') ? (
            <Field
              name="userId"
              label="Who is away"
              verbatim
              optional
              hint="The e-mail address or username of a colleague; you, if you leave it empty."
              filled={filled}
            />
          ) : null}
          <Fields filled={filled} />
        </Form>
      </Section>
    </Settings>
  )
}

const time = timeOfDay.optional()
const AwayForm = z.object({
  start: date,
  startTime: time,
  end: date,
  endTime: time,
  reason: NewOutOfOffice.shape.reason,
  notes: NewOutOfOffice.shape.notes,
  userId: z.string().max(320),
  toUserId: z.string().max(320),
})

const read = ({ startTime, endTime, userId = '', toUserId = '', ...typed }: Typed) => ({
  ...typed,
  startTime: startTime || undefined,
  endTime: endTime || undefined,
  userId: userId.trim(),
  toUserId: toUserId.trim(),
})

/** The form as the operations take it: instants, and users by their ids. */
async function inputOf(m: Member, form: z.output<typeof AwayForm>) {
  const named = async (field: 'userId' | 'toUserId') => {
    if (!form[field]) return undefined
    const message = 'is nobody of this business'
    return (await findColleague(m, form[field])) ?? invalid({ field, message })
  }
  const [me, userId, toUserId] = await Promise.all([getMe(m), named('userId'), named('toUserId')])
  const { timeZone } = me.read()
  const { start: first, startTime, end: last, endTime, reason, notes } = form
  const start = instantOf(timeZone, first, startTime)
  const end = endTime ? instantOf(timeZone, last, endTime) : endOfDay(timeZone, last)
  if (end <= start) invalid({ field: 'end', message: 'must be after the start' })
  return { own: { start, end, reason, notes, toUserId: toUserId ?? null }, userId }
}

/** When users are away: one's own absences, or everybody's. */
export const awayPage: FormPage = {
  show,
  acts: {
    create: act(AwayForm, read, async (m, form) => {
      const { own, userId } = await inputOf(m, form)
      await createOutOfOffice(m, { ...own, userId })
      return { text: 'The absence is added.' }
    }),
  },
}

/** An absence as the fields of its form: an end at midnight is the whole of the day before. */
function fieldsOf({ start, end, reason, notes, toUser }: OutOfOffice, { timeZone }: Reader) {
  const [from, until] = [shownAt(timeZone, start), shownAt(timeZone, end)]
  const isWhole = until.time === '00:00'
  const lastMoment = new Date(Date.parse(end) - 1).toISOString()
  return {
    start: from.date,
    startTime: from.time === '00:00' ? '' : from.time,
    end: isWhole ? shownAt(timeZone, lastMoment).date : until.date,
    endTime: isWhole ? '' : until.time,
    reason,
    notes,
    toUserId: toUser?.email,
  }
}

const showOne = async (view: View) => {
  const { m, id } = view
  const [me, found] = await Promise.all([getMe(m), findOutOfOffice(m, { id })])
  const one = found.read()
  const reader = me.read()
  const filled = view.form('save', fieldsOf(one, reader))
  return (
    <Settings
      view={view}
      title={one.userId === m.userId ? 'Your absence' : `Absence of ${one.user.name}`}
      here="away"
      lead={<a href="/settings/away">All absences</a>}
      reader={reader}
    >
      <div class="card stack">
        <Form act="save" button="Save absence" filled={filled}>
          <Fields filled={filled} />
        </Form>
        <Confirm
          act="delete"
          label="Delete absence"
          ask="Everything can be booked again at this time."
          button="Delete absence"
        />
      </div>
    </Settings>
  )
}

/** One absence. */
export const absencePage: FormPage = {
  show: showOne,
  acts: {
    save: act(AwayForm, read, async (m, form, { id }) => {
      const { own } = await inputOf(m, form)
      await updateOutOfOffice(m, { id, ...own })
      return { text: 'The absence is saved.' }
    }),
    delete: async ({ m, id }) => {
      await deleteOutOfOffice(m, { id })
      return { to: '/settings/away', text: 'The absence is deleted.' }
    },
  },
}
