import {
  type Checker,
  type Symbol as Name,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import { Failure } from './failure.ts'

const NULL: JsonSchema = { type: 'null' }

const isObjectLike = ({ flags }: Name): boolean =>
  (flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias)) !== 0

/** Whether a type is one of many of its name: `Page<Service>`. */
function isGeneric(type: Type): boolean {
  const target = type.isTypeReference() ? type.getTarget() : type
  return target.isClassOrInterface() && target.getLocalTypeParameters().length > 0
}

/** Where a type is declared, by the path of its file. */
const placeOf = (name: Name): string => name.declarations[0]?.path ?? 'nowhere'

/** Values to choose from: of booleans both are no choice. */
function choice(values: readonly unknown[], isNullable: boolean): JsonSchema {
  const types = [...new Set(values.map(value => typeof value))]
  const type: string[] = types.map(name => (name === 'number' ? 'integer' : name))
  if (isNullable) type.push('null')
  const typed = { type: type.length === 1 ? type[0] : type }
  if (types[0] === 'boolean' && values.length === 2) return typed
  if (values.length === 1 && !isNullable) return { ...typed, const: values[0] }
  return { ...typed, enum: isNullable ? [...values, null] : values }
}

/** Any of some schemas; null is told by the type where it can be. */
function anyOf(schemas: readonly JsonSchema[], isNullable: boolean): JsonSchema {
  const [first = {}] = schemas
  if (schemas.length > 1) return { anyOf: isNullable ? [...schemas, NULL] : schemas }
  if (!isNullable) return first
  return typeof first.type === 'string' && first.const === undefined
    ? { ...first, type: [first.type, 'null'] }
    : { anyOf: [first, NULL] }
}

/**
 * JSON Schemas (2020-12) of the types of what JSON text holds. A field is described by the comment
 * above it; a number is a whole one, unless it is a kind (lib/core/kinds.ts) that says otherwise.
 */
export class TypeSchemas {
  /** The schemas of types that the project has named, by their names. */
  readonly named: Record<string, JsonSchema> = {}
  private readonly owners = new Map<string, Name>()

  constructor(private readonly checker: Checker) {}

  /** The schema of a type, or a reference to it where it has a name. */
  of(type: Type): JsonSchema {
    const name = this.nameOf(type)
    if (!name) return this.unnamed(type)
    const owner = this.owners.get(name.name)
    if (owner && owner.id !== name.id)
      throw new Failure(`Two types are ${name.name}: in ${placeOf(owner)} and ${placeOf(name)}`)
    if (!owner) {
      this.owners.set(name.name, name)
      this.named[name.name] = {}
      this.named[name.name] = { ...this.unnamed(type), ...this.described(name) }
    }
    return { $ref: `#/components/schemas/${name.name}` }
  }

  /** What the project calls an object: the name of its interface, or of its type. */
  private nameOf(type: Type): Name | undefined {
    if (type.flags & (TypeFlags.Primitive | TypeFlags.AnyOrUnknown)) return undefined
    const alias = type.getAliasSymbol()
    const name = alias ?? type.getSymbol()
    if (!name || !isObjectLike(name) || placeOf(name).includes('/node_modules/')) return undefined
    if (alias ? type.getAliasTypeArguments().length > 0 : isGeneric(type)) return undefined
    const isPlain = type.isUnionType()
      ? type.getTypes().some(member => member.flags & TypeFlags.Object)
      : !this.kindIn(type)
    return isPlain ? name : undefined
  }

  /** The schema of a type, whatever its name. */
  unnamed(type: Type): JsonSchema {
    if (type.flags & TypeFlags.AnyOrUnknown) return {}
    if (type.isUnionType()) return this.union(type.getTypes())
    if (type.isLiteralType()) return choice([type.value], false)
    if (type.flags & TypeFlags.Primitive) return this.primitive(type)
    const kind = this.kindIn(type)
    if (kind) return kind
    if (type.isTypeReference() && this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type)
      return { type: 'array', items: item ? this.of(item) : {} }
    }
    if (this.checker.isTupleType(type)) return this.tuple(type)
    return this.object(type)
  }

  private primitive(type: Type): JsonSchema {
    if (type.flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return { type: 'string' }
    if (type.flags & TypeFlags.Number) return { type: 'integer' }
    if (type.flags & TypeFlags.Null) return NULL
    throw new Failure(`No JSON is ${this.checker.typeToString(type)}`)
  }

  private tuple(type: Type): JsonSchema {
    const items = type.isTypeReference() ? this.checker.getTypeArguments(type) : []
    if (items.length === 0) return { type: 'array', maxItems: 0 }
    return { type: 'array', items: this.union(items) }
  }

  private union(types: readonly Type[]): JsonSchema {
    const isNullable = types.some(({ flags }) => flags & TypeFlags.Null)
    const there = types.filter(({ flags }) => !(flags & (TypeFlags.Nullable | TypeFlags.Void)))
    const values = there.flatMap(type => (type.isLiteralType() ? [type.value] : []))
    const rest = there.filter(type => !type.isLiteralType()).map(type => this.of(type))
    if (values.length === 0) return anyOf(rest, isNullable)
    if (rest.length === 0) return choice(values, isNullable)
    return anyOf([choice(values, false), ...rest], isNullable)
  }

  /** What a kind of text or number says of itself, where the type is one. */
  private kindIn(type: Type): JsonSchema | undefined {
    const parts = type.isIntersectionType() ? type.getTypes() : []
    const base = parts.find(({ flags }) => flags & TypeFlags.Primitive)
    const said = parts.find(part => part !== base)
    if (!base || !said) return undefined
    const [keywords] = this.checker.getPropertiesOfType(said)
    return { ...this.unnamed(base), ...(keywords && this.literals(keywords)) }
  }

  private literals(name: Name): JsonSchema {
    const type = this.checker.getTypeOfSymbol(name)
    const schema = type ? this.unnamed(type) : {}
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([keyword, value]) => [keyword, value.const]),
    )
  }

  private object(type: Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {}
    const required: string[] = []
    for (const name of this.checker.getPropertiesOfType(type)) {
      const inner = this.checker.getTypeOfSymbol(name)
      if (!inner || name.flags & SymbolFlags.Method)
        throw new Failure(`No JSON is ${this.checker.typeToString(type)}`)
      properties[name.name] = this.field(inner, name)
      if (!(name.flags & SymbolFlags.Optional)) required.push(name.name)
    }
    const [index] = this.checker.getIndexInfosOfType(type)
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(index ? { additionalProperties: this.of(index.valueType) } : {}),
    }
  }

  /** A field: what is said of it stands before what is said of its kind. */
  private field(type: Type, name: Name): JsonSchema {
    const schema = this.of(type)
    const { description } = this.described(name)
    if (!description) return schema
    const kind = schema.$ref ? undefined : schema.description
    return { ...schema, description: kind ? `${description} ${kind}` : description }
  }

  private described(name: Name): JsonSchema {
    const description = name
      .getDocumentationComment(this.checker)
      .replace(/\s*\n\s*/g, ' ')
      .trim()
    return description ? { description } : {}
  }
}
