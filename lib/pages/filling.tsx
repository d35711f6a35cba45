import { raw } from 'hono/html'
import { type Child, createContext, useContext } from 'hono/jsx'
import type { Filled } from '#lib/http/validate.ts'
import { faultText, inWords } from './faults.ts'

/** The fields of a form that was refused, as they come to be shown. */
interface Noted {
  /** By the names of the fields: where each is, and what its label says. */
  labels: Map<string, { id: string; label: string }>
  /** Whether a field at fault was shown already: the keyboard begins at the first. */
  hasBegun: boolean
}

const Filling = createContext<Noted | undefined>(undefined)

interface NotedField {
  name: string
  id?: string
  /** The words of its label. */
  label: string
  fault?: string | undefined
}

/**
 * Notes a field of the form that is being shown, so that a summary of faults calls it as its label does.
 * Answers whether the keyboard begins there.
 */
export function noteField({ name, id = name, label, fault }: NotedField): boolean {
  const noted = useContext(Filling)
  if (!noted) return false
  noted.labels.set(name, { id, label })
  const begins = fault !== undefined && !noted.hasBegun
  noted.hasBegun ||= begins
  return begins
}

interface FaultProps {
  name: string
  message: string
  labels: Noted['labels']
}

/** One fault; it leads to its field, unless that is none of the form's. */
const Fault = ({ name, message, labels }: FaultProps) => {
  const field = labels.get(name)
  const text = `${field?.label ?? inWords(name)}: ${faultText(message)}`
  return <li>{field ? <a href={`#${field.id}`}>{text}</a> : text}</li>
}

/** The faults in the order of the fields, and after them those of none. */
const inOrder = (faults: Filled['errors'], labels: Noted['labels']) => {
  const order = [...labels.keys()].filter(name => Object.hasOwn(faults, name))
  return [...new Set([...order, ...Object.keys(faults)])]
}

const Summary = ({ faults, labels }: { faults: Filled['errors']; labels: Noted['labels'] }) => {
  const names = inOrder(faults, labels)
  return (
    <div class="note bad" role="alert">
      <p>{names.length === 1 ? 'One thing needs' : `${names.length} things need`} another look:</p>
      <ul class="faults">
        {names.map(name => (
          <Fault name={name} message={faults[name] ?? ''} labels={labels} />
        ))}
      </ul>
    </div>
  )
}

/**
 * The fields of a form, below what is wrong with what was typed. The fields are shown first: they know what
 * they are called.
 */
export const Fields = ({ filled, children }: { filled: Filled; children?: Child }) => {
  const noted: Noted = { labels: new Map(), hasBegun: false }
  const fields = String(<Filling.Provider value={noted}>{children}</Filling.Provider>)
  return (
    <>
      {Object.keys(filled.errors).length > 0 ? (
        <Summary faults={filled.errors} labels={noted.labels} />
      ) : null}
      {raw(fields)}
    </>
  )
}

/** Whether what was typed is refused field by field, which the fields' summary says. */
export const isSaidByFields = ({ filled, status }: { filled: Filled; status: number }): boolean =>
  status === 422 && Object.keys(filled.errors).length > 0

interface LabelProps {
  name: string
  id?: string
  label: string
  optional?: boolean | undefined
}

/** The label of a field, which has noted itself (`noteField`). */
export const Label = ({ name, id = name, label, optional }: LabelProps) => (
  <label for={id}>
    {label} {optional ? <span class="quiet">(optional)</span> : null}
  </label>
)
