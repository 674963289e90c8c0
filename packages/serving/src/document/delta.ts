import { compareText } from '@burgee/kit/compare-text'
import type { DeltaEvent } from '@burgee/protocol/delta'
import { type DocumentState, type FlagEntry, findFlag, type SegmentEntry } from './environment-document.ts'
import { segmentsOf } from './view.ts'
import { selectionOf, type ViewFilter } from './view-filter.ts'

/** What became of a flag between two states. */
interface ChangedFlag {
  readonly before: FlagEntry | undefined
  readonly after: FlagEntry | undefined
}

/** What may have changed since some state, as events tell. */
export interface Touched {
  /** The projects that each flag was in meanwhile, by the flag's name. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether segments may have changed. */
  readonly segments: boolean
}

type Event<Type extends DeltaEvent['type']> = Extract<DeltaEvent, { type: Type }>

const MOST_ID = 2 ** 32 - 1

/** A revision as the id of an event; numbers that SDKs cannot hold are the greatest that they can. */
function idOf({ revision }: DocumentState): number {
  return Math.min(revision.id, MOST_ID)
}

/** All of a view, as the JSON of `DeltaEvents`. Prepared pieces are joined, nothing is serialised. */
export function hydrationText(state: DocumentState, filter: ViewFilter): string {
  const flags = state.flags.filter(selectionOf(filter))
  const segments = segmentsOf(flags, state.segments)
  const head = `{"type":"hydration","eventId":${idOf(state)}`
  return `{"events":[${head},"features":[${jsonOf(flags)}],"segments":[${jsonOf(segments)}]}]}`
}

/** What leads from one state of a document to another, for any view: found once, told to each. */
export class Difference {
  readonly #before: DocumentState
  readonly #after: DocumentState
  readonly #flags: readonly ChangedFlag[]
  readonly #mayChangeSegments: boolean

  constructor(before: DocumentState, after: DocumentState) {
    this.#before = before
    this.#after = after
    this.#flags = changedFlags(before.flags, after.flags)
    this.#mayChangeSegments =
      before.segments !== after.segments ||
      this.#flags.some((flag) => [flag.before, flag.after].some((entry) => entry?.namesSegments))
  }

  /**
   * The JSON of `DeltaEvents`; undefined where the view is the same. A segment comes before the flags that need it, and
   * goes after those that needed it. A flag that a view loses is removed there.
   */
  textFor(filter: ViewFilter): string | undefined {
    const selects = selectionOf(filter)
    const id = idOf(this.#after)
    const flags = this.#flags.flatMap(({ before, after }) => {
      const was = before !== undefined && selects(before) ? before : undefined
      if (after !== undefined && selects(after)) return was?.json === after.json ? [] : [updated(id, after)]
      return was === undefined ? [] : [removed(id, was.name, was.project)]
    })
    const [found, lost] = this.#mayChangeSegments ? this.#segments(selects, id) : [[], []]
    return textOf([...found, ...flags, ...lost])
  }

  #segments(selects: (entry: FlagEntry) => boolean, id: number): [found: string[], lost: string[]] {
    const used = ({ flags, segments }: DocumentState) => segmentsOf(flags.filter(selects), segments)
    const before = new Map(used(this.#before).map((entry) => [entry.segment.id, entry]))
    const after = used(this.#after)
    const found = after.filter((entry) => before.get(entry.segment.id)?.json !== entry.json)
    for (const { segment } of after) before.delete(segment.id)
    return [
      found.map((entry) => segmentUpdated(id, entry)),
      [...before.keys()].map((segmentId) =>
        JSON.stringify({ type: 'segment-removed', eventId: id, segmentId } satisfies Event<'segment-removed'>),
      ),
    ]
  }
}

/**
 * The JSON of `DeltaEvents` that brings whoever has a view of some earlier state to this one, where nothing is known of
 * that state but what events say was touched since; undefined where none of it is in the view. What was not in the view
 * may be removed again, what is the same may be sent again: both change nothing.
 */
export function touchedText(touched: Touched, state: DocumentState, filter: ViewFilter): string | undefined {
  const { projects, namePrefix = '' } = filter
  const selects = selectionOf(filter)
  const id = idOf(state)
  const present: FlagEntry[] = []
  const gone: string[] = []
  for (const [name, itsProjects] of touched.flags) {
    const entry = findFlag(state, name)
    if (entry !== undefined && selects(entry)) present.push(entry)
    else if (name.startsWith(namePrefix)) {
      const from = [...itsProjects].find((project) => projects.includes('*') || projects.includes(project))
      if (from !== undefined) gone.push(removed(id, name, from))
    }
  }
  const segments = segmentsOf(touched.segments ? state.flags.filter(selects) : present, state.segments)
  return textOf([
    ...segments.map((entry) => segmentUpdated(id, entry)),
    ...present.map((entry) => updated(id, entry)),
    ...gone,
  ])
}

function textOf(events: readonly string[]): string | undefined {
  return events.length === 0 ? undefined : `{"events":[${events.join(',')}]}`
}

function jsonOf(pieces: readonly { readonly json: string }[]): string {
  return pieces.map(({ json }) => json).join(',')
}

function updated(eventId: number, { json }: FlagEntry): string {
  return `{"type":"feature-updated","eventId":${eventId},"feature":${json}}`
}

function segmentUpdated(eventId: number, { json }: SegmentEntry): string {
  return `{"type":"segment-updated","eventId":${eventId},"segment":${json}}`
}

function removed(eventId: number, featureName: string, project: string): string {
  return JSON.stringify({ type: 'feature-removed', eventId, featureName, project } satisfies Event<'feature-removed'>)
}

/** Both lists are in the order of names, and what did not change is the same object. */
function changedFlags(before: readonly FlagEntry[], after: readonly FlagEntry[]): ChangedFlag[] {
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
