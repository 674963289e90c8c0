/**
 * Maximum number of items in a list in a request, if the schema of the list has no `maxItems`. Real uses of the API
 * stay far below this number: imports and reports of large installations have tens of thousands of items.
 */
export const DEFAULT_MAX_ITEMS = 100_000

/** Keywords whose values are data, and keywords whose values map names to schemas. */
const VALUES = new Set(['default', 'const', 'enum', 'examples'])
const NAMED = new Set(['properties', 'patternProperties', '$defs'])

/**
 * Returns the schemas directly below a schema, by keyword. If `byName` is true, the given object maps names to schemas,
 * and these schemas are returned.
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

/** JSON schema. An adapted copy may change only the keywords that are not readonly. */
export interface SchemaNode {
  readonly type?: unknown
  readonly items?: unknown
  readonly prefixItems?: unknown
  maxItems?: number
  patternProperties?: Record<string, unknown>
}

/** Returns true if the value of a keyword maps names to schemas. */
export function isMapOfSchemas(key: string, isInMap: boolean): boolean {
  return !isInMap && NAMED.has(key)
}

/**
 * Adds `maxItems` to the schema of a list that has none. Tuples are left unchanged, because they have a fixed number of
 * items.
 */
export function boundList(schema: SchemaNode, maxItems: number = DEFAULT_MAX_ITEMS): void {
  const isTuple = Array.isArray(schema.items) || schema.prefixItems !== undefined
  if (schema.type === 'array' && !isTuple) schema.maxItems ??= maxItems
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
