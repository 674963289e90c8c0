import type { Feature, Segment } from '@burgee/protocol/feature'
import type { DocumentState, FlagEntry } from '@burgee/serving/document/environment-document'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { TaggedRevision } from '@burgee/serving/document/revision-tag'

/** Flags of some projects, as one reply of the upstream contains them. */
export interface Layer {
  readonly document: FeatureDocument
  /** Project ids; `['*']` means all. */
  readonly projects: readonly string[]
  /** Revision of the upstream, if known. */
  readonly revision: TaggedRevision | undefined
  /** Sequence number of the reply within its environment; later replies have higher numbers. */
  readonly turn: number
}

/** Flags by name and segments by id of an environment. */
export interface MergedContent {
  readonly features: ReadonlyMap<string, Feature>
  readonly segments: ReadonlyMap<number, Segment>
}

/** Difference between two states of an environment. */
export interface ContentChange {
  /** New content of each changed flag; undefined for removed flags. */
  readonly flags: ReadonlyMap<string, Feature | undefined>
  /** Projects that contained each changed flag before and after the change. */
  readonly projects: ReadonlyMap<string, readonly string[]>
  /** True if any segment changed. */
  readonly segments: boolean
}

const SLICE = 500

/**
 * Merges all layers. If several layers contain the same flag or segment, the one from the newest reply is used. Older
 * layers, from removed tokens or an earlier process, contribute only the flags of projects that no current layer
 * covers.
 */
export function* merge(layers: readonly Layer[], older: readonly Layer[]): Generator<void, MergedContent> {
  const features = new Map<string, Feature>()
  const segments = new Map<number, Segment>()
  for (const { document } of [...layers].sort(compareAge)) {
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

/**
 * Compares the age of two layers: by revision number if both belong to the same upstream epoch, otherwise by order of
 * arrival.
 */
function compareAge(one: Layer, other: Layer): number {
  const [a, b] = [one.revision, other.revision]
  const isSameLife = a !== undefined && b !== undefined && a.epoch !== '' && a.epoch === b.epoch
  return (isSameLife ? a.number - b.number : 0) || one.turn - other.turn
}

/** Compares a state with new content by value, not by object identity. */
export function* buildChange(state: DocumentState | undefined, merged: MergedContent): Generator<void, ContentChange> {
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
  return { flags, projects, segments: hasSegmentChanges(state, merged) }
}

function hasSegmentChanges(state: DocumentState | undefined, { segments }: MergedContent): boolean {
  if ((state?.segments.size ?? 0) !== segments.size) return true
  return [...segments].some(([id, segment]) => {
    const before = state?.segments.get(id)
    return before === undefined || (before.segment !== segment && before.json !== JSON.stringify(segment))
  })
}
