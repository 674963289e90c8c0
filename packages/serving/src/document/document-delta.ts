import { compareText } from '@burgee/kit/compare-text'
import type { DeltaEvent } from '@burgee/protocol/delta'
import { type DocumentState, type FlagEntry, findFlag, type SegmentEntry } from './environment-document.ts'
import { listUsedSegments } from './view.ts'
import { createFlagPredicate, type ViewFilter } from './view-filter.ts'

/** A flag before and after a change to the document. */
interface ChangedFlag {
  readonly before: FlagEntry | undefined
  readonly after: FlagEntry | undefined
}

/** Flags and segments that may have changed since an earlier state, according to the log of changes. */
export interface TouchedItems {
  /** For each changed flag, the projects that contained it at any time since the earlier state, by flag name. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>>
  /** True if segments may have changed. */
  readonly segments: boolean
}

type Event<Type extends DeltaEvent['type']> = Extract<DeltaEvent, { type: Type }>

const MAX_EVENT_ID = 2 ** 32 - 1

/** Returns the revision as an event id, capped at the largest id that SDKs can hold. */
function getEventId({ revision }: DocumentState): number {
  return Math.min(revision.id, MAX_EVENT_ID)
}

/**
 * Returns all flags and segments of a view as `DeltaEvents` JSON. Concatenates JSON that already exists; serializes
 * nothing.
 */
export function formatHydration(state: DocumentState, filter: ViewFilter): string {
  const flags = state.flags.filter(createFlagPredicate(filter))
  const segments = listUsedSegments(flags, state.segments)
  const head = `{"type":"hydration","eventId":${getEventId(state)}`
  return `{"events":[${head},"features":[${joinJson(flags)}],"segments":[${joinJson(segments)}]}]}`
}

/** Difference between two states of a document. Computed once, and serialized separately for each view. */
export class DocumentDifference {
  readonly #before: DocumentState
  readonly #after: DocumentState
  readonly #flags: readonly ChangedFlag[]
  readonly #mayChangeSegments: boolean

  constructor(before: DocumentState, after: DocumentState) {
    this.#before = before
    this.#after = after
    this.#flags = listChangedFlags(before.flags, after.flags)
    this.#mayChangeSegments =
      before.segments !== after.segments ||
      this.#flags.some((flag) => [flag.before, flag.after].some((entry) => entry?.hasSegmentLists))
  }

  /**
   * Returns the part of the difference that affects a view, as `DeltaEvents` JSON; undefined if the view has not
   * changed. The update of a segment comes before the flags that use it. The removal of a segment comes after the flags
   * that used it. A flag that no longer passes the filter is sent as removed.
   */
  formatFor(filter: ViewFilter): string | undefined {
    const selects = createFlagPredicate(filter)
    const id = getEventId(this.#after)
    const flags = this.#flags.flatMap(({ before, after }) => {
      const was = before !== undefined && selects(before) ? before : undefined
      if (after !== undefined && selects(after)) return was?.json === after.json ? [] : [formatFlagUpdate(id, after)]
      return was === undefined ? [] : [formatFlagRemoval(id, was.name, was.project)]
    })
    const [found, lost] = this.#mayChangeSegments ? this.#segments(selects, id) : [[], []]
    return formatEvents([...found, ...flags, ...lost])
  }

  #segments(selects: (entry: FlagEntry) => boolean, id: number): [found: string[], lost: string[]] {
    const used = ({ flags, segments }: DocumentState) => listUsedSegments(flags.filter(selects), segments)
    const before = new Map(used(this.#before).map((entry) => [entry.segment.id, entry]))
    const after = used(this.#after)
    const found = after.filter((entry) => before.get(entry.segment.id)?.json !== entry.json)
    for (const { segment } of after) before.delete(segment.id)
    return [
      found.map((entry) => formatSegmentUpdate(id, entry)),
      [...before.keys()].map((segmentId) =>
        JSON.stringify({ type: 'segment-removed', eventId: id, segmentId } satisfies Event<'segment-removed'>),
      ),
    ]
  }
}

/**
 * Returns the `DeltaEvents` JSON that brings a client with this view up to date, or undefined if the view contains none
 * of the changed items. The log of changes shows which flags changed, but not which flags the client has. The result
 * may therefore remove flags that were never in the view, or resend unchanged flags. Both are harmless.
 */
export function formatTouched(touched: TouchedItems, state: DocumentState, filter: ViewFilter): string | undefined {
  const { projects, namePrefix = '' } = filter
  const selects = createFlagPredicate(filter)
  const id = getEventId(state)
  const present: FlagEntry[] = []
  const gone: string[] = []
  for (const [name, itsProjects] of touched.flags) {
    const entry = findFlag(state, name)
    if (entry !== undefined && selects(entry)) present.push(entry)
    else if (name.startsWith(namePrefix)) {
      const from = [...itsProjects].find((project) => projects.includes('*') || projects.includes(project))
      if (from !== undefined) gone.push(formatFlagRemoval(id, name, from))
    }
  }
  const segments = listUsedSegments(touched.segments ? state.flags.filter(selects) : present, state.segments)
  return formatEvents([
    ...segments.map((entry) => formatSegmentUpdate(id, entry)),
    ...present.map((entry) => formatFlagUpdate(id, entry)),
    ...gone,
  ])
}

function formatEvents(events: readonly string[]): string | undefined {
  return events.length === 0 ? undefined : `{"events":[${events.join(',')}]}`
}

function joinJson(pieces: readonly { readonly json: string }[]): string {
  return pieces.map(({ json }) => json).join(',')
}

function formatFlagUpdate(eventId: number, { json }: FlagEntry): string {
  return `{"type":"feature-updated","eventId":${eventId},"feature":${json}}`
}

function formatSegmentUpdate(eventId: number, { json }: SegmentEntry): string {
  return `{"type":"segment-updated","eventId":${eventId},"segment":${json}}`
}

function formatFlagRemoval(eventId: number, featureName: string, project: string): string {
  return JSON.stringify({ type: 'feature-removed', eventId, featureName, project } satisfies Event<'feature-removed'>)
}

/**
 * Returns the flags that differ between two lists. Expects both lists to be sorted by name, and each unchanged flag to
 * be the same object in both.
 */
function listChangedFlags(before: readonly FlagEntry[], after: readonly FlagEntry[]): ChangedFlag[] {
  const changed: ChangedFlag[] = []
  let [one, other] = [0, 0]
  while (one < before.length || other < after.length) {
    const [was, is] = [before[one], after[other]]
    const order = was === undefined ? 1 : is === undefined ? -1 : compareText(was.name, is.name)
    if (was !== is) changed.push({ before: order <= 0 ? was : undefined, after: order >= 0 ? is : undefined })
    if (order <= 0) one += 1
    if (order >= 0) other += 1
  }
  return changed
}
