import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { compileCoercion } from './coercion.ts'
import { compileNeverIgnored, type IgnoredProperties, NEVER_IGNORED } from './never-ignored.ts'

/**
 * A violation of a schema, in the format of JSON Schema validators. `instancePath` starts with the part of the request:
 * `/body/toggles/0`.
 */
export interface SchemaError {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** Error for a request part that does not match its schema. */
export class InvalidRequest extends Error {
  readonly errors: readonly SchemaError[]
  constructor(errors: readonly SchemaError[]) {
    super(errors.map((e) => `${e.instancePath} ${e.message}`).join('; '))
    this.name = 'InvalidRequest'
    this.errors = errors
  }
}

/** Validates one part of a request. Returns the value to use. Throws InvalidRequest. */
export type Validator = (value: unknown) => unknown

/**
 * Compiles a schema into a validator for the request part `part` ('body', 'query', 'params'). The validator fills in
 * defaults and coerces scalars as in `compileCoercion`, without modifying the input. The validator rejects the
 * properties listed by NEVER_IGNORED; in objects without this keyword, it rejects the properties listed by
 * `neverIgnored`. The validator throws only InvalidRequest, with at most 50 errors, even for very large or deeply
 * nested values.
 */
export function compileValidator(schema: TSchema, part: string, neverIgnored?: readonly string[]): Validator {
  const strict = withOpenNames(schema)
  const compiled = Compile(strict)
  const coerce = compileCoercion(strict)
  const fillsIn = hasDefault(strict)
  const findIgnored = compileNeverIgnored(schema, neverIgnored)
  const accepted = (value: unknown): unknown => {
    const found = findIgnored(value)
    if (found.length === 0) return value
    throw new InvalidRequest(found.slice(0, MAX_ERRORS).map((one) => toIgnoredError(part, one)))
  }
  return (value) => {
    try {
      if (!fillsIn && compiled.Check(value)) return accepted(value)
      const coerced = coerce(value)
      if (compiled.Check(coerced)) return accepted(coerced)
      throw new InvalidRequest(selectErrors(compiled.Errors(coerced)).map((error) => toSchemaError(part, error)))
    } catch (error) {
      if (error instanceof RangeError) throw new InvalidRequest([createDepthError(part)])
      throw error
    }
  }
}

const MAX_ERRORS = 50

// with the default maximum of 8, errors about extra properties could hide the useful error
Settings.Set({ maxErrors: 1000 })

/** Drops the "schema is false" errors. These errors only repeat the error about extra properties. */
function selectErrors(errors: readonly TLocalizedValidationError[]): readonly TLocalizedValidationError[] {
  const told = errors.filter((error) => error.keyword !== 'boolean')
  return (told.length > 0 ? told : errors).slice(0, MAX_ERRORS)
}

function toSchemaError(part: string, error: TLocalizedValidationError): SchemaError {
  return {
    instancePath: `/${part}${error.instancePath}`,
    schemaPath: `${error.schemaPath}/${error.keyword}`,
    keyword: error.keyword,
    params: error.params as Record<string, unknown>,
    message: error.message,
  }
}

function toIgnoredError(part: string, { path, names }: IgnoredProperties): SchemaError {
  return {
    instancePath: `/${part}${path}`,
    schemaPath: `#/${NEVER_IGNORED}`,
    keyword: 'additionalProperties',
    params: { additionalProperties: names },
    message: `must not have ${names.join(', ')}, which would be ignored`,
  }
}

/** Returns the error for a value nested so deeply that a recursive schema overflows the stack. */
function createDepthError(part: string): SchemaError {
  return { instancePath: `/${part}`, schemaPath: '#', keyword: 'depth', params: {}, message: 'must not nest so deeply' }
}

const ANY_NAME = '^[\\s\\S]*$'

/** Keywords that contain values, and keywords that contain schemas by name. */
const VALUES = new Set(['default', 'const', 'enum', 'examples'])
const NAMED = new Set(['properties', 'patternProperties', '$defs'])

/**
 * Returns the schemas directly below a schema, by keyword. If `byName` is true, the given object is a map of names to
 * schemas, and its values are returned.
 */
function listInnerSchemas(schema: object, byName: boolean): [key: string, inner: object][] {
  return Object.entries(schema).filter(
    ([key, inner]) => typeof inner === 'object' && inner !== null && (byName || !VALUES.has(key)),
  )
}

/**
 * Replaces a record's "any name" pattern with a pattern that also matches names with line breaks. Otherwise, the values
 * of such names would not be validated.
 */
function withOpenNames<T extends object>(schema: T, byName = false): T {
  if (Array.isArray(schema)) return schema.map((item) => (isObject(item) ? withOpenNames(item) : item)) as unknown as T
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema))
  for (const [key, inner] of listInnerSchemas(schema, byName))
    copy[key] = withOpenNames(inner, !byName && NAMED.has(key))
  if (copy.type !== 'object' || copy.patternProperties === undefined) return copy
  copy.patternProperties = Object.fromEntries(
    Object.entries(copy.patternProperties).map(([name, inner]) => [name === '^.*$' ? ANY_NAME : name, inner]),
  )
  return copy
}

function hasDefault(schema: object, byName = false): boolean {
  if (!byName && 'default' in schema) return true
  return listInnerSchemas(schema, byName).some(([key, inner]) => hasDefault(inner, !byName && NAMED.has(key)))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
