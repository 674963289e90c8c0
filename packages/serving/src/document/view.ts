import type { Constraint, Feature, Segment, Strategy } from '@burgee/protocol/feature'
import {
  type DocumentRevision,
  type DocumentState,
  type FlagEntry,
  findFlag,
  type SegmentEntry,
} from './environment-document.ts'
import { hashOf, tagOf } from './revision-tag.ts'
import { type SeenFlags, seenFlags } from './seen-flags.ts'
import type { ViewFilter } from './view-filter.ts'

/** How a view is written. */
export interface ViewForm {
  /** What is asked for, as the body echoes it. */
  readonly query: Readonly<Record<string, unknown>>
  /** Puts the constraints of segments into the strategies, for SDKs that do not know segments. */
  readonly inline: boolean
}

/** A part of a text: what it begins with, then `texts` with commas between them. */
export interface TextRun {
  readonly lead: string
  /** The same strings as in the view before, as far as they did not change. */
  readonly texts: readonly string[]
}

/** Flags that somebody gets, at one moment: the parts and the tag at once, the text when it is asked for. */
export interface View {
  readonly revision: DocumentRevision
  /** Names query, revision and content (see `tagOf`), with its quotes: equal tags, equal documents. */
  readonly etag: string
  /** By name. The same objects as in the view before, as far as they did not change. */
  features(): readonly Feature[]
  /** Those that the flags refer to, by id. */
  readonly segments: readonly Segment[]
  /** Characters of the flags' prepared texts: about the length of the text, without making it. */
  readonly size: number
  /** What it lets through: a later view begins with it. */
  readonly seen: SeenFlags
  /** One of the flags as the text has it; undefined where there is none of this name. */
  find(name: string): Feature | undefined
  /** A `ClientFeatures` as JSON, in parts; put together anew at each call. */
  runs(): readonly TextRun[]
}

const QUERY_DIGITS = 8

/**
 * Looks at a state of a document through a filter. Costs a look at each flag, and no text; after an earlier view with
 * the same filter and form, as far as it is known what has changed, a look at that.
 *
 * @param before what an earlier view let through
 */
export function viewOf(state: DocumentState, filter: ViewFilter, form: ViewForm, before?: SeenFlags): View {
  const seen = seenFlags(state, filter, before)
  const { flags, size } = seen
  const segments = segmentsAmong(seen.segmentUses, state.segments)
  const query = JSON.stringify(form.query)
  const queryHash = hashOf(query).slice(0, QUERY_DIGITS)
  const marks = [seen.sum, flags.length, size, ...segments.map(({ mark }) => mark)]
  const contentHash = hashOf(`${query}${marks.join()}`)
  const { revision } = state
  const etag = tagOf({ queryHash, number: revision.id, epoch: revision.epoch, contentHash })
  return {
    revision,
    etag,
    features: () => flags.map(({ feature }) => feature),
    segments: segments.map(({ segment }) => segment),
    size,
    seen,
    find(name) {
      const feature = findFlag({ flags }, name)?.feature
      return feature === undefined || !form.inline ? feature : inlineSegments(feature, state.segments)
    },
    runs() {
      const lead = '{"version":2,"features":['
      const meta = JSON.stringify({ revisionId: revision.id, etag, queryHash })
      const end = { lead: `],"query":${query},"meta":${meta}}`, texts: [] }
      if (form.inline) return [{ lead, texts: flags.map((entry) => inlinedText(entry, state.segments)) }, end]
      return [{ lead, texts: flags.map(text) }, { lead: '],"segments":[', texts: segments.map(text) }, end]
    },
  }
}

/** The text that runs make one behind the other. */
export const textOfRuns = (runs: readonly TextRun[]): string =>
  runs.map(({ lead, texts }) => lead + texts.join(',')).join('')

const text = (piece: { readonly json: string }): string => piece.json

/** Those of all segments that flags refer to, by id. */
export function segmentsOf(flags: readonly FlagEntry[], all: ReadonlyMap<number, SegmentEntry>): SegmentEntry[] {
  return segmentsAmong(new Set(flags.flatMap(({ segmentIds }) => segmentIds)), all)
}

function segmentsAmong(ids: Pick<ReadonlySet<number>, 'has'>, all: ReadonlyMap<number, SegmentEntry>): SegmentEntry[] {
  return [...all.values()].filter(({ segment }) => ids.has(segment.id))
}

/** What was written of a flag with these segments: it is the same for every view. */
const inlinedTexts = new WeakMap<
  FlagEntry,
  { readonly all: ReadonlyMap<number, SegmentEntry>; readonly text: string }
>()

/** A flag whose strategies name no segments is the same in both forms. */
function inlinedText(entry: FlagEntry, all: ReadonlyMap<number, SegmentEntry>): string {
  if (!entry.namesSegments) return entry.json
  const known = inlinedTexts.get(entry)
  if (known?.all === all) return known.text
  const text = JSON.stringify(inlineSegments(entry.feature, all))
  inlinedTexts.set(entry, { all, text })
  return text
}

/** Segments by id. */
export type SegmentsById = ReadonlyMap<number, Pick<SegmentEntry, 'segment'>>

/**
 * Puts the constraints of segments into the strategies that name them, for SDKs that do not know segments. A segment that
 * there is not lets nobody in, as it does in SDKs that know segments.
 */
export function inlineSegments(feature: Feature, all: SegmentsById): Feature {
  if (!namesSegments(feature)) return feature
  const strategies = feature.strategies.map(({ segments, ...strategy }): Strategy => {
    if (segments === undefined) return strategy
    return { ...strategy, constraints: [...(strategy.constraints ?? []), ...constraintsOf(segments, all)] }
  })
  return { ...feature, strategies }
}

/** Whether the strategies of a flag say which segments they are for, be it none. */
export function namesSegments({ strategies }: Feature): boolean {
  return strategies.some(({ segments }) => segments !== undefined)
}

/** Holds for nobody in any SDK: no value is one of none. */
const NEVER: Constraint = { contextName: 'userId', operator: 'IN', values: [] }

/** @param ids null in documents of some servers, which means none */
function constraintsOf(ids: readonly number[] | null, all: SegmentsById): readonly Constraint[] {
  return (ids ?? []).flatMap((id) => {
    const named = all.get(id)
    return named === undefined ? [NEVER] : (named.segment.constraints ?? [])
  })
}
