import * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { invalid } from '#lib/core/errors.ts'
import { date, timeOfDay, WEEKDAYS } from '#lib/core/schemas.ts'
import { deleteSchedule, findSchedule, updateSchedule } from '#lib/domain/schedules/operations.ts'
import { ScheduleChange, type UserSchedule } from '#lib/domain/schedules/schema.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { Field, TimeZone } from '#lib/pages/fields.tsx'
import { act, type FormPage, type View } from '../forms.ts'
import { type Reader, writeDate, writeTime } from '../local.ts'
import { Button, Confirm, Form, Row, Rows, Section, Settings, Tick } from './frame.tsx'
import { fieldsOf, groupHours, hoursField, readHours, WeekFields } from './hours.tsx'

type Override = UserSchedule['overrides'][number]

const CLOSED = '00:00'
const keyOf = ({ date: day, startTime, endTime }: Override) => [day, startTime, endTime].join(' ')
const inOrder = (list: readonly Override[]) =>
  list.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))

const writeOverride = ({ startTime, endTime }: Override, reader: Reader): string =>
  startTime === endTime
    ? 'closed'
    : `${writeTime(startTime, reader)} – ${writeTime(endTime, reader)}`

const Overrides = ({ view, list, reader }: { view: View; list: Override[]; reader: Reader }) => {
  const filled = view.form('override')
  return (
    <Section id="overrides" title="Other hours on some dates">
      <p class="quiet">They take the place of the hours of the weekday.</p>
      {list.length > 0 ? (
        <Rows none="">
          {inOrder(list).map(override => (
            <Row name={writeDate(override.date, reader)} facts={[writeOverride(override, reader)]}>
              <Confirm
                act="unset"
                label="Remove"
                of={`the hours of ${writeDate(override.date, reader)}`}
                ask="The hours of the weekday count again."
                button="Remove"
                hidden={{ key: keyOf(override) }}
              />
            </Row>
          ))}
        </Rows>
      ) : null}
      <Form act="override" button="Add date" filled={filled}>
        <Field name="date" label="Date" type="date" filled={filled} />
        <Tick name="closed" label="Closed all day" filled={filled} />
        <div class="from-to">
          <Field name="startTime" label="From" type="time" optional filled={filled} />
          <Field name="endTime" label="Until" type="time" optional filled={filled} />
        </div>
      </Form>
    </Section>
  )
}

const show = async (view: View) => {
  const { m, id } = view
  const [me, found] = await Promise.all([getMe(m), findSchedule(m, { id })])
  const reader = me.read()
  const { name, timeZone, isDefault, availability, overrides, ownerId } = found.read()
  const filled = view.form('save', { name, timeZone, ...fieldsOf(availability) })
  const weekStart = WEEKDAYS.indexOf(reader.weekStart)
  return (
    <Settings
      view={view}
      title={name}
      here="schedules"
      lead={
        <a href={`/settings/schedules${ownerId === m.userId ? '' : `?of=${ownerId}`}`}>
          All schedules
        </a>
      }
    >
      <Section id="hours" title="Hours of the week">
        <Form act="save" button="Save hours" filled={filled}>
          <Field name="name" label="Name" maxlength={200} filled={filled} />
          <TimeZone filled={filled} guess={timeZone} hint="The hours are in this zone." />
          <WeekFields filled={filled} weekStart={weekStart} />
        </Form>
      </Section>
      <Overrides view={view} list={overrides} reader={reader} />
      <Section id="more" title="Default">
        {isDefault ? (
          <p>What has no schedule of its own goes by this one. Another can take its place.</p>
        ) : (
          <>
            <Button act="default" label="Make it the default" />
            <Confirm
              act="delete"
              label="Delete schedule"
              ask="What goes by it will go by the default from then on."
              button="Delete schedule"
            />
          </>
        )}
      </Section>
    </Settings>
  )
}

const Dated = z
  .object({ date, startTime: timeOfDay, endTime: timeOfDay, isClosed: z.boolean() })
  .refine(hours => hours.isClosed || hours.startTime < hours.endTime, {
    path: ['endTime'],
    message: 'must be after startTime',
  })

/** Replaces the list of overrides by another, which must be sound as a whole. */
async function setOverrides(m: Member, id: number, overrides: readonly Override[]): Promise<void> {
  const { success, data } = ScheduleChange.safeParse({ overrides })
  if (!success) invalid({ field: 'date', message: 'overlaps other hours of this date' })
  await updateSchedule(m, { id, ...data })
}

const overridesOf = async (m: Member, id: number) =>
  (await findSchedule(m, { id })).read().overrides

/** One schedule: its hours, and those of dates. */
export const schedulePage: FormPage = {
  show,
  fieldOf: (fault, typed) => (fault.startsWith('availability.') ? hoursField(fault, typed) : fault),
  acts: {
    save: act(
      ScheduleChange.pick({ name: true, timeZone: true, availability: true }),
      typed => ({ name: typed.name, timeZone: typed.timeZone, availability: readHours(typed) }),
      async (m, { availability = [], ...rest }, { id }) => {
        await updateSchedule(m, { id, ...rest, availability: groupHours(availability) })
        return { text: 'The hours are saved.' }
      },
    ),
    override: act(
      Dated,
      ({ date: day, closed, startTime, endTime }) => ({
        date: day,
        isClosed: closed === 'on',
        startTime: closed === 'on' ? CLOSED : startTime,
        endTime: closed === 'on' ? CLOSED : endTime,
      }),
      async (m, { isClosed: _, ...override }, { id }) => {
        await setOverrides(m, id, inOrder([...(await overridesOf(m, id)), override]))
        return { text: 'The date is added.' }
      },
    ),
    unset: async ({ m, id, typed }) => {
      const list = await overridesOf(m, id)
      await setOverrides(
        m,
        id,
        list.filter(override => keyOf(override) !== typed.key),
      )
      return { text: 'The date is removed.' }
    },
    default: async ({ m, id }) => {
      await updateSchedule(m, { id, isDefault: true })
      return { text: 'This is the default now.' }
    },
    delete: async ({ m, id }) => {
      await deleteSchedule(m, { id })
      return { to: '/settings/schedules', text: 'The schedule is deleted.' }
    },
  },
}
