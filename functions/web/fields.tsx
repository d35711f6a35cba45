import type { Filled } from '#lib/http/validate.ts'

interface FieldProps {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autocomplete: string
  optional?: boolean
  hint?: string
  minlength?: number
  filled: Filled
}

/** A form before anything was typed. */
export const EMPTY: Filled = { values: {}, errors: {} }

/** A fault in words for a person. */
export function faultText(message: string): string {
  if (message === 'required') return 'Please fill this in.'
  const asked = message.replace(/^expected /, 'please enter ')
  return `${asked.charAt(0).toUpperCase()}${asked.slice(1)}.`
}

const describedBy = (name: string, hint: string | undefined, fault: string | undefined) =>
  [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ') || undefined

/** What stands below a field: how to fill it in, and what is wrong with what was typed. */
export const Below = ({ name, hint, fault }: { name: string; hint?: string; fault?: string }) => (
  <>
    {hint ? (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    ) : null}
    {fault ? (
      <p class="fault" id={`${name}-fault`}>
        {faultText(fault)}
      </p>
    ) : null}
  </>
)

/** A labelled field. A password is never sent back. */
export const Field = ({ name, label, type = 'text', filled, hint, ...rest }: FieldProps) => {
  const { [name]: fault } = filled.errors
  const isFirstFault = Object.keys(filled.errors)[0] === name
  return (
    <div>
      <label for={name}>
        {label} {rest.optional ? <span class="quiet">(optional)</span> : null}
      </label>
      <input
        id={name}
        name={name}
        type={type}
        value={type === 'password' ? undefined : filled.values[name]}
        autocomplete={rest.autocomplete}
        required={!rest.optional}
        minlength={rest.minlength}
        autofocus={isFirstFault}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={describedBy(name, hint, fault)}
      />
      <Below name={name} hint={hint} fault={fault} />
    </div>
  )
}

/** What is wrong with the form as a whole; read out at once. */
export const Alert = ({ message }: { message?: string | undefined }) =>
  message ? (
    <p class="note bad" role="alert">
      {faultText(message)}
    </p>
  ) : null
