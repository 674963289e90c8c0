import type { CompileWarning } from './compilation.ts'
import { isRaw, type Raw } from './raw-value.ts'

/** Definitions of a document, deduplicated by name and id. */
export interface Definitions {
  /** Names of flags that callers can see, followed by names of hidden flags. */
  readonly names: readonly string[]
  /** Names of flags that callers can see; the same array as `names` if callers can see all flags. */
  readonly listed: readonly string[]
  /** Definitions in the order of `names`. */
  readonly features: readonly Raw[]
  readonly segments: ReadonlyMap<unknown, Raw>
  /** Warnings about parts of the document that are not definitions. */
  readonly warnings: readonly CompileWarning[]
}

/** Number of flags read per step. */
const FLAGS_PER_STEP = 2000
const DIGIT = /^[0-9]/

/**
 * Reads a document, which can be any JSON value. If several segments have the same id, the last one counts. Of flags
 * with the same name, the last one wins and gets the position of the first. Never throws for a JSON value.
 */
export function* readDefinitions(
  document: unknown,
  isListed?: (definition: Raw) => boolean,
): Generator<void, Definitions> {
  const source: Raw = isRaw(document) ? document : {}
  const warnings: CompileWarning[] = []
  const segments = new Map<unknown, Raw>()
  for (const segment of toList(source.segments)) if (isRaw(segment)) segments.set(segment.id, segment)
  if (!Array.isArray(source.features)) warnings.push({ feature: undefined, message: 'features are not a list' })
  const features = new Map<string, Raw>()
  for (const [index, feature] of toList(source.features).entries()) {
    const name = isRaw(feature) ? feature.name : undefined
    if (isRaw(feature) && typeof name === 'string') features.set(name, feature)
    else warnings.push({ feature: undefined, message: 'a feature has no name' })
    if (index % FLAGS_PER_STEP === FLAGS_PER_STEP - 1) yield
  }
  const { ordered, listed } = moveListedFirst(sortLikeProperties(features), isListed)
  const names = Object.freeze([...ordered.keys()])
  const common = { names, features: [...ordered.values()], segments, warnings }
  return { ...common, listed: listed === names.length ? names : Object.freeze(names.slice(0, listed)) }
}

/** Moves the flags that callers can see to the front and counts them. */
function moveListedFirst(features: Map<string, Raw>, isListed?: (definition: Raw) => boolean) {
  if (isListed === undefined) return { ordered: features, listed: features.size }
  const [shown, hidden]: [Map<string, Raw>, Map<string, Raw>] = [new Map(), new Map()]
  for (const [name, feature] of features) (isListed(feature) ? shown : hidden).set(name, feature)
  return { ordered: new Map([...shown, ...hidden]), listed: shown.size }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Sorts flags in the order of JavaScript properties, as SDKs and proxies list them: integer-like names first. */
function sortLikeProperties(features: Map<string, Raw>): Map<string, Raw> {
  if (![...features.keys()].some((name) => DIGIT.test(name))) return features
  const properties: Record<string, Raw> = Object.create(null)
  for (const [name, feature] of features) properties[name] = feature
  return new Map(Object.entries(properties))
}
