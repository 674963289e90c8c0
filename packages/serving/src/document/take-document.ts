import { flawOfFeature, flawOfSegment } from '@burgee/engine/rules/flaws'
import type { Feature, Segment } from '@burgee/protocol/feature'
import { type FeatureDocument, isObject } from './feature-document.ts'
import { type NotTaken, pick } from './pick.ts'

/** What was taken of a document, and what was not. */
export interface TakenDocument {
  readonly document: FeatureDocument
  readonly notTaken: readonly NotTaken[]
}

/** What a document is read with. */
export interface TakingRules {
  /** The one that was taken before. */
  readonly before: FeatureDocument | undefined
  /** Undefined takes flags of all projects. */
  readonly projectName: string | undefined
  /** Remembers what was found to be readable: equal parts of two documents are the same objects. */
  readonly readable: WeakSet<object>
}

const LONGEST_NAME = 100

/**
 * Takes the good parts of a document. Flags of another project are left out, except those that a flag of the project
 * depends on. A flag or segment that cannot be read, or that comes more than once, stays as it was before, with the segments it
 * refers to; where nothing was before, there is none, so that what depends on it stays off as well. Pauses every few
 * hundred flags. Throws nothing on a document that `readDocument` gave.
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

/** Whether a flag is of a project. A flag that names no project is: the upstream was asked for this project alone. */
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

/** What the flags depend on, by name. */
function parentsOf(features: readonly Feature[]): Set<string> {
  return new Set(features.flatMap(({ dependencies }) => (dependencies ?? []).map(({ feature }) => feature)))
}

/** Segments that flags refer to which stayed as they were, and which the document has no longer. */
function segmentsOf(kept: readonly Feature[], segments: readonly Segment[], before: readonly Segment[]): Segment[] {
  const wanted = new Set(kept.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])))
  for (const { id } of segments) wanted.delete(id)
  return before.filter(({ id }) => wanted.has(id))
}

/** Finds items by key. The index is made when the first one is looked for, because that is rare. */
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
