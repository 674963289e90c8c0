import type { CompileWarning } from './compilation.ts'
import { isRaw, type Raw } from './raw-value.ts'

/** What a document defines, each name and each id once. */
export interface Definitions {
  /** First those that are listed, then those that nobody may ask for. */
  readonly names: readonly string[]
  /** The listed ones; the same list as `names` where all are. */
  readonly listed: readonly string[]
  /** In the order of `names`. */
  readonly features: readonly Raw[]
  readonly segments: ReadonlyMap<unknown, Raw>
  /** About the parts of the document that are no definition. */
  readonly warnings: readonly CompileWarning[]
}

/** How many flags are read between two pauses. */
const SLICE = 2000
const DIGIT = /^[0-9]/

/**
 * Reads a document, which may be anything. Of several segments with one id the last one counts; of several flags with one
 * name the last one does, in the place of the first one. Throws nothing on JSON.
 */
export function* readDefinitions(
  document: unknown,
  isListed?: (definition: Raw) => boolean,
): Generator<void, Definitions> {
  const source: Raw = isRaw(document) ? document : {}
  const warnings: CompileWarning[] = []
  const segments = new Map<unknown, Raw>()
  for (const segment of listOf(source.segments)) if (isRaw(segment)) segments.set(segment.id, segment)
  if (!Array.isArray(source.features)) warnings.push({ feature: undefined, message: 'features are no list' })
  const features = new Map<string, Raw>()
  for (const [index, feature] of listOf(source.features).entries()) {
    const name = isRaw(feature) ? feature.name : undefined
    if (isRaw(feature) && typeof name === 'string') features.set(name, feature)
    else warnings.push({ feature: undefined, message: 'a feature has no name' })
    if (index % SLICE === SLICE - 1) yield
  }
  const { ordered, listed } = listedFirst(inOrderOfProperties(features), isListed)
  const names = Object.freeze([...ordered.keys()])
  const common = { names, features: [...ordered.values()], segments, warnings }
  return { ...common, listed: listed === names.length ? names : Object.freeze(names.slice(0, listed)) }
}

/** Those that are listed before the others, and how many they are. */
function listedFirst(features: Map<string, Raw>, isListed?: (definition: Raw) => boolean) {
  if (isListed === undefined) return { ordered: features, listed: features.size }
  const [shown, hidden]: [Map<string, Raw>, Map<string, Raw>] = [new Map(), new Map()]
  for (const [name, feature] of features) (isListed(feature) ? shown : hidden).set(name, feature)
  return { ordered: new Map([...shown, ...hidden]), listed: shown.size }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The order of JavaScript properties, which is the order SDKs and proxies list flags in: integer-like names first. */
function inOrderOfProperties(features: Map<string, Raw>): Map<string, Raw> {
  if (![...features.keys()].some((name) => DIGIT.test(name))) return features
  const properties: Record<string, Raw> = Object.create(null)
  for (const [name, feature] of features) properties[name] = feature
  return new Map(Object.entries(properties))
}
