import type { Filled } from '#lib/http/validate.ts'
import { Field } from '#lib/pages/fields.tsx'
import type { EventSelection } from '../../event-choices.ts'

/** Whether the form is at its second step, where the address is to be proved. */
export const isProving = ({ type }: EventSelection, { values, errors }: Filled): boolean =>
  type.verifiesEmail && Boolean(values.verificationCode ?? errors.verificationCode)

/** The code that was sent. */
export const Code = ({ filled }: { filled: Filled }) => (
  <Field
    name="verificationCode"
    label="Code"
    hint={`The six digits that we sent to ${filled.values.email ?? 'your address'}.`}
    autocomplete="one-time-code"
    maxlength={20}
    filled={filled}
  />
)

/** After the button that books: that is the one which the Enter key presses. */
export const CodeAgain = () => (
  <button class="button plain" type="submit" name="again" value="1" formnovalidate>
    Send the code again
  </button>
)
