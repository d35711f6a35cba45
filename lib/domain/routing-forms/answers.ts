import { checkAnswer } from '#lib/core/answers.ts'
import type { Detail } from '#lib/core/errors.ts'
import type { AnswerValue } from './rules.ts'
import type { Answers, FormField } from './schema.ts'

/**
 * Checks answers against the fields of a form. Answers may be under the identifier or the id of their
 * field; those to nothing that is asked are passed over.
 * @returns the answers by the fields' ids, and what is wrong, under `<identifier>`
 */
export function checkAnswers(
  fields: readonly FormField[],
  given: Answers,
): { answers: Map<string, AnswerValue>; faults: Detail[] } {
  const answers = new Map<string, AnswerValue>()
  const faults: Detail[] = []
  for (const field of fields.filter(f => !f.deleted)) {
    const name = [field.identifier, field.id].find(key => Object.hasOwn(given, key))
    const checked = checkAnswer(field, name === undefined ? undefined : given[name])
    if (checked && 'fault' in checked)
      faults.push({ field: field.identifier, message: checked.fault })
    else if (checked) answers.set(field.id, checked.value)
  }
  return { answers, faults }
}
