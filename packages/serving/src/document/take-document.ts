import { flawOfFeature, flawOfSegment } from '@burgee/engine/rules/flaws'
import type { Feature, Segment } from '@burgee/protocol/feature'
import { type FeatureDocument, isObject } from './feature-document.ts'
import { type NotTaken, pick } from './pick.ts'

/** Accepted part of a document, and the rejected items. */
export interface TakenDocument {
  readonly document: FeatureDocument
  readonly notTaken: readonly NotTaken[]
}

/** Settings for reading a document. */
export interface TakingRules {
  /** The last accepted document. */
  readonly before: FeatureDocument | undefined
  /** Undefined accepts flags of all projects. */
  readonly projectName: string | undefined
  /** Cache of items already found readable: equal parts of two documents are the same objects. */
  readonly readable: WeakSet<object>
}

const LONGEST_NAME = 100

/**
 * Accepts the usable parts of a document. Omits flags of other projects, except parents of this project's flags. If a
 * flag or segment is unreadable or duplicated, uses its previous version, together with the segments to which that
 * version refers. Without a previous version, omits it; flags that depend on it are then off as well. Pauses every few
 * hundred flags. Never throws for a document from `readDocument`.
 */
export function* takeDocument(next: FeatureDocument, rules: TakingRules): Generator<void, TakenDocument> {
  const notTaken: NotTaken[] = []
  const kept: Feature[] = []
  const refuse = (key: unknown, why: string, before: Feature | undefined) => {
    notTaken.push({ what: `flag ${JSON.stringify(shortened(key))}`, why, isKept: before !== undefined })
    if (before !== undefined) kept.push(before)
  }
  const features = yield* takeFeatures(next.features, rules, refuse)
  const segments = yield* takeSegments(next.segments, rules, notTaken)
  const left = segmentsOf(kept, segments, rules.before?.segments ?? [])
  return { document: { ...next, features, segments: [...segments, ...left] }, notTaken }
}

/**
 * Returns true if a flag belongs to a project. A flag without a project counts as belonging to it, because the upstream
 * was queried for this project only.
 */
export function isOfProject({ project }: { readonly project?: unknown }, name: string): boolean {
  return project === name || project === undefined || project === null
}

type Refuse = (key: unknown, why: string, before: Feature | undefined) => void

function* takeFeatures(
  features: readonly Feature[],
  { before, projectName, readable }: TakingRules,
  refuse: Refuse,
): Generator<void, readonly Feature[]> {
  const keyOf = ({ name }: Feature) => name
  const flawOf = remembering(readable, flawOfFeature)
  if (projectName === undefined) {
    return yield* pick(features, { keyOf, flawOf, refuse, before: finder(before?.features ?? [], keyOf) })
  }
  const isNamed = ({ project }: Feature) => isNothing(project) || typeof project === 'string'
  const isOwn = (feature: Feature) => !isNamed(feature) || isOfProject(feature, projectName)
  const own = features.filter(isOwn)
  yield
  const taken = yield* pick(own, {
    keyOf,
    refuse,
    flawOf: (feature) => (isNamed(feature) ? flawOf(feature) : 'project is no text'),
    before: finder(before?.features.filter(isOwn) ?? [], keyOf),
  })
  const wanted = parentsOf(taken)
  for (const { name } of own) wanted.delete(name)
  const others = features.filter((feature) => wanted.has(feature.name) && !isOwn(feature))
  const parents = yield* pick(others, { keyOf, flawOf, refuse, before: finder(before?.features ?? [], keyOf) })
  return [...taken, ...parents]
}

function* takeSegments(
  segments: readonly Segment[],
  { before, readable }: TakingRules,
  notTaken: NotTaken[],
): Generator<void, readonly Segment[]> {
  const keyOf = (segment: Segment) => (isObject(segment) ? (segment.id ?? undefined) : undefined)
  const flawOf = remembering(readable, flawOfSegment)
  return yield* pick(segments, {
    keyOf,
    flawOf: (segment) => (keyOf(segment) === undefined ? 'it could be any' : flawOf(segment)),
    before: finder(before?.segments ?? [], keyOf),
    refuse: (key, why, kept) => {
      const what = key === undefined ? 'a segment without an id' : `segment ${JSON.stringify(shortened(key))}`
      notTaken.push({ what, why, isKept: kept !== undefined })
    },
  })
}

/** Returns the names of the parents of flags. */
function parentsOf(features: readonly Feature[]): Set<string> {
  return new Set(features.flatMap(({ dependencies }) => (dependencies ?? []).map(({ feature }) => feature)))
}

/** Returns the segments that retained flags refer to and that the document no longer contains. */
function segmentsOf(kept: readonly Feature[], segments: readonly Segment[], before: readonly Segment[]): Segment[] {
  const wanted = new Set(kept.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])))
  for (const { id } of segments) wanted.delete(id)
  return before.filter(({ id }) => wanted.has(id))
}

/** Returns a lookup by key. Builds the index on first use, which is rare. */
function finder<T>(items: readonly T[], keyOf: (item: T) => unknown): (key: unknown) => T | undefined {
  let byKey: Map<unknown, T> | undefined
  return (key) => {
    byKey ??= new Map(items.map((item) => [keyOf(item), item]))
    return byKey.get(key)
  }
}

function remembering<T extends object>(
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

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function shortened(key: unknown): unknown {
  if (typeof key === 'number') return key
  const text = typeof key === 'string' ? key : (JSON.stringify(key) ?? '')
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text
}
