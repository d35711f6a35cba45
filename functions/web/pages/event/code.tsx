import type { Filled } from '#lib/http/validate.ts'
import { Field } from '#lib/pages/fields.tsx'
import type { EventSelection } from '../../event-choices.ts'

/** Whether the form is at its second step, where the address is to be proved. */
export const isProving = ({ type }: EventSelection, { values, errors }: Filled): boolean =>
  type.verifiesEmail && Boolean(values.verificationCode ?? errors.verificationCode)

/** Whether a code was just sent, and none could have been typed yet: nothing is wrong. */
export const isAsked = (selection: EventSelection, filled: Filled): boolean =>
  isProving(selection, filled) && !filled.values.verificationCode

/** The code that was sent. */
export const Code = ({ filled }: { filled: Filled }) => {
  const { email = 'your address', verificationCode } = filled.values
  return (
    <>
      {verificationCode ? null : (
        <p class="note" role="status">
          To book, enter the code that we sent to {email}. It works for 10 minutes.
        </p>
      )}
      <Field
        name="verificationCode"
        label="Code"
        hint="Six digits."
        autocomplete="one-time-code"
        inputmode="numeric"
        maxlength={20}
        focus={!verificationCode}
        filled={verificationCode ? filled : { ...filled, errors: {} }}
      />
    </>
  )
}

/** After the button that books: that is the one which the Enter key presses. */
export const CodeAgain = () => (
  <button class="button plain" type="submit" name="again" value="1" formnovalidate>
    Send the code again
  </button>
)
