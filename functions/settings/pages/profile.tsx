import { WEEKDAYS } from '#lib/core/schemas.ts'
import { ROLE_WORDS } from '#lib/domain/messaging/invitation.ts'
import { getMe, updateProfile } from '#lib/domain/users/operations.ts'
import { ProfileChange } from '#lib/domain/users/schema.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Area, Choice, Facts, Field, TimeZone } from '#lib/pages/fields.tsx'
import { act, type FormPage, type View } from '../forms.ts'
import { Form, Settings } from './frame.tsx'

/** How one reads weeks and times. */
const Reading = ({ filled: { values, errors } }: { filled: Filled }) => (
  <>
    <Choice
      name="weekStart"
      label="Weeks begin on"
      options={WEEKDAYS.map(day => [day, day])}
      chosen={values.weekStart ?? ''}
      fault={errors.weekStart}
    />
    <Choice
      name="timeFormat"
      label="Clock"
      options={[
        ['12', '12 hours (1:30 PM)'],
        ['24', '24 hours (13:30)'],
      ]}
      chosen={values.timeFormat ?? ''}
      fault={errors.timeFormat}
    />
  </>
)

const show = async (view: View) => {
  const { id: _, ...me } = (await getMe(view.m)).read()
  const { name, username, timeZone, weekStart, timeFormat, bio } = me
  const filled = view.form('save', { name, username, timeZone, weekStart, timeFormat, bio })
  return (
    <Settings
      view={view}
      title="Profile"
      here="profile"
      lead="How you are shown, and how you read times."
    >
      <div class="card stack">
        <Facts
          facts={[
            ['E-mail', me.email],
            ['You are', ROLE_WORDS[view.m.role]],
            [
              'Your page',
              <a href={`/${username}`}>{`${view.m.settings.publicUrl}/${username}`}</a>,
            ],
          ]}
        />
        <Form act="save" button="Save profile" filled={filled}>
          <Field name="name" label="Name" autocomplete="name" filled={filled} />
          <Field
            name="username"
            label="Username"
            autocomplete="username"
            verbatim
            hint="The address of your page ends with it. Links to the old one stop working."
            filled={filled}
          />
          <TimeZone filled={filled} guess={timeZone} hint="Times are shown to you in this zone." />
          <Reading filled={filled} />
          <Area name="bio" label="About you" maxlength={5000} filled={filled} />
        </Form>
      </div>
    </Settings>
  )
}

/** One's own profile. */
export const profilePage: FormPage = {
  show,
  acts: {
    save: act(
      ProfileChange,
      ({ name, username, timeZone, weekStart, timeFormat, bio }) => ({
        name,
        username,
        timeZone,
        weekStart,
        timeFormat: Number(timeFormat),
        bio,
      }),
      async (m, input) => {
        await updateProfile(m, input)
        return { text: 'Your profile is saved.' }
      },
    ),
  },
}
