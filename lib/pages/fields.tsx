import type { Child } from 'hono/jsx'
import type { Notice } from '#lib/http/cookies.ts'
import type { Filled } from '#lib/http/validate.ts'
import { faultText } from './faults.ts'
import { Label, noteField } from './filling.tsx'
import { writeZone, ZONES } from './words.ts'

interface FieldProps {
  name: string
  /** Where several forms have a field of this name. */
  id?: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel' | 'url' | 'date' | 'time'
  /** What the browser may fill in; nothing where nothing is said. */
  autocomplete?: string
  /** Which keys a phone shows, where its `type` does not say. */
  inputmode?: 'numeric'
  /** A name for programs: a phone neither corrects it nor begins it with a capital. */
  verbatim?: boolean
  /** `either`: it is not needed where another field was filled in. */
  optional?: boolean | 'either'
  hint?: string
  minlength?: number
  maxlength?: number
  /** Where the page begins, though nothing is wrong there. */
  focus?: boolean
  filled: Filled
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

interface GroupProps {
  name: string
  label: string
  /** Said beside the label, less loudly. */
  note?: string | undefined
  fault?: string | undefined
  children?: Child
}

/** Boxes to tick, or one of several to choose: what is wrong with them is told between their name and them. */
export const Group = ({ name, label, note, fault, children }: GroupProps) => {
  noteField({ name, label })
  return (
    <fieldset class="choices" id={name} tabindex={-1} aria-describedby={fault && `${name}-fault`}>
      <legend>
        {label} {note ? <span class="quiet">({note})</span> : null}
      </legend>
      <Below name={name} fault={fault} />
      {children}
    </fieldset>
  )
}

const VERBATIM = { autocapitalize: 'none', spellcheck: false } as const

/** A labelled field. A password is never sent back. */
export const Field = (props: FieldProps) => {
  const { name, id = name, label, type = 'text', filled, hint, ...rest } = props
  const { [name]: fault } = filled.errors
  const begins = noteField({ name, id, label, fault })
  return (
    <div>
      <Label name={name} id={id} label={label} optional={rest.optional === true} />
      <input
        id={id}
        name={name}
        type={type}
        value={type === 'password' ? undefined : filled.values[name]}
        autocomplete={rest.autocomplete ?? 'off'}
        inputmode={rest.inputmode}
        {...(rest.verbatim ? VERBATIM : {})}
        required={!rest.optional}
        minlength={rest.minlength}
        maxlength={rest.maxlength}
        autofocus={begins || props.focus}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={describedBy(id, hint, fault)}
      />
      <Below name={id} hint={hint} fault={fault} />
    </div>
  )
}

interface AreaProps {
  name: string
  label: string
  hint?: string
  maxlength: number
  required?: boolean
  /** Names for programs, as those of a `Field`. */
  verbatim?: boolean
  filled: Filled
}

/** A labelled field for some lines of text, which may be left empty unless it is required. */
export const Area = (props: AreaProps) => {
  const { name, label, hint, maxlength, required, verbatim, filled } = props
  const { [name]: fault } = filled.errors
  const begins = noteField({ name, label, fault })
  return (
    <div>
      <Label name={name} label={label} optional={!required} />
      <textarea
        id={name}
        name={name}
        rows={3}
        maxlength={maxlength}
        {...(verbatim ? VERBATIM : {})}
        required={required}
        autofocus={begins}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={describedBy(name, hint, fault)}
      >
        {filled.values[name] ?? ''}
      </textarea>
      <Below name={name} hint={hint} fault={fault} />
    </div>
  )
}

/** One of several to choose from. */
export type Option = readonly [value: string, label: string]

interface ChoiceProps {
  name: string
  label: string
  options: readonly Option[]
  chosen: string
  hint?: string
  fault?: string | undefined
}

/** A labelled choice of one of several. */
export const Choice = ({ name, label, options, chosen, hint, fault }: ChoiceProps) => {
  const begins = noteField({ name, label, fault })
  return (
    <div>
      <Label name={name} label={label} />
      <select
        id={name}
        name={name}
        autocomplete="off"
        autofocus={begins}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={describedBy(name, hint, fault)}
      >
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
      <Below name={name} hint={hint} fault={fault} />
    </div>
  )
}

/** Values that travel along with a form; what is undefined does not. */
export const Hidden = ({ values }: { values: Record<string, string | number | undefined> }) => (
  <>
    {Object.entries(values).map(([name, value]) =>
      value === undefined ? null : <input type="hidden" name={name} value={String(value)} />,
    )}
  </>
)

interface FactsProps {
  facts: [string, Child][]
  /** Each label above its own: for long ones, such as questions. */
  stacked?: boolean
}

/** Labels with what they are of; those of nothing are left out. */
export const Facts = ({ facts, stacked }: FactsProps) => (
  <dl class={stacked ? 'facts stacked' : 'facts'}>
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

/** What was left to say by the page before; a secret can be copied out of its field. */
export const Said = ({ notice }: { notice: Notice | undefined }) =>
  notice ? (
    <div class={`note ${notice.bad ? 'bad' : 'good'}`} role="status">
      <p>{notice.text}</p>
      {notice.secret ? (
        <p class="secret">
          <strong>{notice.secret.label}</strong>
          <code>{notice.secret.value}</code>
          <span>Copy it now: it is not shown again.</span>
        </p>
      ) : null}
    </div>
  ) : null

interface TimeZoneProps {
  filled: Filled
  /** The zone that is chosen where none was yet. */
  guess: string
  hint: string
  /** Lets the page's script choose the browser's own, where none was chosen yet. */
  asks?: boolean
}

/** A choice of time zones: what was chosen before, else `guess`; a script may know better (`asks`). */
export const TimeZone = ({ filled, guess, hint, asks }: TimeZoneProps) => {
  const { timeZone: chosen } = filled.values
  const { timeZone: fault } = filled.errors
  const selected = chosen ?? guess
  const field = { name: 'timeZone', label: 'Time zone' }
  const begins = noteField({ ...field, fault })
  return (
    <div>
      <Label {...field} />
      <select
        id="timeZone"
        name="timeZone"
        autocomplete="off"
        autofocus={begins}
        data-guess={asks && chosen === undefined}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={describedBy('timeZone', hint, fault)}
      >
        {ZONES.includes(selected) ? null : <option selected>{selected}</option>}
        {ZONES.map(zone => (
          <option value={zone} selected={zone === selected}>
            {writeZone(zone)}
          </option>
        ))}
      </select>
      <Below name="timeZone" hint={hint} fault={fault} />
    </div>
  )
}

/** Whose password a form asks for, where it does not ask who: password managers keep the two together. */
export const WhosePassword = ({ email }: { email: string }) => (
  <input type="text" autocomplete="username" value={email} readonly hidden />
)

/** The password that somebody has, `name`d `password`. */
export const PASSWORD = {
  name: 'password',
  type: 'password',
  autocomplete: 'current-password',
} as const

/** A password to choose, `name`d `password`. */
export const NEW_PASSWORD = {
  name: 'password',
  type: 'password',
  autocomplete: 'new-password',
  minlength: 8,
  hint: 'At least 8 characters.',
} as const
