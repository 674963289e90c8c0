import type { Feature, Segment } from '@burgee/protocol/feature'
import type { DocumentState, FlagEntry } from '@burgee/serving/document/environment-document'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { TaggedRevision } from '@burgee/serving/document/revision-tag'

/** What is known of the flags of some projects. */
export interface Layer {
  readonly document: FeatureDocument
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** Which state of the upstream it is, where that is known. */
  readonly revision: TaggedRevision | undefined
  /** Counts the answers of an environment: a later one has a greater number. */
  readonly turn: number
}

/** The flags and segments of an environment, by name and by id. */
export interface Merged {
  readonly features: ReadonlyMap<string, Feature>
  readonly segments: ReadonlyMap<number, Segment>
}

/** How one content leads to the next. */
export interface Change {
  /** Undefined for flags that are gone. */
  readonly flags: ReadonlyMap<string, Feature | undefined>
  /** The projects that each changed flag was in, before and after. */
  readonly projects: ReadonlyMap<string, readonly string[]>
  /** Whether any segment is another one. */
  readonly segments: boolean
}

const SLICE = 500

/**
 * What all layers hold together. A flag or segment of several is that of the newest answer. Of older layers, whose tokens
 * or processes are gone, only flags of projects count that no other layer is for.
 */
export function* merge(layers: readonly Layer[], older: readonly Layer[]): Generator<void, Merged> {
  const features = new Map<string, Feature>()
  const segments = new Map<number, Segment>()
  for (const { document } of [...layers].sort(byAge)) {
    for (const segment of document.segments) segments.set(segment.id, segment)
    yield* putAll(features, document.features)
  }
  const covered = new Set(layers.flatMap(({ projects }) => projects))
  for (const { document } of older) {
    const isOpen = ({ project = '' }: Feature) =>
      !covered.has('*') && !covered.has(project) && (project !== '' || layers.length === 0)
    const open = document.features.filter((feature) => isOpen(feature) && !features.has(feature.name))
    yield* putAll(features, open)
    const wanted = new Set(open.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])))
    for (const segment of document.segments) {
      if (wanted.has(segment.id) && !segments.has(segment.id)) segments.set(segment.id, segment)
    }
  }
  return { features, segments }
}

function* putAll(features: Map<string, Feature>, more: readonly Feature[]): Generator<void> {
  let at = 0
  for (const feature of more) {
    features.set(feature.name, feature)
    at += 1
    if (at % SLICE === 0) yield
  }
}

/** Numbers of one life of the upstream's database say which answer is newer, else the order in which they came. */
function byAge(one: Layer, other: Layer): number {
  const [a, b] = [one.revision, other.revision]
  const isSameLife = a !== undefined && b !== undefined && a.epoch !== '' && a.epoch === b.epoch
  return (isSameLife ? a.number - b.number : 0) || one.turn - other.turn
}

/** How a state becomes another content. What is equal counts as the same, whichever object it is. */
export function* changeOf(state: DocumentState | undefined, merged: Merged): Generator<void, Change> {
  const flags = new Map<string, Feature | undefined>()
  const projects = new Map<string, readonly string[]>()
  const note = (name: string, before: FlagEntry | undefined, after: Feature | undefined) => {
    flags.set(name, after)
    const both = [before?.feature, after].flatMap((feature) => (feature === undefined ? [] : [feature.project ?? '']))
    projects.set(name, [...new Set(both)])
  }
  const left = new Map((state?.flags ?? []).map((entry) => [entry.name, entry]))
  for (const [name, feature] of merged.features) {
    const before = left.get(name)
    left.delete(name)
    if (before?.feature === feature) continue
    if (before === undefined || before.json !== JSON.stringify(feature)) note(name, before, feature)
    yield
  }
  for (const [name, entry] of left) note(name, entry, undefined)
  return { flags, projects, segments: differsInSegments(state, merged) }
}

function differsInSegments(state: DocumentState | undefined, { segments }: Merged): boolean {
  if ((state?.segments.size ?? 0) !== segments.size) return true
  return [...segments].some(([id, segment]) => {
    const before = state?.segments.get(id)
    return before === undefined || (before.segment !== segment && before.json !== JSON.stringify(segment))
  })
}
