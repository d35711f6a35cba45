import { changePassword } from '#lib/domain/accounts/reset.ts'
import { PasswordChange } from '#lib/domain/accounts/schema.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { readCookie } from '#lib/http/cookies.ts'
import { Field, NEW_PASSWORD, PASSWORD, WhosePassword } from '#lib/pages/fields.tsx'
import { act, type FormPage, type View } from '../forms.ts'
import { Form, Settings } from './frame.tsx'

const show = async (view: View) => {
  const filled = view.form('change')
  const { email } = (await getMe(view.m)).read()
  return (
    <Settings
      view={view}
      title="Password"
      here="password"
      lead="Every other browser that is signed in as you will be signed out. API keys stay."
    >
      <div class="card">
        <Form act="change" button="Change password" filled={filled}>
          <WhosePassword email={email} />
          <Field {...PASSWORD} name="currentPassword" label="Current password" filled={filled} />
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
