import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import { isCallExpression, isPropertyAssignment } from 'typescript/unstable/ast/is'
import type { Project } from 'typescript/unstable/sync'
import { heldBy } from '#dev/answers.ts'
import { withTypes } from '#dev/api-shapes.ts'
import { TypeSchemas } from '#dev/type-schemas.ts'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import { faultsBy } from './described.ts'
import { ROOT } from './source.ts'

const FOLDER = path.join(ROOT, 'functions/mcp/tools')
/** The tables of tools. */
export const TOOL_FILES = readdirSync(FOLDER).map(name => path.join(FOLDER, name))

/** The lines of a table of tools: the name of each, and the operation that it calls. */
function linesIn(node: Node): [name: string, operation: Node][] {
  const lines: [string, Node][] = []
  if (isPropertyAssignment(node) && isCallExpression(node.initializer)) {
    const [, , operation] = node.initializer.arguments
    if (operation) lines.push([node.name.getText(), operation])
  }
  node.forEachChild(child => {
    lines.push(...linesIn(child))
  })
  return lines
}

const readAnswers = ({ checker, program }: Project) => {
  const schemas = new TypeSchemas(checker)
  const answers = TOOL_FILES.flatMap(file => linesIn(program.getSourceFile(file)!)).map(
    ([name, operation]): [string, JsonSchema] => {
      const [type] = heldBy(checker, checker.getTypeAtLocation(operation)!)
      return [name, schemas.of(type!)]
    },
  )
  return { answers: Object.fromEntries(answers), schemas: schemas.named }
}

/** What tools answer by the types of their operations: of a page, each of its items. */
export const toolAnswers = () => withTypes(readAnswers)

/** Says what of an answer is not so by the types, in which nothing may be that they do not have. */
export function mistyped(): (tool: string, answer: Record<string, unknown>) => string {
  const { answers, schemas } = toolAnswers()
  const faults = faultsBy({ answers, components: { schemas } })
  return (tool, answer) => {
    const { items = [], nextCursor } = answer as { items?: unknown[]; nextCursor?: string | null }
    if (nextCursor === undefined)
      return faults(['answers', tool], answers[tool]?.type === 'array' ? items : answer)
    return items.map(item => faults(['answers', tool], item)).join('')
  }
}
