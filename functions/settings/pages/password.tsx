import { changePassword } from '#lib/domain/accounts/reset.ts'
import { PasswordChange } from '#lib/domain/accounts/schema.ts'
import { readCookie } from '#lib/http/cookies.ts'
import { Field, NEW_PASSWORD, PASSWORD } from '#lib/pages/fields.tsx'
import { act, type FormPage, type View } from '../forms.ts'
import { Form, Settings } from './frame.tsx'

const show = async (view: View) => {
  const filled = view.form('change')
  return (
    <Settings
      view={view}
      title="Password"
      here="password"
      lead="Every other browser that is signed in as you will be signed out. API keys stay."
    >
      <div class="card">
        <Form act="change" button="Change password" filled={filled}>
          <Field {...PASSWORD} name="currentPassword" label="Present password" filled={filled} />
          <Field {...NEW_PASSWORD} label="New password" filled={filled} />
        </Form>
      </div>
    </Settings>
  )
}

/** Another password, by the one there is. */
export const passwordPage: FormPage = {
  show,
  tries: 10,
  acts: {
    change: act(
      PasswordChange,
      ({ currentPassword, password }) => ({ currentPassword, password }),
      async (m, input, { c }) => {
        await changePassword(m, input, readCookie(c) ?? '')
        return { text: 'Your password is changed. Other browsers are signed out.' }
      },
    ),
  },
}
