import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** One violation; `instancePath` begins with the part of the request: `/body/toggles/0`. Shape: JSON-Schema validators'. */
export interface SchemaError {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A request part that does not fit its schema. */
export class InvalidRequest extends Error {
  readonly errors: readonly SchemaError[]
  constructor(errors: readonly SchemaError[]) {
    super(errors.map((e) => `${e.instancePath} ${e.message}`).join('; '))
    this.name = 'InvalidRequest'
    this.errors = errors
  }
}

/** Checks one part of a request. Returns the value to use; throws InvalidRequest. */
export type Validator = (value: unknown) => unknown

interface SchemaNode {
  readonly type?: string
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
}

/**
 * Compiles a schema into a validator for the request part `part` ('body', 'query', 'params').
 * Scalars are coerced where the established wire protocol does so: number and boolean → text, numeric text → number,
 * null → '' or 0; objects and arrays never. The given value itself is not changed.
 */
export function compileValidator(schema: TSchema, part: string): Validator {
  const compiled = Compile(schema)
  const node = schema as SchemaNode
  return (value) => {
    if (compiled.Check(value)) return value
    const coerced = coerce(node, value)
    if (compiled.Check(coerced)) return coerced
    throw new InvalidRequest(
      [...compiled.Errors(coerced)].map((error) => ({
        instancePath: `/${part}${error.instancePath}`,
        schemaPath: `${error.schemaPath}/${error.keyword}`,
        keyword: error.keyword,
        params: error.params as Record<string, unknown>,
        message: error.message,
      })),
    )
  }
}

/** Follows schema and value downwards; copies only what it changes. */
function coerce(schema: SchemaNode, value: unknown): unknown {
  if (schema.anyOf !== undefined) return coerceAny(schema.anyOf, value)
  switch (schema.type) {
    case 'string':
      return coerceText(value)
    case 'number':
    case 'integer':
      return coerceNumber(value)
    case 'boolean':
      return coerceBoolean(value)
    case 'array':
      return Array.isArray(value) && schema.items
        ? value.map((item) => coerce(schema.items as SchemaNode, item))
        : value
    case 'object':
      return isObject(value) ? coerceProperties(schema, value) : value
    default:
      return value
  }
}

function coerceAny(branches: readonly SchemaNode[], value: unknown): unknown {
  const fits = branches.some((branch) => matchesType(branch, value))
  if (fits) {
    const branch = branches.find((candidate) => matchesType(candidate, value)) as SchemaNode
    return coerce(branch, value)
  }
  for (const branch of branches) {
    const coerced = coerce(branch, value)
    if (coerced !== value) return coerced
  }
  return value
}

function matchesType(schema: SchemaNode, value: unknown): boolean {
  if ('const' in schema) return schema.const === value
  switch (schema.type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === schema.type
  }
}

function coerceText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === null ? '' : value
}

function coerceNumber(value: unknown): unknown {
  if (value === null) return 0
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  return value
}

function coerceBoolean(value: unknown): unknown {
  if (value === 'true' || value === 1) return true
  if (value === 'false' || value === 0 || value === null) return false
  return value
}

function coerceProperties(schema: SchemaNode, value: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    const inner = propertySchema(schema, name)
    // defineProperty, for a member called __proto__ is data like any other
    Object.defineProperty(copy, name, {
      value: inner === undefined ? item : coerce(inner, item),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return copy
}

function propertySchema(schema: SchemaNode, name: string): SchemaNode | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return schema.properties[name]
  for (const inner of Object.values(schema.patternProperties ?? {})) return inner
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
