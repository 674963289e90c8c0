/** Parts of a schema that sample values are generated from. */
export interface SampledSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, SampledSchema>>
  readonly patternProperties?: Readonly<Record<string, SampledSchema>>
  readonly items?: SampledSchema
  readonly minimum?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly anyOf?: readonly SampledSchema[]
  readonly allOf?: readonly SampledSchema[]
}

/** Sample values by property name. */
export type Known = Readonly<Record<string, unknown>>

/**
 * Returns a value that matches a schema and has all of its declared properties. Values in `known` take precedence over
 * generated ones.
 */
export function sampleOf(schema: SampledSchema, known: Known, name = ''): unknown {
  if (Object.hasOwn(known, name) && isOf(schema, known[name])) return known[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {}, known)
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, known)))
  }
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, one]) => [key, sampleOf(one, known, key)]),
      )
    case 'array':
      return [sampleOf(schema.items ?? {}, known)]
    case 'string':
      return 'xx'
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return null
  }
}

function isOf({ type, anyOf = [], enum: listed }: SampledSchema, value: unknown): boolean {
  if (listed !== undefined) return listed.includes(value)
  if (type === undefined) return anyOf.length === 0 || anyOf.some((one) => isOf(one, value))
  return type === (Array.isArray(value) ? 'array' : typeof value === 'number' ? 'integer' : typeof value)
}

/**
 * Returns copies of a JSON value; in each copy, one of its objects has an additional member, beginning with the root
 * object.
 */
export function withMember(value: unknown, name: string, member: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const within = Object.entries(value).flatMap(([key, one]) =>
    withMember(one, name, member).map((changed) => {
      if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? changed : item))
      return { ...value, [key]: changed }
    }),
  )
  if (Array.isArray(value) || Object.hasOwn(value, name)) return within
  const copy = { ...value }
  // as with JSON.parse, `__proto__` is an ordinary member
  Object.defineProperty(copy, name, { value: member, enumerable: true, configurable: true, writable: true })
  return [copy, ...within]
}
