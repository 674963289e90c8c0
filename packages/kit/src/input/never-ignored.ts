import type { TSchema } from 'typebox'

/**
 * Keyword of an object schema: names that the object must not have unless the schema declares them. Such a property would be
 * ignored otherwise, and its sender believes that it counts. Empty values (null, false, '', [], {}) say nothing and pass.
 * Of a name with `!` in front, null and true say nothing: `!enabled` rejects `"enabled": false`.
 */
export const NEVER_IGNORED = 'x-never-ignored'

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
  readonly [NEVER_IGNORED]?: readonly string[]
}

/** An object with properties that would be ignored. */
export interface IgnoredProperties {
  /** Place of the object, as in `/features/0`. */
  readonly path: string
  readonly names: readonly string[]
}

/** Returns the objects of a value that have such properties. */
export type FindIgnored = (value: unknown) => readonly IgnoredProperties[]

/**
 * Compiles the keyword wherever it is in a schema.
 *
 * @param byDefault what objects without the keyword must not have; objects that take any name are left alone
 */
export function compileNeverIgnored(schema: TSchema, byDefault?: readonly string[]): FindIgnored {
  const check = compileNode(schema as Node, byDefault)
  if (check === undefined) return () => []
  return (value) => {
    const found: IgnoredProperties[] = []
    check(value, '', found)
    return found
  }
}

type IgnoredCheck = (value: unknown, path: string, found: IgnoredProperties[]) => void

function compileNode(node: Node, byDefault: readonly string[] | undefined): IgnoredCheck | undefined {
  const alternatives = (node.anyOf ?? []).map((inner) => compileNode(inner, byDefault))
  const own = compileOwn(node, byDefault)
  const checks = [own, compileProperties(node, byDefault), compileItems(node, byDefault), ...alternatives]
  const present = checks.filter((check) => check !== undefined)
  if (present.length === 0) return undefined
  return (value, path, found) => {
    for (const check of present) check(value, path, found)
  }
}

function compileOwn(node: Node, byDefault: readonly string[] | undefined): IgnoredCheck | undefined {
  const { properties = {}, [NEVER_IGNORED]: all = isClosed(node) ? byDefault : undefined } = node
  if (all === undefined) return undefined
  const rules = all.map((rule) => ({
    name: rule.replace(/^!/, ''),
    saysNothing: rule.startsWith('!') ? isOn : isEmpty,
  }))
  const undeclared = rules.filter(({ name }) => !Object.hasOwn(properties, name))
  const byName = new Map(undeclared.map(({ name, saysNothing }) => [name, saysNothing]))
  return (value, path, found) => {
    if (!isObject(value)) return
    const ignored: string[] = []
    for (const name of Object.keys(value)) {
      if (byName.get(name)?.(value[name]) === false) ignored.push(name)
    }
    if (ignored.length > 0) found.push({ path, names: ignored })
  }
}

/** True if an object has declared properties, and others mean nothing. */
function isClosed({ properties, additionalProperties, patternProperties }: Node): boolean {
  return properties !== undefined && additionalProperties === undefined && patternProperties === undefined
}

function compileProperties(
  { properties = {} }: Node,
  byDefault: readonly string[] | undefined,
): IgnoredCheck | undefined {
  const inner = Object.entries(properties).flatMap(([name, node]) => {
    const check = compileNode(node, byDefault)
    return check === undefined ? [] : [{ name, check }]
  })
  if (inner.length === 0) return undefined
  return (value, path, found) => {
    if (!isObject(value)) return
    for (const { name, check } of inner) {
      if (Object.hasOwn(value, name)) check(value[name], `${path}/${name}`, found)
    }
  }
}

function compileItems({ items }: Node, byDefault: readonly string[] | undefined): IgnoredCheck | undefined {
  const check = items && compileNode(items, byDefault)
  if (check === undefined) return undefined
  return (value, path, found) => {
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries()) check(item, `${path}/${index}`, found)
  }
}

function isOn(value: unknown): boolean {
  return value === true || value === null || value === undefined
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
