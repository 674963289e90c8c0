/**
 * Maximum number of items of a list in a request if its schema has no `maxItems`. No use of the API comes near it:
 * imports and reports of large installations have tens of thousands of items.
 */
export const DEFAULT_MAX_ITEMS = 100_000

/** Keywords that contain values, and keywords that contain schemas by name. */
const VALUES = new Set(['default', 'const', 'enum', 'examples'])
const NAMED = new Set(['properties', 'patternProperties', '$defs'])

/**
 * Returns the schemas directly below a schema, by keyword. If `byName` is true, the given object is a map of names to
 * schemas, and its values are returned.
 */
export function listInnerSchemas(schema: object, byName: boolean): [key: string, inner: object][] {
  return Object.entries(schema).filter(
    ([key, inner]) => typeof inner === 'object' && inner !== null && (byName || !VALUES.has(key)),
  )
}

/**
 * Returns a copy of a schema in which `adapt` has changed the schema itself and each schema below it. `adapt` gets a
 * copy, which it may modify.
 */
export function copySchema<T extends object>(schema: T, adapt: (copy: SchemaNode) => void, byName = false): T {
  if (Array.isArray(schema)) {
    return schema.map((item) => (isObject(item) ? copySchema(item, adapt) : item)) as unknown as T
  }
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema))
  for (const [key, inner] of listInnerSchemas(schema, byName)) {
    copy[key] = copySchema(inner, adapt, isMapOfSchemas(key, byName))
  }
  if (!byName) adapt(copy)
  return copy
}

/** JSON schema. The writable keywords are the keywords that an adapted copy may change. */
export interface SchemaNode {
  readonly type?: unknown
  readonly items?: unknown
  readonly prefixItems?: unknown
  maxItems?: number
  patternProperties?: Record<string, unknown>
}

/** Returns true if a keyword contains schemas by name. */
export function isMapOfSchemas(key: string, isInMap: boolean): boolean {
  return !isInMap && NAMED.has(key)
}

/** Adds `maxItems` to the schema of a list without it. Tuples have a fixed number of items. */
export function boundList(schema: SchemaNode, maxItems: number = DEFAULT_MAX_ITEMS): void {
  const isTuple = Array.isArray(schema.items) || schema.prefixItems !== undefined
  if (schema.type === 'array' && !isTuple) schema.maxItems ??= maxItems
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
