import type { Leaf, Shape } from './payload-shape.ts'

/** How a language writes the types of payloads. */
export interface Dialect {
  readonly leaves: Readonly<Record<Leaf, string>>
  readonly list: (type: string) => string
  /** A type for the object at some path of keys, which no other has. */
  readonly nameType: (path: readonly string[]) => string
  /** Names for the fields of one type, each of which no other has. */
  readonly nameFields: (type: string) => (key: string) => string
  /** The type of objects with keys that fields cannot have; undefined where fields can have these. */
  readonly openType?: (keys: readonly string[]) => string | undefined
}

/** A type with fields. */
export interface RecordType {
  readonly name: string
  readonly fields: readonly RecordField[]
}

/** A field, with its key in the JSON. */
export interface RecordField {
  readonly key: string
  readonly name: string
  readonly type: string
  readonly kind: Shape['kind']
  readonly optional: boolean
}

/** The type of a shape, and those that it is made of; each comes after all that it uses. */
export function recordsOf(shape: Shape, dialect: Dialect): { readonly type: string; readonly records: RecordType[] } {
  const records: RecordType[] = []
  const typeOf = (part: Shape, path: readonly string[]): string => {
    if (part.kind === 'list') return dialect.list(typeOf(part.of, path))
    if (part.kind !== 'object') return dialect.leaves[part.kind]
    const open = dialect.openType?.(part.fields.map(({ key }) => key))
    if (open !== undefined) return open
    const name = dialect.nameType(path)
    const nameField = dialect.nameFields(name)
    const fields = part.fields.map(({ key, optional, shape: { kind }, shape: of }) => ({
      ...{ key, optional, kind },
      name: nameField(key),
      type: typeOf(of, [...path, key]),
    }))
    records.push({ name, fields })
    return name
  }
  return { type: typeOf(shape, []), records }
}
