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
  readonly name: string
  /** Empty if the flag has none. */
  readonly project: string
  /** Of the segments that its strategies refer to. */
  readonly segmentIds: readonly number[]
  /** Whether a strategy says which segments it is for, be it none. */
  readonly namesSegments: boolean
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

/** How a document keeps its flags. */
export interface DocumentSettings {
  /** The last version of a document that it takes the place of: states must not be taken for others. */
  readonly afterVersion?: number
  /**
   * Keeps the texts of flags alone until somebody asks for a flag itself, which is parsed then: of a hundred environments few
   * are evaluated, and objects cost several times as much memory and garbage collection.
   */
  readonly isLazy?: boolean
}

/**
 * The flags and segments of one environment, kept up to date flag by flag: a change costs what has changed, and every
 * view of the document uses the same prepared pieces. Flags that did not change stay the same objects.
 */
export class EnvironmentDocument {
  readonly #settings: DocumentSettings
  #state: DocumentState | undefined

  constructor(settings: DocumentSettings = {}) {
    this.#settings = settings
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
    const before = new Map(this.#state?.flags.map((entry) => [entry.name, entry]))
    const entries: FlagEntry[] = []
    for (const flag of flags) {
      const known = before.get(flag.feature.name)
      const entry = this.#entryOf(flag, known)
      entries.push(entry)
      // what is left in the end has changed, or is gone
      if (entry === known) before.delete(entry.name)
      else before.set(entry.name, entry)
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
      const before = flags[at]?.name === name ? flags[at] : undefined
      if (flag === undefined) flags.splice(at, before === undefined ? 0 : 1)
      else flags.splice(at, before === undefined ? 0 : 1, this.#entryOf(flag, before))
    }
    const its = segments === undefined ? state.segments : this.#segmentEntries(segments)
    this.#put(flags, its, revision, [...changed.keys()])
  }

  #entryOf(flag: DocumentFlag, before: FlagEntry | undefined): FlagEntry {
    const json = JSON.stringify(flag.feature)
    const isSame = before?.json === json
    if (isSame && isSameTags(before.tags, flag.tags)) return before
    const mark = isSame ? before.mark : markOf(json)
    if (this.#settings.isLazy === true) return new TextEntry(flag, json, mark)
    const feature = isSame ? before.feature : flag.feature
    return { ...partsOf(feature), feature, tags: flag.tags, json, mark }
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
    this.#state = {
      version: (before?.version ?? this.#settings.afterVersion ?? 0) + 1,
      revision,
      flags,
      segments,
      changes,
    }
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

type Parts = Pick<FlagEntry, 'name' | 'project' | 'segmentIds' | 'namesSegments'>

function partsOf(feature: Feature): Parts {
  const { name, project = '', strategies } = feature
  const namesSegments = strategies.some(({ segments }) => segments !== undefined)
  return { name, project, namesSegments, segmentIds: namesSegments ? segmentIdsOf(feature) : NO_SEGMENTS }
}

/** An entry whose flag is parsed from its text when somebody asks for it, and then stays the same object. */
class TextEntry implements FlagEntry {
  readonly name: string
  readonly project: string
  readonly tags: readonly Tag[] | undefined
  readonly segmentIds: readonly number[]
  readonly namesSegments: boolean
  readonly json: string
  readonly mark: number
  #feature: Feature | undefined

  constructor({ feature, tags }: DocumentFlag, json: string, mark: number) {
    const parts = partsOf(feature)
    this.name = parts.name
    this.project = parts.project
    this.segmentIds = parts.segmentIds
    this.namesSegments = parts.namesSegments
    this.tags = tags
    this.json = json
    this.mark = mark
  }

  get feature(): Feature {
    this.#feature ??= JSON.parse(this.json) as Feature
    return this.#feature
  }
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
  return compareText(one.name, other.name)
}

/** The flag of a name; undefined where there is none. */
export function findFlag({ flags }: Pick<DocumentState, 'flags'>, name: string): FlagEntry | undefined {
  const entry = flags[placeOf(flags, name)]
  return entry?.name === name ? entry : undefined
}

/** Where a flag of this name stands in a sorted list, or would stand. */
export function placeOf(flags: readonly FlagEntry[], name: string): number {
  let [low, high] = [0, flags.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareText(flags[middle]?.name ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return low
}
