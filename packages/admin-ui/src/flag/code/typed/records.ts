import type { Leaf, Shape } from './payload-shape.ts'

/** Syntax of a language for payload types. */
export interface TypeSyntax {
  readonly leaves: Readonly<Record<Leaf, string>>
  readonly list: (type: string) => string
  /** Returns a unique type name for the object at a path of keys. */
  readonly nameType: (path: readonly string[]) => string
  /** Returns a function that makes field names unique within one type. */
  readonly nameFields: (type: string) => (key: string) => string
  /** Returns the type for objects whose keys cannot be field names; undefined if their keys can be field names. */
  readonly openType?: (keys: readonly string[]) => string | undefined
}

/** Type with fields. */
export interface RecordType {
  readonly name: string
  readonly fields: readonly RecordField[]
}

/** Field of a generated type, with its JSON key. */
export interface RecordField {
  readonly key: string
  readonly name: string
  readonly type: string
  readonly kind: Shape['kind']
  readonly optional: boolean
}

/** Returns the type for a shape, and all record types that it needs, dependencies first. */
export function toRecords(
  shape: Shape,
  dialect: TypeSyntax,
): { readonly type: string; readonly records: RecordType[] } {
  const records: RecordType[] = []
  const typeOf = (part: Shape, path: readonly string[]): string => {
    if (part.kind === 'list') return dialect.list(typeOf(part.of, path))
    if (part.kind !== 'object') return dialect.leaves[part.kind]
    const open = dialect.openType?.(part.fields.map(({ key }) => key))
    if (open !== undefined) return open
    const name = dialect.nameType(path)
    const nameField = dialect.nameFields(name)
    const fields = part.fields.map(({ key, optional, shape: { kind }, shape: of }) => ({
      key,
      optional,
      kind,
      name: nameField(key),
      type: typeOf(of, [...path, key]),
    }))
    records.push({ name, fields })
    return name
  }
  return { type: typeOf(shape, []), records }
}
