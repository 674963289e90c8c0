import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { type Canonical, type CanonicalFlag, canonicalFlag, segmentsOf } from './canonical-flag.ts'

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
const LONGEST = 300

/** Returns the flags whose definitions have different meanings, in the order of the first document. */
export function definitionDifferences(documents: Pair<FeatureDocument>, names: Pair<string>): DefinitionDifference[] {
  const [a, b] = [flagsOf(documents.a), flagsOf(documents.b)]
  const differences: DefinitionDifference[] = []
  for (const flag of new Set([...a.keys(), ...b.keys()])) {
    const says = differenceOf({ a: a.get(flag), b: b.get(flag) }, names)
    if (says !== undefined) differences.push({ flag, says })
  }
  return differences
}

function flagsOf({ features, segments }: FeatureDocument): Map<string, CanonicalFlag> {
  const byId = segmentsOf(segments)
  return new Map(features.map((flag) => [flag.name, canonicalFlag(flag, byId)]))
}

function differenceOf({ a, b }: Pair<CanonicalFlag | undefined>, names: Pair<string>): string | undefined {
  if (a === undefined) return `${names.a} does not have it`
  if (b === undefined) return `${names.b} does not have it`
  for (const part of PARTS) {
    if (JSON.stringify(a[part]) !== JSON.stringify(b[part])) return inWords(part, { a: a[part], b: b[part] }, names)
  }
  return strategiesDifference({ a, b }, names) ?? shownDifference({ a, b }, names)
}

function strategiesDifference({ a, b }: Pair<CanonicalFlag>, names: Pair<string>): string | undefined {
  const [ours, theirs] = [a, b].map((flag) => flag.strategies.map((one) => JSON.stringify(one))) as [string[], string[]]
  if (ours.join('\n') === theirs.join('\n')) return undefined
  if ([...ours].sort().join('\n') === [...theirs].sort().join('\n')) {
    // any matching strategy turns the flag on; the order only decides which strategy gives the variant
    return a.isOrdered || b.isOrdered ? 'the strategies are in another order, and one of them has variants' : undefined
  }
  if (ours.length !== theirs.length) {
    return inWords('number of strategies', { a: ours.length, b: theirs.length }, names)
  }
  const at = ours.findIndex((text, index) => text !== theirs[index])
  return inWords(`strategy ${at + 1}`, { a: a.strategies[at] ?? null, b: b.strategies[at] ?? null }, names)
}

function shownDifference({ a, b }: Pair<CanonicalFlag>, names: Pair<string>): string | undefined {
  const both = Object.keys(a.shown).filter((name) => Object.hasOwn(b.shown, name))
  const name = both.find((one) => a.shown[one] !== b.shown[one])
  if (name === undefined) return undefined
  return inWords(name, { a: a.shown[name] ?? null, b: b.shown[name] ?? null }, names)
}

/**
 * Describes a difference. For objects it describes only the first differing property, so that a long rule is not
 * printed twice.
 */
function inWords(part: string, { a, b }: Pair<Canonical>, names: Pair<string>): string {
  if (isPlainObject(a) && isPlainObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    const key = keys.find((one) => JSON.stringify(a[one]) !== JSON.stringify(b[one]))
    if (key !== undefined) return inWords(`${part}, ${key}`, { a: a[key] ?? null, b: b[key] ?? null }, names)
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    const at = a.findIndex((item, index) => JSON.stringify(item) !== JSON.stringify(b[index]))
    return inWords(`${part} ${at + 1}`, { a: a[at], b: b[at] }, names)
  }
  return `${part}: ${names.a} says ${short(a)}, ${names.b} says ${short(b)}`
}

function isPlainObject(value: Canonical): value is { readonly [name: string]: Canonical } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function short(value: Canonical): string {
  const text = value === null ? 'nothing' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
