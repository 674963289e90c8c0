/** Type of a scalar value. `any` is the fallback if no type fits. */
export type Leaf = 'text' | 'number' | 'boolean' | 'any'

/** Common type of JSON payloads. A field is optional if it is missing or null in some payloads. */
export type Shape = Node<Leaf>

type Node<Kind extends string> =
  | { readonly kind: Kind }
  | { readonly kind: 'list'; readonly of: Node<Kind> }
  | { readonly kind: 'object'; readonly fields: readonly Field<Kind>[] }

interface Field<Kind extends string> {
  readonly key: string
  readonly shape: Node<Kind>
  readonly optional: boolean
}

/** Shape in which some types are still unknown: those of nulls and of the items of empty lists. */
type UndecidedShape = Node<Leaf | 'null' | 'none'>

const ANY = { kind: 'any' } as const
/** Maximum depth of generated types. */
const MAX_LEVELS = 12

/** Returns the common shape of JSON strings; `any` if they have no common shape or one of them is invalid. */
export function inferShape(texts: readonly string[]): Shape {
  const found = texts.map((text) => inferTextShape(text))
  return toShape(found.reduce(mergeShapes, { kind: 'none' }))
}

function inferTextShape(text: string): UndecidedShape {
  try {
    return inferValueShape(JSON.parse(text), 0)
  } catch {
    return ANY
  }
}

function inferValueShape(value: unknown, level: number): UndecidedShape {
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string') return { kind: 'text' }
  if (typeof value === 'number') return { kind: 'number' }
  if (typeof value === 'boolean') return { kind: 'boolean' }
  if (typeof value !== 'object' || level === MAX_LEVELS) return ANY
  if (Array.isArray(value)) {
    const entries = value.map((entry) => inferValueShape(entry, level + 1))
    return { kind: 'list', of: entries.reduce(mergeShapes, { kind: 'none' }) }
  }
  return {
    kind: 'object',
    fields: Object.entries(value).map(([key, part]) => {
      const shape = inferValueShape(part, level + 1)
      return { key, shape, optional: shape.kind === 'null' }
    }),
  }
}

function mergeShapes(one: UndecidedShape, other: UndecidedShape): UndecidedShape {
  if (one.kind === 'none') return other
  if (other.kind === 'none') return one
  if (one.kind === 'list' && other.kind === 'list') return { kind: 'list', of: mergeShapes(one.of, other.of) }
  if (one.kind === 'object' && other.kind === 'object') return { kind: 'object', fields: mergeFields(one, other) }
  return one.kind === other.kind ? one : ANY
}

type Fields = Extract<UndecidedShape, { kind: 'object' }>

function mergeFields(one: Fields, other: Fields): Fields['fields'] {
  const others = new Map(other.fields.map((field) => [field.key, field]))
  const own = one.fields.map((field) => {
    const twin = others.get(field.key)
    others.delete(field.key)
    return twin === undefined ? { ...field, optional: true } : mergeField(field, twin)
  })
  return [...own, ...[...others.values()].map((field) => ({ ...field, optional: true }))]
}

function mergeField(one: Fields['fields'][number], other: Fields['fields'][number]): Fields['fields'][number] {
  const optional = one.optional || other.optional
  // A field that is null on one side is optional, and its type comes from the other side.
  if (one.shape.kind === 'null') return { ...other, optional }
  if (other.shape.kind === 'null') return { ...one, optional }
  return { key: one.key, optional, shape: mergeShapes(one.shape, other.shape) }
}

function toShape(found: UndecidedShape): Shape {
  switch (found.kind) {
    case 'list':
      return { kind: 'list', of: toShape(found.of) }
    case 'object':
      return found.fields.length === 0
        ? ANY
        : { kind: 'object', fields: found.fields.map((field) => ({ ...field, shape: toShape(field.shape) })) }
    case 'null':
    case 'none':
      return ANY
    default:
      return { kind: found.kind }
  }
}
