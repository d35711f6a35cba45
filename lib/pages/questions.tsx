import type { FormField } from '#lib/domain/routing-forms/schema.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Below, Group } from './fields.tsx'
import { Label, noteField } from './filling.tsx'

interface QuestionProps {
  field: FormField
  filled: Filled
}

const INPUTS: Partial<Record<FormField['type'], { type: string; autocomplete?: string }>> = {
  text: { type: 'text' },
  number: { type: 'number' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
  url: { type: 'url', autocomplete: 'url' },
  date: { type: 'date' },
}

/** What is missing where nothing is typed, but ticked or chosen. */
const MISSING: Partial<Record<FormField['type'], string>> = {
  boolean: 'must be ticked',
  radio: 'must be chosen',
  select: 'must be chosen',
  multiselect: 'must have at least 1 item',
  checkbox: 'must have at least 1 item',
}

/** A form with its faults in words that fit what its questions take. */
export function asAsked(questions: readonly FormField[], { values, errors }: Filled): Filled {
  const missing = questions.flatMap(({ identifier, type }) =>
    errors[identifier] === 'required' ? [[identifier, MISSING[type] ?? 'required']] : [],
  )
  return { values, errors: { ...errors, ...Object.fromEntries(missing) } }
}

const Optional = ({ field }: { field: FormField }) =>
  field.required ? null : <span class="quiet">(optional)</span>

/** What is wrong with an answer, how a field says so, and whether the keyboard begins there. */
function faultOf({ field, filled }: QuestionProps) {
  const { identifier: name, label } = field
  const fault = filled.errors[name]
  return {
    fault,
    begins: noteField({ name, label, fault }),
    described: {
      'aria-invalid': fault ? ('true' as const) : undefined,
      'aria-describedby': fault ? `${name}-fault` : undefined,
    },
  }
}

const Line = (props: QuestionProps) => {
  const { field, filled } = props
  const { identifier: name, label, required, placeholder, type } = field
  const { fault, begins, described } = faultOf(props)
  const attributes = {
    id: name,
    name,
    required,
    placeholder: placeholder ?? undefined,
    autofocus: begins,
    ...described,
  }
  return (
    <div>
      <Label name={name} label={label} optional={!required} />
      {type === 'textarea' ? (
        <textarea {...attributes} rows={4} maxlength={5000}>
          {filled.values[name] ?? ''}
        </textarea>
      ) : (
        <input
          {...attributes}
          {...INPUTS[type]}
          step={type === 'number' ? 'any' : undefined}
          value={filled.values[name]}
        />
      )}
      <Below name={name} fault={fault} />
    </div>
  )
}

const Select = (props: QuestionProps) => {
  const { field, filled } = props
  const { identifier: name, label, required, options, placeholder } = field
  const { fault, begins, described } = faultOf(props)
  return (
    <div>
      <Label name={name} label={label} optional={!required} />
      <select id={name} name={name} required={required} autofocus={begins} {...described}>
        <option value="">{placeholder ?? 'Please choose'}</option>
        {options.map(option => (
          <option value={option.label} selected={filled.values[name] === option.label}>
            {option.label}
          </option>
        ))}
      </select>
      <Below name={name} fault={fault} />
    </div>
  )
}

/** One of several, or several: each of several travels under a name of its own, `size.0`. */
const Choices = (props: QuestionProps) => {
  const { field, filled } = props
  const { identifier: name, label, options, type, required } = field
  const { fault, begins } = faultOf(props)
  const isSingle = type === 'radio'
  return (
    <Group name={name} label={label} note={required ? undefined : 'optional'} fault={fault}>
      {options.map(({ label }, at) => {
        const key = isSingle ? name : `${name}.${at}`
        return (
          <label class="choice">
            <input
              type={isSingle ? 'radio' : 'checkbox'}
              name={key}
              value={label}
              checked={filled.values[key] === label}
              required={isSingle && required}
              autofocus={begins && at === 0}
            />
            {label}
          </label>
        )
      })}
    </Group>
  )
}

const Tick = (props: QuestionProps) => {
  const { field, filled } = props
  const { identifier: name, label, required } = field
  const { fault, begins, described } = faultOf(props)
  return (
    <div>
      <label class="choice">
        <input
          type="checkbox"
          id={name}
          name={name}
          value="true"
          checked={filled.values[name] === 'true'}
          required={required}
          autofocus={begins}
          {...described}
        />
        <span>
          {label} <Optional field={field} />
        </span>
      </label>
      <Below name={name} fault={fault} />
    </div>
  )
}

/** A question of a form, with what was answered and what is wrong with it. */
export const Question = (props: QuestionProps) => {
  const { type } = props.field
  if (type === 'boolean') return <Tick {...props} />
  if (type === 'select') return <Select {...props} />
  if (type === 'radio' || type === 'multiselect' || type === 'checkbox')
    return <Choices {...props} />
  return <Line {...props} />
}
