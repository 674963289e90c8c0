import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { compileCoercion, compileTextCoercion } from './coercion.ts'
import { boundList, copySchema, isMapOfSchemas, listInnerSchemas, type SchemaNode } from './list-limit.ts'
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

/** Validates one part of a request. Returns the validated value, with defaults and coercions. Throws InvalidRequest. */
export type Validator = (value: unknown) => unknown

/**
 * Compiles a schema into a validator for the request part `part` ('body', 'query', 'params'). The validator fills in
 * defaults and coerces scalars as in `compileCoercion` (in paths and queries as in `compileTextCoercion`), without
 * modifying the input. The validator rejects the properties listed by NEVER_IGNORED; in objects without this keyword,
 * it rejects the properties listed by `neverIgnored`. Lists without `maxItems` may have up to DEFAULT_MAX_ITEMS items.
 * The validator throws only InvalidRequest, with at most 50 errors, even for very large or deeply nested values.
 */
export function compileValidator(schema: TSchema, part: string, neverIgnored?: readonly string[]): Validator {
  const strict = copySchema(schema, (copy) => {
    openNames(copy)
    boundList(copy)
  })
  const compiled = Compile(strict)
  const coerce = TEXT_PARTS.has(part) ? compileTextCoercion(strict) : compileCoercion(strict)
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

/** Parts of a request in which every value is text. */
const TEXT_PARTS: ReadonlySet<string> = new Set(['query', 'params'])

const MAX_ERRORS = 50

// with the default maximum of 8, errors about additional properties could push out the useful error
Settings.Set({ maxErrors: 1000 })

/** Drops errors with the message "schema is false". Such errors only repeat the errors about additional properties. */
function selectErrors(errors: readonly TLocalizedValidationError[]): readonly TLocalizedValidationError[] {
  const specific = errors.filter((error) => error.keyword !== 'boolean')
  return (specific.length > 0 ? specific : errors).slice(0, MAX_ERRORS)
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

/** Returns the error for a value that is nested so deeply that a recursive schema overflows the call stack. */
function createDepthError(part: string): SchemaError {
  return { instancePath: `/${part}`, schemaPath: '#', keyword: 'depth', params: {}, message: 'must not nest so deeply' }
}

const ANY_NAME = '^[\\s\\S]*$'

/**
 * Replaces the "any name" pattern of a record with a pattern that also matches names with line breaks. Otherwise, the
 * values of properties with such names would not be validated.
 */
function openNames(schema: SchemaNode): void {
  if (schema.type !== 'object' || schema.patternProperties === undefined) return
  schema.patternProperties = Object.fromEntries(
    Object.entries(schema.patternProperties).map(([name, inner]) => [name === '^.*$' ? ANY_NAME : name, inner]),
  )
}

function hasDefault(schema: object, byName = false): boolean {
  if (!byName && 'default' in schema) return true
  return listInnerSchemas(schema, byName).some(([key, inner]) => hasDefault(inner, isMapOfSchemas(key, byName)))
}
