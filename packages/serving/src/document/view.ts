import type { Tag } from '@burgee/protocol/event'
import type { Constraint, Feature, Segment, Strategy } from '@burgee/protocol/feature'
import {
  type DocumentRevision,
  type DocumentState,
  type FlagEntry,
  hashOf,
  type SegmentEntry,
} from './environment-document.ts'
import { tagOf } from './revision-tag.ts'

/** Which flags of an environment somebody gets. */
export interface ViewFilter {
  /** Project ids; `['*']` means all, also those to come. */
  readonly projects: readonly string[]
  readonly namePrefix?: string | undefined
  /** A flag needs one of these tags; no tags, no condition. */
  readonly tags?: readonly Tag[] | undefined
}

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
  readonly features: readonly Feature[]
  /** Those that the flags refer to, by id. */
  readonly segments: readonly Segment[]
  /** Characters of the flags' prepared texts: about the length of the text, without making it. */
  readonly size: number
  /** One of the flags as the text has it; undefined where there is none of this name. */
  find(name: string): Feature | undefined
  /** A `ClientFeatures` as JSON, in parts; put together anew at each call. */
  runs(): readonly TextRun[]
}

const QUERY_DIGITS = 8

/** Looks at a state of a document through a filter. Costs a look at each flag, and no text. */
export function viewOf(state: DocumentState, filter: ViewFilter, form: ViewForm): View {
  const { flags, hashes, size, segments } = seen(state, filter)
  const query = JSON.stringify(form.query)
  const queryHash = hashOf(query).slice(0, QUERY_DIGITS)
  const contentHash = hashOf(`${query}${hashes};${segments.map(hash).join('')}`)
  const { revision } = state
  const etag = tagOf({ queryHash, number: revision.id, epoch: revision.epoch, contentHash })
  return {
    revision,
    etag,
    features: flags.map(({ feature }) => feature),
    segments: segments.map(({ segment }) => segment),
    size,
    find(name) {
      const feature = flags.find((entry) => entry.feature.name === name)?.feature
      return feature === undefined || !form.inline ? feature : inlined(feature, state.segments)
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

/** What a filter lets through: the document of many flags is gone through once, for each flag is far away in memory. */
function seen(state: DocumentState, filter: ViewFilter) {
  const isLetThrough = selectionOf(filter)
  const flags: FlagEntry[] = []
  const used = new Set<number>()
  let [hashes, size] = ['', 0]
  for (const entry of state.flags) {
    if (!isLetThrough(entry)) continue
    flags.push(entry)
    hashes += entry.hash
    size += entry.json.length
    for (const id of entry.segmentIds) used.add(id)
  }
  return { flags, hashes, size, segments: segmentsAmong(used, state.segments) }
}

/** The text that runs make one behind the other. */
export const textOfRuns = (runs: readonly TextRun[]): string =>
  runs.map(({ lead, texts }) => lead + texts.join(',')).join('')

const hash = (piece: { readonly hash: string }): string => piece.hash
const text = (piece: { readonly json: string }): string => piece.json

/** Says which flags a filter lets through. A flag of no project belongs to everybody. */
export function selectionOf({ projects, namePrefix = '', tags = [] }: ViewFilter): (entry: FlagEntry) => boolean {
  const own = projects.includes('*') ? undefined : new Set([...projects, ''])
  return ({ feature, tags: its }) =>
    (own === undefined || own.has(feature.project ?? '')) &&
    (namePrefix === '' || feature.name.startsWith(namePrefix)) &&
    (tags.length === 0 || tags.some(({ type, value }) => its.some((tag) => tag.type === type && tag.value === value)))
}

/** Those of all segments that flags refer to, by id. */
export function segmentsOf(flags: readonly FlagEntry[], all: ReadonlyMap<number, SegmentEntry>): SegmentEntry[] {
  return segmentsAmong(new Set(flags.flatMap(({ segmentIds }) => segmentIds)), all)
}

function segmentsAmong(ids: ReadonlySet<number>, all: ReadonlyMap<number, SegmentEntry>): SegmentEntry[] {
  return [...all.values()].filter(({ segment }) => ids.has(segment.id))
}

/** A flag without segments is the same in both forms. */
function inlinedText({ feature, json }: FlagEntry, all: ReadonlyMap<number, SegmentEntry>): string {
  const form = inlined(feature, all)
  return form === feature ? json : JSON.stringify(form)
}

function inlined(feature: Feature, all: ReadonlyMap<number, SegmentEntry>): Feature {
  if (feature.strategies.every(({ segments }) => segments === undefined)) return feature
  const strategies = feature.strategies.map(({ segments, ...strategy }): Strategy => {
    if (segments === undefined) return strategy
    return { ...strategy, constraints: [...(strategy.constraints ?? []), ...constraintsOf(segments, all)] }
  })
  return { ...feature, strategies }
}

function constraintsOf(ids: readonly number[], all: ReadonlyMap<number, SegmentEntry>): Constraint[] {
  return ids.flatMap((id) => all.get(id)?.segment.constraints ?? [])
}
