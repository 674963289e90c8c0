import { findFeatureFlaw, findSegmentFlaw } from '@burgee/engine/rules/flaws'
import { isObject } from '@burgee/kit/input/is-object'
import type { Feature, Segment } from '@burgee/protocol/feature'
import type { FeatureDocument } from './feature-document.ts'
import { type RejectedItem, selectItems } from './item-selection.ts'

/** Part of a document that was accepted, together with the rejected flags and segments. */
export interface AcceptedDocument {
  readonly document: FeatureDocument
  readonly rejected: readonly RejectedItem[]
}

/** Settings for reading a document. */
export interface AcceptanceRules {
  /** Last accepted document; undefined before the first document. */
  readonly before: FeatureDocument | undefined
  /** Project whose flags are accepted; if undefined, flags of all projects are accepted. */
  readonly projectName: string | undefined
  /**
   * Cache of flags and segments that have already been found well-formed. Parts that two documents have in common are
   * the same objects, so they are checked only once.
   */
  readonly readable: WeakSet<object>
}

const MAX_NAME_LENGTH = 100

/**
 * Filters a document: keeps its well-formed flags and segments. Omits flags of other projects, except flags that are
 * parents of flags in the requested project. Replaces a malformed or duplicated flag or segment with its previous
 * version; for a flag, also retains the segments that the previous version uses. Omits a malformed item that has no
 * previous version; flags that depend on an omitted flag are then off. Yields control every few hundred flags. Never
 * throws if the document comes from `parseFeatureDocument`.
 */
export function* acceptDocument(next: FeatureDocument, rules: AcceptanceRules): Generator<void, AcceptedDocument> {
  const notTaken: RejectedItem[] = []
  const kept: Feature[] = []
  const refuse = (key: unknown, why: string, before: Feature | undefined) => {
    notTaken.push({ what: `flag ${JSON.stringify(shortenKey(key))}`, why, keepsPrevious: before !== undefined })
    if (before !== undefined) kept.push(before)
  }
  const features = yield* acceptFeatures(next.features, rules, refuse)
  const segments = yield* acceptSegments(next.segments, rules, notTaken)
  const left = listRetainedSegments(kept, segments, rules.before?.segments ?? [])
  return { document: { ...next, features, segments: [...segments, ...left] }, rejected: notTaken }
}

/**
 * Returns true if a flag belongs to the given project. Also returns true for a flag that names no project, because the
 * upstream was queried for this project only.
 */
export function isOfProject({ project }: { readonly project?: unknown }, name: string): boolean {
  return project === name || project === undefined || project === null
}

type RejectFeature = (key: unknown, why: string, before: Feature | undefined) => void

function* acceptFeatures(
  features: readonly Feature[],
  { before, projectName, readable }: AcceptanceRules,
  refuse: RejectFeature,
): Generator<void, readonly Feature[]> {
  const keyOf = ({ name }: Feature) => name
  const flawOf = cacheReadable(readable, findFeatureFlaw)
  if (projectName === undefined) {
    return yield* selectItems(features, {
      getKey: keyOf,
      findFlaw: flawOf,
      reject: refuse,
      findPrevious: createLookup(before?.features ?? [], keyOf),
    })
  }
  const isNamed = ({ project }: Feature) => isMissing(project) || typeof project === 'string'
  const isOwn = (feature: Feature) => !isNamed(feature) || isOfProject(feature, projectName)
  const own = features.filter(isOwn)
  yield
  const taken = yield* selectItems(own, {
    getKey: keyOf,
    reject: refuse,
    findFlaw: (feature) => (isNamed(feature) ? flawOf(feature) : 'project is not a string'),
    findPrevious: createLookup(before?.features.filter(isOwn) ?? [], keyOf),
  })
  const wanted = listParentNames(taken)
  for (const { name } of own) wanted.delete(name)
  const others = features.filter((feature) => wanted.has(feature.name) && !isOwn(feature))
  const parents = yield* selectItems(others, {
    getKey: keyOf,
    findFlaw: flawOf,
    reject: refuse,
    findPrevious: createLookup(before?.features ?? [], keyOf),
  })
  return [...taken, ...parents]
}

function* acceptSegments(
  segments: readonly Segment[],
  { before, readable }: AcceptanceRules,
  notTaken: RejectedItem[],
): Generator<void, readonly Segment[]> {
  const keyOf = (segment: Segment) => (isObject(segment) ? (segment.id ?? undefined) : undefined)
  const flawOf = cacheReadable(readable, findSegmentFlaw)
  return yield* selectItems(segments, {
    getKey: keyOf,
    findFlaw: (segment) => (keyOf(segment) === undefined ? 'it could be any' : flawOf(segment)),
    findPrevious: createLookup(before?.segments ?? [], keyOf),
    reject: (key, why, kept) => {
      const what = key === undefined ? 'a segment without an id' : `segment ${JSON.stringify(shortenKey(key))}`
      notTaken.push({ what, why, keepsPrevious: kept !== undefined })
    },
  })
}

/** Returns the names of all flags on which the given flags depend. */
function listParentNames(features: readonly Feature[]): Set<string> {
  return new Set(features.flatMap(({ dependencies }) => (dependencies ?? []).map(({ feature }) => feature)))
}

/** Returns the segments that retained flags use and that the new document lacks. */
function listRetainedSegments(
  kept: readonly Feature[],
  segments: readonly Segment[],
  before: readonly Segment[],
): Segment[] {
  const wanted = new Set(kept.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])))
  for (const { id } of segments) wanted.delete(id)
  return before.filter(({ id }) => wanted.has(id))
}

/**
 * Returns a function that finds an item by key. Builds its index on first use, because most documents need no lookup.
 */
function createLookup<T>(items: readonly T[], keyOf: (item: T) => unknown): (key: unknown) => T | undefined {
  let byKey: Map<unknown, T> | undefined
  return (key) => {
    byKey ??= new Map(items.map((item) => [keyOf(item), item]))
    return byKey.get(key)
  }
}

function cacheReadable<T extends object>(
  readable: WeakSet<object>,
  flawOf: (item: Readonly<Record<string, unknown>>) => string | undefined,
): (item: T) => string | undefined {
  return (item) => {
    if (readable.has(item)) return undefined
    const flaw = flawOf(item as Readonly<Record<string, unknown>>)
    if (flaw === undefined) readable.add(item)
    return flaw
  }
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

function shortenKey(key: unknown): unknown {
  if (typeof key === 'number') return key
  const text = typeof key === 'string' ? key : (JSON.stringify(key) ?? '')
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text
}
