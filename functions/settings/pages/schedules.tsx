import type * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { id } from '#lib/core/schemas.ts'
import { createSchedule, listSchedules } from '#lib/domain/schedules/operations.ts'
import { NewSchedule, type UserSchedule } from '#lib/domain/schedules/schema.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { Field, TimeZone } from '#lib/pages/fields.tsx'
import { count, writeZone } from '#lib/pages/words.ts'
import { act, type FormPage, type View } from '../forms.ts'
import { type Reader, writeTime } from '../local.ts'
import { Form, More, pageOf, Row, Rows, Section, Settings } from './frame.tsx'

/** Whose schedules are shown: a colleague's, where the address says so and the member may. */
const askedOwner = ({ c, m }: View): number => {
  const { data } = id.safeParse(Number(c.req.query('of')))
  return data ?? m.userId
}

/** `Monday, Tuesday 9:00 AM – 5:00 PM` */
const writeHours = ({ availability }: UserSchedule, reader: Reader): string =>
  availability
    .map(
      ({ days, startTime, endTime }) =>
        `${days.map(day => day.slice(0, 3)).join(', ')} ${writeTime(startTime, reader)} – ${writeTime(endTime, reader)}`,
    )
    .join('; ') || 'never open'

const show = async (view: View) => {
  const { m } = view
  const ownerId = askedOwner(view)
  const [me, found] = await Promise.all([getMe(m), listSchedules(m, { ownerId, ...pageOf(view) })])
  const reader = me.read()
  const filled = view.form('create')
  return (
    <Settings
      view={view}
      title="Schedules"
      here="schedules"
      lead={
        ownerId === m.userId
          ? 'When you can be booked. What is bookable goes by one of them, else by the default.'
          : 'When a colleague of yours can be booked.'
      }
    >
      <Rows none="There are no schedules.">
        {found.items.read().map(schedule => (
          <Row
            top
            name={<a href={`/settings/schedules/${schedule.id}`}>{schedule.name}</a>}
            facts={[
              schedule.isDefault && <span class="badge">Default</span>,
              writeHours(schedule, reader),
              writeZone(schedule.timeZone),
              schedule.overrides.length > 0 && `${count(schedule.overrides.length, 'override')}`,
            ]}
          />
        ))}
      </Rows>
      <More view={view} next={found.nextCursor} />
      <Section id="new" title="New schedule">
        <p class="quiet">It begins with Monday to Friday, 9 to 5; its page has the rest.</p>
        <Form act="create" button="Make schedule" filled={filled} hidden={{ ownerId }}>
          <Field name="name" label="Name" maxlength={200} filled={filled} />
          <TimeZone filled={filled} guess={reader.timeZone} hint="Its hours are in this zone." />
        </Form>
      </Section>
    </Settings>
  )
}

async function create(m: Member, input: z.output<typeof NewSchedule>) {
  const { id, name } = (await createSchedule(m, input)).read()
  return { to: `/settings/schedules/${id}`, text: `“${name}” is made.` }
}

/** A user's schedules. */
export const schedulesPage: FormPage = {
  show,
  acts: {
    create: act(
      NewSchedule.pick({ name: true, timeZone: true, ownerId: true }),
      ({ name, timeZone, ownerId }) => ({
        name,
        timeZone,
        ownerId: ownerId ? Number(ownerId) : undefined,
      }),
      create,
    ),
  },
}
