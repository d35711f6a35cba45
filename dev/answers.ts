import type { CallExpression, Expression, Node, SourceFile } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isIdentifier,
  isNumericLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { type Checker, SignatureKind, type Type } from 'typescript/unstable/sync'
import type { ApiAnswer } from '#lib/http/openapi-types.ts'
import { Failure } from './failure.ts'
import type { TypeSchemas } from './type-schemas.ts'

type Written = Omit<ApiAnswer, 'schema'>

const OK: Written = { status: 200, form: 'data' }
const LIST: Written = { status: 200, form: 'page' }
const CREATED: Written = { status: 201, form: 'bare' }
const BARE: Written = { status: 200, form: 'bare' }

/** What the functions that reply write, by their names; the second argument is, or makes, the answer. */
const REPLIES: Record<string, Written> = {
  ok: OK,
  list: LIST,
  created: CREATED,
  bare: BARE,
  asClient: BARE,
  published: BARE,
  noStore: BARE,
}

/** What `crudRoutes` answers, by the operation of the resource. */
const CRUD = [
  ['GET', 'list', LIST],
  ['GET', 'find', OK],
  ['POST', 'create', CREATED],
  ['PATCH', 'update', OK],
  ['DELETE', 'remove', OK],
] as const

const METHOD = /^(?:get|post|put|patch|delete)$/

/** What each route of a function answers, by `METHOD path`, as its handler's types have it. */
export class AnswersOfRoutes {
  readonly found: Record<string, ApiAnswer[]> = {}

  constructor(
    private readonly checker: Checker,
    private readonly schemas: TypeSchemas,
  ) {}

  /** Reads the route table of a function. */
  read(table: SourceFile): void {
    const calls = callsIn(table)
    const app = calls.find(call => nameOf(call.expression) === 'createApp')
    const base = textOf(app?.arguments[0])?.replace(/\/$/, '') ?? ''
    for (const call of calls) {
      const [path] = call.arguments
      const name = isPropertyAccessExpression(call.expression) ? call.expression.name.text : ''
      const at = textOf(path)
      if (at === undefined) continue
      if (METHOD.test(name)) this.readRoute(`${name.toUpperCase()} ${base}${at}`, call)
      if (name === 'route') this.readResource(`${base}${at}`, call.arguments[1])
    }
  }

  private readRoute(route: string, call: CallExpression): void {
    for (const reply of call.arguments.flatMap(callsIn)) {
      const written = REPLIES[nameOf(reply.expression)]
      const [, given, said] = reply.arguments
      const type = given && this.checker.getTypeAtLocation(given)
      if (!written || !type) continue
      const status = said && isNumericLiteral(said) ? { status: Number(said.text) } : {}
      this.add(route, { ...written, ...status }, type)
    }
  }

  private readResource(path: string, routes: Expression | undefined): void {
    if (!routes || !isCallExpression(routes) || nameOf(routes.expression) !== 'crudRoutes') return
    const [resource, change] = routes.arguments
    const type = resource && this.checker.getTypeAtLocation(resource)
    for (const [method, operation, written] of CRUD) {
      const name = type && this.checker.getPropertyOfType(type, operation)
      const made = name && this.checker.getTypeOfSymbol(name)
      const asked = method === 'PATCH' ? (textOf(change) ?? method) : method
      if (made) this.add(`${asked} ${path}`, written, made)
    }
  }

  private add(route: string, written: Written, type: Type): void {
    const held = heldBy(this.checker, type)
    const [first] = held.map(inner => this.schemas.of(inner))
    if (!first || held.length > 1) throw new Failure(`${route} answers several things`)
    this.found[route] = [...(this.found[route] ?? []), { ...written, schema: first }]
  }
}

/** What is in the end written of what makes an answer: of a promise of the text of a record, that. */
export function heldBy(checker: Checker, type: Type): Type[] {
  const [made] = checker.getSignaturesOfType(type, SignatureKind.Call)
  const returned = made && checker.getReturnTypeOfSignature(made)
  if (returned) return heldBy(checker, returned)
  const isWrapped = /^(?:Promise|Json|Page)$/.test(type.getSymbol()?.name ?? '')
  if (!isWrapped || !type.isTypeReference()) return [type]
  return checker
    .getTypeArguments(type)
    .slice(0, 1)
    .flatMap(inner => heldBy(checker, inner))
}

/** Every call within a piece of source. */
function callsIn(node: Node): CallExpression[] {
  const found: CallExpression[] = isCallExpression(node) ? [node] : []
  node.forEachChild(child => {
    found.push(...callsIn(child))
  })
  return found
}

const nameOf = (called: Expression): string => (isIdentifier(called) ? called.text : '')
const textOf = (node: Node | undefined): string | undefined =>
  node && isStringLiteral(node) ? node.text : undefined
