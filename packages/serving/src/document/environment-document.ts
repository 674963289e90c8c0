import { hash } from 'node:crypto'
import { compareText } from '@burgee/kit/compare-text'
import type { Tag } from '@burgee/protocol/event'
import type { Feature, Segment } from '@burgee/protocol/feature'

/** A flag of one environment, as SDKs get it, with what decides who gets it. */
export interface DocumentFlag {
  readonly feature: Feature
  /** Undefined where nothing is known of them. */
  readonly tags: readonly Tag[] | undefined
}

/** Where a document stands: numbers of different epochs cannot be compared. */
export interface DocumentRevision {
  readonly epoch: string
  readonly id: number
}

/** What becomes of some flags; undefined for those that are gone. */
export type ChangedFlags = ReadonlyMap<string, DocumentFlag | undefined>

/** A piece of a document: its text, and what tells it from every other one. */
export interface Piece {
  readonly json: string
  /** The first 48 bits of the text's SHA-256. */
  readonly mark: number
}

/** A flag of a document with its prepared text. */
export interface FlagEntry extends DocumentFlag, Piece {
  /** Of the segments that its strategies refer to. */
  readonly segmentIds: readonly number[]
}

/** A segment of a document with its prepared text. */
export interface SegmentEntry extends Piece {
  readonly segment: Segment
}

/** All of a document at one moment. It does not change any more. */
export interface DocumentState {
  /** Counts the states of this document, from 1 unless it took the place of another one. */
  readonly version: number
  readonly revision: DocumentRevision
  /** By name, in the order of code units. */
  readonly flags: readonly FlagEntry[]
  /** By id, ascending. */
  readonly segments: ReadonlyMap<number, SegmentEntry>
  /** The names of the flags that the last changes were of, one list a version, this one's last. */
  readonly changes: readonly (readonly string[])[]
}

/** So many versions are known what they changed, */
const MOST_CHANGES = 64
/** and so many flags that they were of: where more have changed, looking at all of them is no slower. */
const MOST_NAMES = 256

/**
 * The flags and segments of one environment, kept up to date flag by flag: a change costs what has changed, and every
 * view of the document uses the same prepared pieces. Flags that did not change stay the same objects.
 */
export class EnvironmentDocument {
  readonly #afterVersion: number
  #state: DocumentState | undefined

  /** @param afterVersion the last version of a document that it takes the place of: states must not be taken for others */
  constructor(afterVersion = 0) {
    this.#afterVersion = afterVersion
  }

  /** What it is now; undefined before the first `replace`. */
  get state(): DocumentState | undefined {
    return this.#state
  }

  /** Puts all flags and segments in the place of those before; equal ones stay the objects that they were. */
  replace(flags: Iterable<DocumentFlag>, segments: Iterable<Segment>, revision: DocumentRevision): void {
    const steps = this.replacing(flags, segments, revision)
    while (steps.next().done !== true);
  }

  /** The same in steps, of a flag each, the last of which does it; meanwhile nothing else changes the document. */
  *replacing(
    flags: Iterable<DocumentFlag>,
    segments: Iterable<Segment>,
    revision: DocumentRevision,
  ): Generator<void, void> {
    const before = new Map(this.#state?.flags.map((entry) => [entry.feature.name, entry]))
    const entries: FlagEntry[] = []
    for (const flag of flags) {
      const known = before.get(flag.feature.name)
      const entry = flagEntry(flag, known)
      entries.push(entry)
      // what is left in the end has changed, or is gone
      if (entry === known) before.delete(entry.feature.name)
      else before.set(entry.feature.name, entry)
      yield
    }
    this.#put(entries.sort(byName), this.#segmentEntries(segments), revision, [...before.keys()])
  }

  /** Changes some flags and, where they are given, all segments. Throws before the first `replace`. */
  apply(changed: ChangedFlags, segments: Iterable<Segment> | undefined, revision: DocumentRevision): void {
    const state = this.#state
    if (state === undefined) throw new Error('A document that holds nothing yet cannot be changed')
    const flags = [...state.flags]
    for (const [name, flag] of changed) {
      const at = placeOf(flags, name)
      const before = flags[at]?.feature.name === name ? flags[at] : undefined
      if (flag === undefined) flags.splice(at, before === undefined ? 0 : 1)
      else flags.splice(at, before === undefined ? 0 : 1, flagEntry(flag, before))
    }
    const its = segments === undefined ? state.segments : this.#segmentEntries(segments)
    this.#put(flags, its, revision, [...changed.keys()])
  }

  #put(
    flags: readonly FlagEntry[],
    segments: ReadonlyMap<number, SegmentEntry>,
    revision: DocumentRevision,
    names: readonly string[],
  ): void {
    const before = this.#state
    const isKnown = before !== undefined && names.length <= MOST_NAMES
    const changes = isKnown ? [...before.changes, names].slice(-MOST_CHANGES) : []
    this.#state = { version: (before?.version ?? this.#afterVersion) + 1, revision, flags, segments, changes }
  }

  #segmentEntries(segments: Iterable<Segment>): ReadonlyMap<number, SegmentEntry> {
    const entries = [...segments].map((segment): SegmentEntry => {
      const before = this.#state?.segments.get(segment.id)
      const json = JSON.stringify(segment)
      return before?.json === json ? before : { segment, json, mark: markOf(json) }
    })
    return new Map(entries.sort((a, b) => a.segment.id - b.segment.id).map((entry) => [entry.segment.id, entry]))
  }
}

/**
 * The flags that may have changed since a version of the same document, by name; undefined where that is not known any
 * more.
 */
export function changedAfter({ version, changes }: DocumentState, since: number): ReadonlySet<string> | undefined {
  const versions = version - since
  if (versions < 0 || versions > changes.length) return undefined
  const names = new Set(changes.slice(changes.length - versions).flat())
  return names.size > MOST_NAMES ? undefined : names
}

const MARK_BYTES = 6

function markOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, MARK_BYTES)
}

function flagEntry(flag: DocumentFlag, before: FlagEntry | undefined): FlagEntry {
  const json = JSON.stringify(flag.feature)
  if (before?.json !== json) return { ...flag, json, mark: markOf(json), segmentIds: segmentIdsOf(flag.feature) }
  return isSameTags(before.tags, flag.tags) ? before : { ...before, tags: flag.tags }
}

/** One list for all flags without segments, which are most. */
const NO_SEGMENTS: readonly number[] = []

function segmentIdsOf({ strategies }: Feature): readonly number[] {
  const ids = new Set(strategies.flatMap(({ segments = [] }) => segments))
  return ids.size === 0 ? NO_SEGMENTS : [...ids]
}

function isSameTags(one: DocumentFlag['tags'], other: DocumentFlag['tags']): boolean {
  if (one === undefined || other === undefined) return one === other
  return (
    one.length === other.length &&
    one.every(({ type, value }, index) => type === other[index]?.type && value === other[index]?.value)
  )
}

function byName(one: FlagEntry, other: FlagEntry): number {
  return compareText(one.feature.name, other.feature.name)
}

/** The flag of a name; undefined where there is none. */
export function findFlag({ flags }: Pick<DocumentState, 'flags'>, name: string): FlagEntry | undefined {
  const entry = flags[placeOf(flags, name)]
  return entry?.feature.name === name ? entry : undefined
}

/** Where a flag of this name stands in a sorted list, or would stand. */
export function placeOf(flags: readonly FlagEntry[], name: string): number {
  let [low, high] = [0, flags.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareText(flags[middle]?.feature.name ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return low
}
