import type { Constraint, Feature, Segment, Strategy } from '@burgee/protocol/feature'
import {
  type DocumentRevision,
  type DocumentState,
  type FlagEntry,
  findFlag,
  type SegmentEntry,
} from './environment-document.ts'
import { type FilteredFlags, filterFlags } from './filtered-flags.ts'
import { formatRevisionTag, hashText } from './revision-tag.ts'
import type { ViewFilter } from './view-filter.ts'

/** Format of a view. */
export interface ViewForm {
  /** Query in the form in which the response body repeats it. */
  readonly query: Readonly<Record<string, unknown>>
  /** True to copy the constraints of segments into strategies, for SDKs that do not support segments. */
  readonly inline: boolean
}

/** Part of a JSON text: `lead`, followed by the strings in `texts`, separated by commas. */
export interface TextRun {
  readonly lead: string
  /** Strings that have not changed are the same objects as in the previous view. */
  readonly texts: readonly string[]
}

/**
 * Flags that a client receives, for one state of the document. The flags and the ETag are computed immediately, the
 * JSON only on demand.
 */
export interface View {
  readonly revision: DocumentRevision
  /**
   * ETag in quotes, built from query, revision and content (see `formatRevisionTag`). Documents with equal ETags are
   * equal.
   */
  readonly etag: string
  /** Sorted by name. Unchanged flags are the same objects in this view and in the previous view. */
  features(): readonly Feature[]
  /** Segments that the flags of this view use, sorted by id. */
  readonly segments: readonly Segment[]
  /** Total length of the serialized flags in characters, which is approximately the length of the whole JSON. */
  readonly size: number
  /** Flags that pass the filter. Can be passed to `createView` to speed up the creation of the next view. */
  readonly filtered: FilteredFlags
  /** Returns one flag in the form that the JSON of this view contains; undefined if the view lacks the flag. */
  find(name: string): Feature | undefined
  /** Returns `ClientFeatures` JSON in parts; every call builds them again. */
  runs(): readonly TextRun[]
}

const QUERY_DIGITS = 8

/**
 * Returns the view of a document state through a filter. Checks every flag against the filter, but builds no JSON.
 * Given an earlier view with the same filter and format, checks only the changed flags if the changes in between are
 * known.
 *
 * @param before flags of an earlier view, already filtered
 */
export function createView(state: DocumentState, filter: ViewFilter, form: ViewForm, before?: FilteredFlags): View {
  const seen = filterFlags(state, filter, before)
  const { flags, size } = seen
  const segments = filterSegments(seen.segmentUses, state.segments)
  const query = JSON.stringify(form.query)
  const queryHash = hashText(query).slice(0, QUERY_DIGITS)
  const marks = [seen.sum, flags.length, size, ...segments.map(({ digest }) => digest)]
  const contentHash = hashText(`${query}${marks.join()}`)
  const { revision } = state
  const etag = formatRevisionTag({ queryHash, number: revision.id, epoch: revision.epoch, contentHash })
  return {
    revision,
    etag,
    features: () => flags.map(({ feature }) => feature),
    segments: segments.map(({ segment }) => segment),
    size,
    filtered: seen,
    find(name) {
      const feature = findFlag({ flags }, name)?.feature
      return feature === undefined || !form.inline ? feature : inlineSegments(feature, state.segments)
    },
    runs() {
      const lead = '{"version":2,"features":['
      const meta = JSON.stringify({ revisionId: revision.id, etag, queryHash })
      const end = { lead: `],"query":${query},"meta":${meta}}`, texts: [] }
      if (form.inline) return [{ lead, texts: flags.map((entry) => getInlinedJson(entry, state.segments)) }, end]
      return [{ lead, texts: flags.map(getJson) }, { lead: '],"segments":[', texts: segments.map(getJson) }, end]
    },
  }
}

/** Concatenates the strings of text runs. */
export const joinRuns = (runs: readonly TextRun[]): string =>
  runs.map(({ lead, texts }) => lead + texts.join(',')).join('')

const getJson = (piece: { readonly json: string }): string => piece.json

/** Returns the segments that the given flags use, sorted by id. */
export function listUsedSegments(flags: readonly FlagEntry[], all: ReadonlyMap<number, SegmentEntry>): SegmentEntry[] {
  return filterSegments(new Set(flags.flatMap(({ segmentIds }) => segmentIds)), all)
}

function filterSegments(ids: Pick<ReadonlySet<number>, 'has'>, all: ReadonlyMap<number, SegmentEntry>): SegmentEntry[] {
  return [...all.values()].filter(({ segment }) => ids.has(segment.id))
}

/** Cache for the JSON of a flag with inlined segments, shared by all views. */
const inlinedJson = new WeakMap<FlagEntry, { readonly all: ReadonlyMap<number, SegmentEntry>; readonly text: string }>()

/**
 * Returns the JSON of a flag in which segments are replaced by their constraints. A flag without segments has the same
 * JSON in both formats.
 */
function getInlinedJson(entry: FlagEntry, all: ReadonlyMap<number, SegmentEntry>): string {
  if (!entry.hasSegmentLists) return entry.json
  const known = inlinedJson.get(entry)
  if (known?.all === all) return known.text
  const text = JSON.stringify(inlineSegments(entry.feature, all))
  inlinedJson.set(entry, { all, text })
  return text
}

/** Segments by id. */
export type SegmentsById = ReadonlyMap<number, Pick<SegmentEntry, 'segment'>>

/**
 * Copies the constraints of segments into the strategies that use them, for SDKs that do not support segments. A
 * segment that does not exist matches no context, as in SDKs that support segments.
 */
export function inlineSegments(feature: Feature, all: SegmentsById): Feature {
  if (!hasSegmentLists(feature)) return feature
  const strategies = feature.strategies.map(({ segments, ...strategy }): Strategy => {
    if (segments === undefined) return strategy
    return { ...strategy, constraints: [...(strategy.constraints ?? []), ...collectConstraints(segments, all)] }
  })
  return { ...feature, strategies }
}

/** Returns true if a strategy of the flag has a list of segments, even if that list is empty. */
export function hasSegmentLists({ strategies }: Feature): boolean {
  return strategies.some(({ segments }) => segments !== undefined)
}

/** Constraint that never matches in any SDK, because its list of values is empty. */
const NEVER: Constraint = { contextName: 'userId', operator: 'IN', values: [] }

/** @param ids null means no segments; some servers send null instead of a list */
function collectConstraints(ids: readonly number[] | null, all: SegmentsById): readonly Constraint[] {
  return (ids ?? []).flatMap((id) => {
    const named = all.get(id)
    return named === undefined ? [NEVER] : (named.segment.constraints ?? [])
  })
}
