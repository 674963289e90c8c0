import { invalid } from '@burgee/kit/input/refusals'
import type { HistoryPointQuery, HistoryStart } from '@burgee/protocol/administration/flag-history'
import { Problem } from '@burgee/protocol/problem'
import { MAX_ROW_ID } from '@burgee/protocol/row-id'
import type { Reader } from '@burgee/storage/database'
import { findFirstEventAfter, type PastEvent } from '@burgee/storage/queries/events/past-events'
import { readRemovedUpTo } from '@burgee/storage/queries/retention/old-events'
import type { HistoryBreak } from './history-break.ts'

/**
 * Point in time: either right after an event, or a time in milliseconds since 1970. If neither is given, the point in
 * time is now.
 */
export interface PointInTime {
  readonly event?: number | undefined
  readonly at?: number | undefined
}

/** The current moment. */
export const NOW: PointInTime = {}

/** Returns true if a point in time is the current time. */
export const isNow = ({ event, at }: PointInTime): boolean => event === undefined && at === undefined

/** Maximum number of events to undo for one point in time. */
const MAX_UNDONE = 5000
const EVENTS_PER_QUERY = 500

/** Point in time as given in a request. */
type PointInTimeInput = { readonly [K in keyof HistoryPointQuery]?: HistoryPointQuery[K] | undefined }

/** Parses the point in time in a request. Throws ValidationError if it is invalid or given in both forms. */
export function parsePointInTime(
  { event, at }: PointInTimeInput,
  [eventName, atName]: readonly [string, string],
  part = 'query',
): PointInTime {
  if (event !== undefined && at !== undefined) {
    throw invalid(`Only one of "${eventName}" and "${atName}" can be given`, `${part}/${atName}`)
  }
  if (at === undefined) return { event }
  const time = Date.parse(at)
  if (Number.isNaN(time)) throw invalid(`"${atName}" must be a time, such as 2030-01-31T12:00:00Z`, `${part}/${atName}`)
  return { at: time }
}

/** Reads a range of events, newest first. */
export type ReadEventRange = (stretch: { after: number; before: number; limit: number }) => Promise<PastEvent[]>

/** Returns true if an event happened after the point in time. */
export function isAfter({ id, created_at }: Pick<PastEvent, 'id' | 'created_at'>, { event, at }: PointInTime): boolean {
  if (event !== undefined) return id > event
  return at !== undefined && Number(created_at) > at
}

/**
 * Result of rewinding: the last event at or before the point in time, or the time before which the state is unknown.
 */
export interface RewindResult {
  /** Last event at or before the point in time; undefined if there is none. */
  readonly last: PastEvent | undefined
  /** First event of the log. True if every event was undone and none is missing from the log. */
  readonly beginning?: HistoryStart | undefined
  /** Time since which the state is known; set only if the state at the point in time is unknown. */
  readonly knownFrom: HistoryStart | undefined
}

/** State that can be rewound by undoing events one by one, newest first. */
export interface Rewindable {
  readonly read: ReadEventRange
  /**
   * Reverts the state to before the event. If the previous state is unknown, leaves the state unchanged and returns the
   * reason.
   */
  undo(event: PastEvent): Promise<HistoryBreak | undefined>
  /** Checks the state against the last event at or before the point in time, which is not undone. */
  check(event: PastEvent): Promise<HistoryBreak | undefined>
}

/**
 * Rewinds a state from now to a point in time, newest event first. Undoes each event after the point in time, and
 * checks the result against the last event before it. Stops where the history is not known. If it stops at a gap, the
 * state after the event is known; if it stops at a mismatch, that state is unknown.
 */
export async function rewind(reader: Reader, when: PointInTime, state: Rewindable): Promise<RewindResult> {
  if (isNow(when)) return { last: undefined, knownFrom: undefined }
  const hole = await readRemovedUpTo(reader)
  let newer: PastEvent | undefined
  let count = 0
  for await (const event of readNewestFirst(state.read, hole)) {
    const isUndone = isAfter(event, when)
    if (isUndone && count >= MAX_UNDONE) return { last: undefined, knownFrom: toHistoryStart(newer, 'too-far') }
    const found = await (isUndone ? state.undo(event) : state.check(event))
    if (found?.kind === 'mismatch') return { last: undefined, knownFrom: toHistoryStart(newer, found.why) }
    if (!isUndone) return { last: event, knownFrom: undefined }
    if (found !== undefined) return { last: undefined, knownFrom: toHistoryStart(event, found.why) }
    newer = event
    count += 1
  }
  return hole === 0
    ? { last: undefined, knownFrom: undefined, beginning: toHistoryStart(newer, 'untold') }
    : endAtBeginning(reader, when, hole)
}

async function* readNewestFirst(read: ReadEventRange, after: number): AsyncGenerator<PastEvent> {
  for (let before = MAX_ROW_ID; ; ) {
    const page = await read({ after, before, limit: EVENTS_PER_QUERY })
    yield* page
    before = page.at(-1)?.id ?? 0
    if (page.length < EVENTS_PER_QUERY) return
  }
}

/** Handles the start of a trimmed log: either the point in time has been reached, or earlier events are missing. */
async function endAtBeginning(reader: Reader, when: PointInTime, hole: number): Promise<RewindResult> {
  const first = await findFirstEventAfter(reader, hole)
  const isBeforeAll = first === undefined || isAfter(first, when)
  if (!isBeforeAll) return { last: undefined, knownFrom: undefined }
  return { last: undefined, knownFrom: toHistoryStart(first, 'trimmed') }
}

function toHistoryStart(
  event: Pick<PastEvent, 'id' | 'created_at'> | undefined,
  why: HistoryStart['why'],
): HistoryStart {
  if (event === undefined) return { eventId: null, at: null, why }
  return { eventId: event.id, at: new Date(Number(event.created_at)).toISOString(), why }
}

/**
 * Throws ConflictError if the state at a point in time is unknown. The error contains the time since which the state is
 * known.
 */
export function rejectUnknown({ at, why }: HistoryStart): never {
  const since = at === null ? 'only as it is now' : `from ${at} on`
  throw new Problem('ConflictError', `The state at that time is unknown (${why}): the state is known ${since}.`)
}
