import { fileURLToPath } from 'node:url'
import { API, type Project, SymbolFlags } from 'typescript/unstable/sync'
import type { ApiShapes } from '#lib/http/openapi-types.ts'
import { AnswersOfRoutes } from './answers.ts'
import { Failure } from './failure.ts'
import { TypeSchemas } from './type-schemas.ts'

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

/** Asks the compiler about the types of the project. */
export function withTypes<R>(ask: (project: Project) => R): R {
  const api = new API({ cwd: pathOf('.') })
  try {
    const [project] = api.updateSnapshot({ openProject: pathOf('tsconfig.json') }).getProjects()
    if (!project) throw new Failure('tsconfig.json names no project')
    return ask(project)
  } finally {
    api.close()
  }
}

/**
 * What goes out, as the types of the product have it: the successes of every route, and the payloads
 * of events.
 * @param tables the files of the route tables
 */
export const readShapes = (tables: readonly string[]): ApiShapes =>
  withTypes(project => shapesIn(project, tables))

function shapesIn(project: Project, tables: readonly string[]): ApiShapes {
  const { checker, program } = project
  const fileOf = (file: string) => {
    const found = program.getSourceFile(file)
    if (!found) throw new Failure(`tsconfig.json leaves out ${file}`)
    return found
  }
  const schemas = new TypeSchemas(checker)
  const answers = new AnswersOfRoutes(checker, schemas)
  for (const table of tables) answers.read(fileOf(table))
  const catalog = fileOf(pathOf('lib/events/catalog.ts'))
  const payloads = checker.resolveName('EventPayloads', SymbolFlags.Interface, catalog)
  const events = payloads && schemas.unnamed(checker.getDeclaredTypeOfSymbol(payloads)).properties
  return { answers: answers.found, events: events ?? {}, schemas: schemas.named }
}
