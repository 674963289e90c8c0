import { hash } from 'node:crypto'
import { compareText } from '@burgee/kit/compare-text'
import type { Tag } from '@burgee/protocol/event'
import type { Feature, Segment } from '@burgee/protocol/feature'

/** A flag in one environment as SDKs receive it, together with the data that decides which clients receive it. */
export interface DocumentFlag {
  readonly feature: Feature
  /** Tags of the flag; undefined if they are unknown. */
  readonly tags: readonly Tag[] | undefined
}

/** Revision of a document. Ids from different epochs cannot be compared. */
export interface DocumentRevision {
  readonly epoch: string
  readonly id: number
}

/** Changed flags by name; the value is undefined for a deleted flag. */
export type ChangedFlags = ReadonlyMap<string, DocumentFlag | undefined>

/** A part of a document: its JSON, and a hash that identifies it. */
export interface Piece {
  readonly json: string
  /** First 48 bits of the SHA-256 of the JSON. */
  readonly digest: number
}

/** A flag of a document, with its JSON already serialized. */
export interface FlagEntry extends DocumentFlag, Piece {
  readonly name: string
  /** Project of the flag; empty if it has none. */
  readonly project: string
  /** Ids of the segments that the strategies of the flag use. */
  readonly segmentIds: readonly number[]
  /** True if a strategy has a list of segments, even if that list is empty. */
  readonly hasSegmentLists: boolean
}

/** A segment of a document, with its JSON already serialized. */
export interface SegmentEntry extends Piece {
  readonly segment: Segment
}

/** Immutable state of a document. */
export interface DocumentState {
  /**
   * Version number of this state. The first version is 1, or follows the last version of the document that this
   * document replaced.
   */
  readonly version: number
  readonly revision: DocumentRevision
  /** Flags sorted by name, in code unit order. */
  readonly flags: readonly FlagEntry[]
  /** Segments sorted by id, ascending. */
  readonly segments: ReadonlyMap<number, SegmentEntry>
  /** Names of the flags that recent versions changed: one list per version, ending with the list for this version. */
  readonly changes: readonly (readonly string[])[]
}

/** Maximum number of recent versions whose changed flags are stored. */
const MAX_REMEMBERED_VERSIONS = 64
/**
 * Maximum number of changed flags for which each flag is checked individually. Beyond this number, it is just as fast
 * to check all flags of the document.
 */
const MAX_CHANGED_NAMES = 256

/** Settings for how a document stores its flags. */
export interface DocumentSettings {
  /** Last version number of the document that this document replaces, so that version numbers are never reused. */
  readonly afterVersion?: number
  /**
   * True to store each flag only as JSON, and to parse it when it is first needed. A server may have a hundred
   * environments but evaluates the flags of only a few, and a parsed flag needs several times as much memory and
   * garbage collection as its JSON.
   */
  readonly isLazy?: boolean
}

/**
 * Flags and segments of one environment, which can be updated one flag at a time. The cost of an update is proportional
 * to the number of changed flags, and all views of the document share the same serialized flags. Unchanged flags remain
 * the same objects.
 */
export class EnvironmentDocument {
  readonly #settings: DocumentSettings
  #state: DocumentState | undefined

  constructor(settings: DocumentSettings = {}) {
    this.#settings = settings
  }

  /** Current state; undefined until `replace` is called for the first time. */
  get state(): DocumentState | undefined {
    return this.#state
  }

  /** Replaces all flags and segments. Flags and segments that are equal to existing ones remain the same objects. */
  replace(flags: Iterable<DocumentFlag>, segments: Iterable<Segment>, revision: DocumentRevision): void {
    const steps = this.replaceInSteps(flags, segments, revision)
    while (steps.next().done !== true);
  }

  /**
   * Generator that does the same as `replace`, one flag per step. The last step puts the new state into effect. Nothing
   * else may change the document before that step.
   */
  *replaceInSteps(
    flags: Iterable<DocumentFlag>,
    segments: Iterable<Segment>,
    revision: DocumentRevision,
  ): Generator<void, void> {
    const before = new Map(this.#state?.flags.map((entry) => [entry.name, entry]))
    const entries: FlagEntry[] = []
    for (const flag of flags) {
      const known = before.get(flag instanceof LazyFlagEntry ? flag.name : flag.feature.name)
      const entry = this.#toEntry(flag, known)
      entries.push(entry)
      // after the loop, only flags that changed or were deleted are left in `before`
      if (entry === known) before.delete(entry.name)
      else if (this.#state !== undefined) before.set(entry.name, entry)
      yield
    }
    this.#commit(entries.sort(compareByName), this.#toSegmentEntries(segments), revision, [...before.keys()])
  }

  /** Changes the given flags and, if segments are given, replaces all segments. Throws before the first `replace`. */
  apply(changed: ChangedFlags, segments: Iterable<Segment> | undefined, revision: DocumentRevision): void {
    const state = this.#state
    if (state === undefined) throw new Error('An empty document cannot be changed')
    const flags = [...state.flags]
    for (const [name, flag] of changed) {
      const at = findSortedIndex(flags, name)
      const before = flags[at]?.name === name ? flags[at] : undefined
      if (flag === undefined) flags.splice(at, before === undefined ? 0 : 1)
      else flags.splice(at, before === undefined ? 0 : 1, this.#toEntry(flag, before))
    }
    const its = segments === undefined ? state.segments : this.#toSegmentEntries(segments)
    this.#commit(flags, its, revision, [...changed.keys()])
  }

  #toEntry(flag: DocumentFlag, before: FlagEntry | undefined): FlagEntry {
    const json = flag instanceof LazyFlagEntry ? flag.json : JSON.stringify(flag.feature)
    const isSame = before?.json === json
    if (isSame && isSameTags(before.tags, flag.tags)) return before
    if (flag instanceof LazyFlagEntry) return flag
    if (this.#settings.isLazy === true) return new LazyFlagEntry(flag, json)
    const mark = isSame ? before.digest : computeDigest(json)
    const feature = isSame ? before.feature : flag.feature
    return { ...toEntryParts(feature), feature, tags: flag.tags, json, digest: mark }
  }

  #commit(
    flags: readonly FlagEntry[],
    segments: ReadonlyMap<number, SegmentEntry>,
    revision: DocumentRevision,
    names: readonly string[],
  ): void {
    const before = this.#state
    const isKnown = before !== undefined && names.length <= MAX_CHANGED_NAMES
    const changes = isKnown ? [...before.changes, names].slice(-MAX_REMEMBERED_VERSIONS) : []
    this.#state = {
      version: (before?.version ?? this.#settings.afterVersion ?? 0) + 1,
      revision,
      flags,
      segments,
      changes,
    }
  }

  #toSegmentEntries(segments: Iterable<Segment>): ReadonlyMap<number, SegmentEntry> {
    const entries = [...segments].map((segment): SegmentEntry => {
      const before = this.#state?.segments.get(segment.id)
      const json = JSON.stringify(segment)
      return before?.json === json ? before : { segment, json, digest: computeDigest(json) }
    })
    return new Map(entries.sort((a, b) => a.segment.id - b.segment.id).map((entry) => [entry.segment.id, entry]))
  }
}

/**
 * Returns the names of the flags that may have changed since an earlier version of the same document. Returns undefined
 * if the changes are no longer remembered.
 */
export function findNamesChangedSince(
  { version, changes }: DocumentState,
  since: number,
): ReadonlySet<string> | undefined {
  const versions = version - since
  if (versions < 0 || versions > changes.length) return undefined
  const names = new Set(changes.slice(changes.length - versions).flat())
  return names.size > MAX_CHANGED_NAMES ? undefined : names
}

const DIGEST_BYTES = 6

function computeDigest(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, DIGEST_BYTES)
}

type EntryParts = Pick<FlagEntry, 'name' | 'project' | 'segmentIds' | 'hasSegmentLists'>

function toEntryParts(feature: Feature): EntryParts {
  const { name, project = '', strategies } = feature
  const namesSegments = strategies.some(({ segments }) => segments !== undefined)
  return {
    name,
    project,
    hasSegmentLists: namesSegments,
    segmentIds: namesSegments ? listSegmentIds(feature) : NO_SEGMENTS,
  }
}

/**
 * Flag entry that parses and hashes its JSON on first use and then stores the results. At startup, many flags are read
 * that no client has requested yet.
 */
class LazyFlagEntry implements FlagEntry {
  readonly name: string
  readonly project: string
  readonly tags: readonly Tag[] | undefined
  readonly segmentIds: readonly number[]
  readonly hasSegmentLists: boolean
  readonly json: string
  #digest: number | undefined
  #feature: Feature | undefined

  constructor({ feature, tags }: DocumentFlag, json: string) {
    const parts = toEntryParts(feature)
    this.name = parts.name
    this.project = parts.project
    this.segmentIds = parts.segmentIds
    this.hasSegmentLists = parts.hasSegmentLists
    this.tags = tags
    this.json = json
  }

  get digest(): number {
    this.#digest ??= computeDigest(this.json)
    return this.#digest
  }

  get feature(): Feature {
    this.#feature ??= JSON.parse(this.json) as Feature
    return this.#feature
  }
}

/**
 * Returns an entry that parses and hashes its JSON on first use. Documents of several environments can share the entry,
 * which saves memory and hashing: most flags have the same state in most environments.
 */
export function createSharedEntry(flag: DocumentFlag): FlagEntry {
  return new LazyFlagEntry(flag, JSON.stringify(flag.feature))
}

/** Shared empty list, because most flags have no segments. */
const NO_SEGMENTS: readonly number[] = []

function listSegmentIds({ strategies }: Feature): readonly number[] {
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

function compareByName(one: FlagEntry, other: FlagEntry): number {
  return compareText(one.name, other.name)
}

/** Returns the flag with this name, or undefined. */
export function findFlag({ flags }: Pick<DocumentState, 'flags'>, name: string): FlagEntry | undefined {
  const entry = flags[findSortedIndex(flags, name)]
  return entry?.name === name ? entry : undefined
}

/** Returns the index of a name in a sorted list, or the index to insert it at. */
export function findSortedIndex(flags: readonly FlagEntry[], name: string): number {
  let [low, high] = [0, flags.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareText(flags[middle]?.name ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return low
}
