import type { TSchema } from 'typebox'
import { isObject } from './is-object.ts'

/**
 * Keyword of an object schema; its value is a list of property names. A listed property is rejected unless the schema
 * declares it. If a listed property were silently ignored, the sender would believe that it has an effect. Properties
 * with empty values (null, false, '', [], {}) are allowed. For a name that is prefixed with `!`, the allowed values are
 * null and true instead: `!enabled` rejects `"enabled": false`.
 */
export const NEVER_IGNORED = 'x-never-ignored'

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
  readonly [NEVER_IGNORED]?: readonly string[]
}

/** Object that contains properties to be rejected. */
export interface IgnoredProperties {
  /** Path of the object, such as `/features/0`. */
  readonly path: string
  readonly names: readonly string[]
}

/** Returns the objects within a value that contain properties to be rejected. */
export type FindIgnored = (value: unknown) => readonly IgnoredProperties[]

/**
 * Compiles the keyword wherever it occurs in a schema.
 *
 * @param byDefault names that apply to objects without the keyword, except objects that allow any property
 */
export function compileNeverIgnored(schema: TSchema, byDefault?: readonly string[]): FindIgnored {
  const check = compileNode(schema as SchemaNode, byDefault)
  if (check === undefined) return () => []
  return (value) => {
    const found: IgnoredProperties[] = []
    check(value, '', found)
    return found
  }
}

type IgnoredCheck = (value: unknown, path: string, found: IgnoredProperties[]) => void

function compileNode(node: SchemaNode, byDefault: readonly string[] | undefined): IgnoredCheck | undefined {
  const alternatives = (node.anyOf ?? []).map((inner) => compileNode(inner, byDefault))
  const own = compileUndeclared(node, byDefault)
  const checks = [own, compileProperties(node, byDefault), compileItems(node, byDefault), ...alternatives]
  const present = checks.filter((check) => check !== undefined)
  if (present.length === 0) return undefined
  return (value, path, found) => {
    for (const check of present) check(value, path, found)
  }
}

function compileUndeclared(node: SchemaNode, byDefault: readonly string[] | undefined): IgnoredCheck | undefined {
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

/** Returns true if an object schema declares properties and has no rule for other properties. */
function isClosed({ properties, additionalProperties, patternProperties }: SchemaNode): boolean {
  return properties !== undefined && additionalProperties === undefined && patternProperties === undefined
}

function compileProperties(
  { properties = {} }: SchemaNode,
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

function compileItems({ items }: SchemaNode, byDefault: readonly string[] | undefined): IgnoredCheck | undefined {
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
