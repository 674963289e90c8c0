import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { isObject } from './is-object.ts'

/**
 * Converts a value to the type of its schema if the coercion rules allow this; otherwise returns the value unchanged.
 */
export type Coercion = (value: unknown) => unknown

/**
 * Keyword of an object schema. Within an object of this schema, a null optional property counts as absent. `null` or
 * `[]` counts as empty if an array or map is expected. Clients in some languages send `null` or `[]` for empty or
 * absent values.
 */
export const NULL_IS_ABSENT = 'x-null-is-absent'

/** Keywords of a schema that affect coercion. */
interface SchemaNode {
  readonly [NULL_IS_ABSENT]?: boolean
  readonly required?: readonly string[]
  readonly type?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode | readonly SchemaNode[]
  readonly anyOf?: readonly SchemaNode[]
  readonly allOf?: readonly SchemaNode[]
}

/**
 * Compiles the coercion of a schema. The input is not modified. Never throws for a JSON value.
 *
 * Scalars are coerced as in Unleash: number and boolean → string; numeric string, boolean and null → number; 'true',
 * 'false', 1, 0 and null → boolean; null → ''. Objects and arrays are never coerced. Missing properties get the default
 * of their schema. In a union, the first branch that accepts the unconverted value applies; if no branch does, the
 * first branch that accepts the coerced value applies. A `$ref` is not followed. Source: other servers of the protocol,
 * which accept numbers as names and treat `null` as empty.
 */
export function compileCoercion(schema: TSchema): Coercion {
  return buildCoercion(schema as SchemaNode, { toNumber: coerceToNumber, isLenient: false })
}

/**
 * Compiles the coercion of a schema for paths and queries, where every value is text. Works like `compileCoercion`, but
 * reads only numbers in the canonical decimal form that JSON uses, without exponent: `7`, `-7` and `0.5`, but not
 * `0x7`, `7e0`, `+7`, `07`, `7.0` or ` 7`. This is the only place that reads numbers of paths and queries that have a
 * numeric schema.
 */
export function compileTextCoercion(schema: TSchema): Coercion {
  return buildCoercion(schema as SchemaNode, { toNumber: parseCanonicalNumber, isLenient: false })
}

/** Rules that apply to a part of a schema: how numbers are read, and whether NULL_IS_ABSENT applies. */
interface CoercionRules {
  readonly toNumber: Coercion
  readonly isLenient: boolean
}

function buildCoercion(node: SchemaNode, above: CoercionRules): Coercion {
  const rules = { ...above, isLenient: above.isLenient || node[NULL_IS_ABSENT] === true }
  if (node.anyOf !== undefined) return buildUnionCoercion(node.anyOf, rules)
  if (node.allOf !== undefined) return buildIntersectionCoercion(node.allOf.map((part) => buildCoercion(part, rules)))
  switch (node.type) {
    case 'string':
      return toText
    case 'number':
    case 'integer':
      return rules.toNumber
    case 'boolean':
      return toBoolean
    case 'array':
      return buildArrayCoercion(node.items, rules)
    case 'object':
      return buildObjectCoercion(node, rules, above.isLenient)
    default:
      return (value) => value
  }
}

function buildUnionCoercion(nodes: readonly SchemaNode[], rules: CoercionRules): Coercion {
  const branches = nodes.map((node) => ({ fits: createBranchCheck(node), coerce: buildCoercion(node, rules) }))
  return (value) => {
    const given = branches.find((branch) => branch.fits(value))
    if (given !== undefined) return given.coerce(value)
    for (const branch of branches) {
      const coerced = branch.coerce(value)
      if (coerced !== value && branch.fits(coerced)) return coerced
    }
    return value
  }
}

/**
 * Returns a function that checks a value against one branch of a union. A branch with a `$ref` cannot be compiled
 * separately, so only the check of the whole schema covers it.
 */
function createBranchCheck(node: SchemaNode): (value: unknown) => boolean {
  if ('$ref' in node) return () => false
  const compiled = Compile(node as TSchema)
  return (value) => compiled.Check(value)
}

function buildIntersectionCoercion(parts: readonly Coercion[]): Coercion {
  return (value) => parts.reduce((coerced, part) => part(coerced), value)
}

function buildArrayCoercion(items: SchemaNode['items'], rules: CoercionRules): Coercion {
  const each = buildElementsCoercion(items, rules)
  return rules.isLenient ? (value) => each(value ?? []) : each
}

function buildElementsCoercion(items: SchemaNode['items'], rules: CoercionRules): Coercion {
  if (items === undefined) return (value) => value
  if (Array.isArray(items)) {
    const places = (items as readonly SchemaNode[]).map((item) => buildCoercion(item, rules))
    return (value) => (Array.isArray(value) ? value.map((item, place) => places[place]?.(item) ?? item) : value)
  }
  const each = buildCoercion(items as SchemaNode, rules)
  return (value) => (Array.isArray(value) ? value.map((item) => each(item)) : value)
}

function buildObjectCoercion(node: SchemaNode, rules: CoercionRules, isLenientAbove: boolean): Coercion {
  const { isLenient } = rules
  const inside = (inner: SchemaNode) => buildCoercion(inner, rules)
  const members = new Map(Object.entries(node.properties ?? {}).map(([name, inner]) => [name, inside(inner)]))
  const required = new Set(node.required)
  const isAbsent = (name: string, item: unknown) =>
    isLenient && item === null && members.has(name) && !required.has(name)
  const patterns = Object.entries(node.patternProperties ?? {}).map(([pattern, inner]) => ({
    pattern: new RegExp(pattern, 'u'),
    coerce: inside(inner),
  }))
  const others = typeof node.additionalProperties === 'object' ? inside(node.additionalProperties) : undefined
  const defaults = Object.entries(node.properties ?? {}).filter(([, inner]) => inner.default !== undefined)
  const coercionFor = (name: string) =>
    members.get(name) ?? patterns.find(({ pattern }) => pattern.test(name))?.coerce ?? others
  return (given) => {
    const value = isLenientAbove && isEmpty(given) ? {} : given
    if (!isObject(value)) return value
    const copy: Record<string, unknown> = {}
    for (const [name, item] of Object.entries(value)) {
      if (isAbsent(name, item)) continue
      const coerce = coercionFor(name)
      setOwnProperty(copy, name, coerce === undefined ? item : coerce(item))
    }
    for (const [name, inner] of defaults) {
      if (!Object.hasOwn(copy, name)) setOwnProperty(copy, name, structuredClone(inner.default))
    }
    return copy
  }
}

/** Returns true for null and for an empty array, because some clients send one of these instead of an empty map. */
function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** Defines a property without assigning it, so that a property called `__proto__` becomes ordinary data. */
function setOwnProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

function toText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === null ? '' : value
}

const CANONICAL_NUMBER = /^(0|-?(?:[1-9]\d*|(?:0|[1-9]\d*)\.\d*[1-9]))$/

function parseCanonicalNumber(value: unknown): unknown {
  return typeof value === 'string' && CANONICAL_NUMBER.test(value) ? Number(value) : value
}

function coerceToNumber(value: unknown): unknown {
  if (value === null) return 0
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  return value
}

function toBoolean(value: unknown): unknown {
  if (value === 'true' || value === 1) return true
  if (value === 'false' || value === 0 || value === null) return false
  return value
}
