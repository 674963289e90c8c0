import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { type Canonical, type CanonicalFlag, indexSegments, toCanonicalFlag } from './canonical-flag.ts'

/** A pair of values to compare, one for each side. */
export interface Pair<T> {
  readonly a: T
  readonly b: T
}

/** A flag with different definitions. */
export interface DefinitionDifference {
  readonly flag: string
  readonly says: string
}

const PARTS = ['switch', 'variants', 'dependencies'] as const
const MAX_VALUE_LENGTH = 300

/** Returns the flags whose definitions have different meanings, in the order of the first document. */
export function listDefinitionDifferences(
  documents: Pair<FeatureDocument>,
  names: Pair<string>,
): DefinitionDifference[] {
  const [a, b] = [indexFlags(documents.a), indexFlags(documents.b)]
  const differences: DefinitionDifference[] = []
  for (const flag of new Set([...a.keys(), ...b.keys()])) {
    const says = describeDifference({ a: a.get(flag), b: b.get(flag) }, names)
    if (says !== undefined) differences.push({ flag, says })
  }
  return differences
}

function indexFlags({ features, segments }: FeatureDocument): Map<string, CanonicalFlag> {
  const byId = indexSegments(segments)
  return new Map(features.map((flag) => [flag.name, toCanonicalFlag(flag, byId)]))
}

function describeDifference({ a, b }: Pair<CanonicalFlag | undefined>, names: Pair<string>): string | undefined {
  if (a === undefined) return `${names.a} does not have it`
  if (b === undefined) return `${names.b} does not have it`
  for (const part of PARTS) {
    if (JSON.stringify(a[part]) !== JSON.stringify(b[part]))
      return describeValues(part, { a: a[part], b: b[part] }, names)
  }
  return describeStrategiesDifference({ a, b }, names) ?? describeDisplayDifference({ a, b }, names)
}

function describeStrategiesDifference({ a, b }: Pair<CanonicalFlag>, names: Pair<string>): string | undefined {
  const [ours, theirs] = [a, b].map((flag) => flag.strategies.map((one) => JSON.stringify(one))) as [string[], string[]]
  if (ours.join('\n') === theirs.join('\n')) return undefined
  if ([...ours].sort().join('\n') === [...theirs].sort().join('\n')) {
    // any matching strategy turns the flag on; the order only decides which strategy determines the variant
    return a.isOrdered || b.isOrdered ? 'the strategies are in another order, and one of them has variants' : undefined
  }
  if (ours.length !== theirs.length) {
    return describeValues('number of strategies', { a: ours.length, b: theirs.length }, names)
  }
  const at = ours.findIndex((text, index) => text !== theirs[index])
  return describeValues(`strategy ${at + 1}`, { a: a.strategies[at] ?? null, b: b.strategies[at] ?? null }, names)
}

function describeDisplayDifference({ a, b }: Pair<CanonicalFlag>, names: Pair<string>): string | undefined {
  const both = Object.keys(a.displayed).filter((name) => Object.hasOwn(b.displayed, name))
  const name = both.find((one) => a.displayed[one] !== b.displayed[one])
  if (name === undefined) return undefined
  return describeValues(name, { a: a.displayed[name] ?? null, b: b.displayed[name] ?? null }, names)
}

/**
 * Describes a difference. Describes only the first differing property of objects, so that a long rule is not printed
 * twice.
 */
function describeValues(part: string, { a, b }: Pair<Canonical>, names: Pair<string>): string {
  if (isPlainObject(a) && isPlainObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    const key = keys.find((one) => JSON.stringify(a[one]) !== JSON.stringify(b[one]))
    if (key !== undefined) return describeValues(`${part}, ${key}`, { a: a[key] ?? null, b: b[key] ?? null }, names)
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    const at = a.findIndex((item, index) => JSON.stringify(item) !== JSON.stringify(b[index]))
    return describeValues(`${part} ${at + 1}`, { a: a[at], b: b[at] }, names)
  }
  return `${part}: ${names.a} has ${shortenValue(a)}, ${names.b} has ${shortenValue(b)}`
}

function isPlainObject(value: Canonical): value is { readonly [name: string]: Canonical } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shortenValue(value: Canonical): string {
  const text = value === null ? 'nothing' : JSON.stringify(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}
