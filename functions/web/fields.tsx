import type { Child } from 'hono/jsx'
import type { Filled } from '#lib/http/validate.ts'

interface FieldProps {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel'
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
export const Below = ({
  name,
  hint,
  fault,
}: {
  name: string
  hint?: string | undefined
  fault?: string | undefined
}) => (
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

interface AreaProps {
  name: string
  label: string
  hint?: string
  maxlength: number
  filled: Filled
}

/** A labelled field for some lines of text, which may be left empty. */
export const Area = ({ name, label, hint, maxlength, filled }: AreaProps) => {
  const { [name]: fault } = filled.errors
  return (
    <div>
      <label for={name}>
        {label} <span class="quiet">(optional)</span>
      </label>
      <textarea
        id={name}
        name={name}
        rows={3}
        maxlength={maxlength}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={describedBy(name, hint, fault)}
      >
        {filled.values[name] ?? ''}
      </textarea>
      <Below name={name} hint={hint} fault={fault} />
    </div>
  )
}

interface ChoiceProps {
  name: string
  label: string
  options: readonly (readonly [value: string, label: string])[]
  chosen: string
  fault?: string | undefined
}

/** A labelled choice of one of several. */
export const Choice = ({ name, label, options, chosen, fault }: ChoiceProps) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name} autocomplete="off" aria-describedby={fault && `${name}-fault`}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
    <Below name={name} fault={fault} />
  </div>
)

/** Values that travel along with a form; what is undefined does not. */
export const Hidden = ({ values }: { values: Record<string, string | number | undefined> }) => (
  <>
    {Object.entries(values).map(([name, value]) =>
      value === undefined ? null : <input type="hidden" name={name} value={String(value)} />,
    )}
  </>
)

/** Labels with what they are of; those of nothing are left out. */
export const Facts = ({ facts }: { facts: [string, Child][] }) => (
  <dl class="facts">
    {facts.map(([label, value]) =>
      value ? (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ) : null,
    )}
  </dl>
)

/** What is wrong with the form as a whole; read out at once. */
export const Alert = ({ message }: { message?: string | undefined }) =>
  message ? (
    <p class="note bad" role="alert">
      {faultText(message)}
    </p>
  ) : null
