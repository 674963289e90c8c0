import type { TSchema } from 'typebox'

/**
 * Keyword of an object schema: names that the object must not have unless the schema declares them. Such a property would be
 * ignored otherwise, and its sender believes that it counts. Empty values (null, false, '', [], {}) say nothing and pass.
 */
export const NEVER_IGNORED = 'x-never-ignored'

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
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

/** Compiles the keyword wherever it is in a schema. */
export function compileNeverIgnored(schema: TSchema): FindIgnored {
  const check = checkOf(schema as Node)
  if (check === undefined) return () => []
  return (value) => {
    const found: IgnoredProperties[] = []
    check(value, '', found)
    return found
  }
}

type IgnoredCheck = (value: unknown, path: string, found: IgnoredProperties[]) => void

function checkOf(node: Node): IgnoredCheck | undefined {
  const checks = [ownCheck(node), propertiesCheck(node), itemsCheck(node), ...(node.anyOf ?? []).map(checkOf)]
  const present = checks.filter((check) => check !== undefined)
  if (present.length === 0) return undefined
  return (value, path, found) => {
    for (const check of present) check(value, path, found)
  }
}

function ownCheck({ properties = {}, [NEVER_IGNORED]: all }: Node): IgnoredCheck | undefined {
  if (all === undefined) return undefined
  const names = new Set(all.filter((name) => !Object.hasOwn(properties, name)))
  return (value, path, found) => {
    if (!isObject(value)) return
    const ignored: string[] = []
    for (const name of Object.keys(value)) {
      if (names.has(name) && !isEmpty(value[name])) ignored.push(name)
    }
    if (ignored.length > 0) found.push({ path, names: ignored })
  }
}

function propertiesCheck({ properties = {} }: Node): IgnoredCheck | undefined {
  const inner = Object.entries(properties).flatMap(([name, node]) => {
    const check = checkOf(node)
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

function itemsCheck({ items }: Node): IgnoredCheck | undefined {
  const check = items && checkOf(items)
  if (check === undefined) return undefined
  return (value, path, found) => {
    if (!Array.isArray(value)) return
    for (const [index, item] of value.entries()) check(item, `${path}/${index}`, found)
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
