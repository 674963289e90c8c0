import { findFeatureFlaw, findSegmentFlaw } from '@burgee/engine/rules/flaws'
import { isObject } from '@burgee/kit/input/is-object'
import type { Feature, Segment } from '@burgee/protocol/feature'
import type { FeatureDocument } from './feature-document.ts'
import { type RejectedItem, selectItems } from './item-selection.ts'

/** Accepted part of a document, and the rejected items. */
export interface AcceptedDocument {
  readonly document: FeatureDocument
  readonly rejected: readonly RejectedItem[]
}

/** Settings for reading a document. */
export interface AcceptanceRules {
  /** Last accepted document; undefined before the first document. */
  readonly before: FeatureDocument | undefined
  /** If undefined, flags of all projects are accepted. */
  readonly projectName: string | undefined
  /**
   * Cache of flags and segments that have already been found well-formed. Equal parts of two documents are the same
   * objects, so they are not checked a second time.
   */
  readonly readable: WeakSet<object>
}

const MAX_NAME_LENGTH = 100

/**
 * Accepts the usable parts of a document. Omits flags of other projects, except parents of this project's flags.
 * Replaces an unreadable or duplicated flag or segment with its previous version, and also retains the segments to
 * which this version refers. Omits the item if it has no previous version; flags that depend on it are then off as
 * well. Pauses every few hundred flags. Never throws for a document from `parseFeatureDocument`.
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
 * Returns true if a flag belongs to a project. Also returns true for a flag without a project, because the upstream was
 * queried for this project only.
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
    findFlaw: (feature) => (isNamed(feature) ? flawOf(feature) : 'project is no text'),
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

/** Returns the names of the parents of flags. */
function listParentNames(features: readonly Feature[]): Set<string> {
  return new Set(features.flatMap(({ dependencies }) => (dependencies ?? []).map(({ feature }) => feature)))
}

/** Returns the segments that retained flags refer to and that the new document does not contain. */
function listRetainedSegments(
  kept: readonly Feature[],
  segments: readonly Segment[],
  before: readonly Segment[],
): Segment[] {
  const wanted = new Set(kept.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])))
  for (const { id } of segments) wanted.delete(id)
  return before.filter(({ id }) => wanted.has(id))
}

/** Returns a lookup by key. Builds the index on first use, which is rare. */
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
