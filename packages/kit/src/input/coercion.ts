import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** Turns a value into what its schema wants, where the rules allow it; else gives it back as it is. */
export type Coercion = (value: unknown) => unknown

/**
 * Keyword of an object schema: within it, an optional member that is null counts as absent, and `null` or `[]` as empty where
 * a list or a map is expected. Clients in languages without a difference between these send them.
 */
export const NULL_IS_ABSENT = 'x-null-is-absent'

/** The parts of a schema that coercion looks at. */
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
 * Compiles the coercion of a schema. Scalars are coerced where the established wire protocol does so: number and
 * boolean → text; numeric text, boolean and null → number; 'true', 'false', 1, 0 and null → boolean; null → ''.
 * Objects and arrays never. Members that are missing get the default of their schema. Of a union, the first branch
 * that fits the value decides, else the first that fits the coerced value. What stands behind a `$ref` stays as it is.
 * The given value is not changed. Never throws for a value that JSON can hold.
 * Source: peers of the protocol (numbers for names are accepted, `null` counts as empty).
 */
export function compileCoercion(schema: TSchema): Coercion {
  return coercionOf(schema as SchemaNode)
}

function coercionOf(node: SchemaNode, isLenientAbove = false): Coercion {
  const isLenient = isLenientAbove || node[NULL_IS_ABSENT] === true
  if (node.anyOf !== undefined) return unionOf(node.anyOf, isLenient)
  if (node.allOf !== undefined) return allOf(node.allOf.map((part) => coercionOf(part, isLenient)))
  switch (node.type) {
    case 'string':
      return toText
    case 'number':
    case 'integer':
      return toNumber
    case 'boolean':
      return toBoolean
    case 'array':
      return arrayOf(node.items, isLenient)
    case 'object':
      return objectOf(node, isLenient, isLenientAbove)
    default:
      return (value) => value
  }
}

function unionOf(nodes: readonly SchemaNode[], isLenient: boolean): Coercion {
  const branches = nodes.map((node) => ({ fits: fits(node), coerce: coercionOf(node, isLenient) }))
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

/** A branch that cannot be compiled alone (it refers to its surroundings) is left to the check of the whole. */
function fits(node: SchemaNode): (value: unknown) => boolean {
  if ('$ref' in node) return () => false
  const compiled = Compile(node as TSchema)
  return (value) => compiled.Check(value)
}

function allOf(parts: readonly Coercion[]): Coercion {
  return (value) => parts.reduce((coerced, part) => part(coerced), value)
}

function arrayOf(items: SchemaNode['items'], isLenient: boolean): Coercion {
  const each = elementsOf(items, isLenient)
  return isLenient ? (value) => each(value ?? []) : each
}

function elementsOf(items: SchemaNode['items'], isLenient: boolean): Coercion {
  if (items === undefined) return (value) => value
  if (Array.isArray(items)) {
    const places = (items as readonly SchemaNode[]).map((item) => coercionOf(item, isLenient))
    return (value) => (Array.isArray(value) ? value.map((item, place) => places[place]?.(item) ?? item) : value)
  }
  const each = coercionOf(items as SchemaNode, isLenient)
  return (value) => (Array.isArray(value) ? value.map((item) => each(item)) : value)
}

function objectOf(node: SchemaNode, isLenient: boolean, isLenientAbove: boolean): Coercion {
  const inside = (inner: SchemaNode) => coercionOf(inner, isLenient)
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
      define(copy, name, coerce === undefined ? item : coerce(item))
    }
    for (const [name, inner] of defaults) {
      if (!Object.hasOwn(copy, name)) define(copy, name, structuredClone(inner.default))
    }
    return copy
  }
}

/** Null, or the list by which some clients write an empty map. */
function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** Not by assignment, for a member called `__proto__` is data like any other. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

function toText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === null ? '' : value
}

function toNumber(value: unknown): unknown {
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
