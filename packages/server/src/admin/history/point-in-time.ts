import { invalid } from '@burgee/kit/input/refusals'
import type { HistoryPointQuery, HistoryStart } from '@burgee/protocol/administration/flag-history'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { findFirstEventAfter, type PastEvent } from '@burgee/storage/queries/events/past-events'
import { readRemovedUpTo } from '@burgee/storage/queries/retention/old-events'
import { HistoryGap, HistoryMismatch } from './flag-snapshot.ts'

/** Moment: right after an event, or a time in milliseconds since 1970; now if neither is given. */
export interface PointInTime {
  readonly event?: number | undefined
  readonly at?: number | undefined
}

/** The current moment. */
export const NOW: PointInTime = {}

/** Returns true if a moment is now. */
export const isNow = ({ event, at }: PointInTime): boolean => event === undefined && at === undefined

/** Maximum number of events to undo for one moment, and number of events per query. */
const [MOST_UNDONE, PAGE] = [5000, 500]

/** Moment in a request. */
type PointInTimeInput = { readonly [K in keyof HistoryPointQuery]?: HistoryPointQuery[K] | undefined }

/** Parses the moment of a request. Throws ValidationError if it is invalid or given in both forms. */
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
  if (Number.isNaN(time)) throw invalid(`"${atName}" must be a time, as 2030-01-31T12:00:00Z`, `${part}/${atName}`)
  return { at: time }
}

/** Reads a range of events, newest first. */
export type ReadEventRange = (stretch: { after: number; before: number; limit: number }) => Promise<PastEvent[]>

/** Returns true if an event happened after the moment. */
export function isAfter({ id, created_at }: Pick<PastEvent, 'id' | 'created_at'>, { event, at }: PointInTime): boolean {
  if (event !== undefined) return id > event
  return at !== undefined && Number(created_at) > at
}

/** Result of going back: the last event before the moment, or the time before which nothing is known. */
export interface RewindResult {
  /** Last event before or at the moment; undefined if there is none. */
  readonly last: PastEvent | undefined
  /** First event of all; set if every event was undone and no event is missing from the log. */
  readonly beginning?: HistoryStart | undefined
  /** Time since which the state is known; undefined if it is known at the moment. */
  readonly knownFrom: HistoryStart | undefined
}

/**
 * Goes back from now to a moment, newest event first. Calls `undo` for each event after the moment, and `check` for the
 * last one before it. `check` throws HistoryMismatch if the event contradicts the reconstructed state. Both may throw Untold,
 * which stops going back: only states after that event are known.
 */
export async function rewind(reader: Reader, when: PointInTime, going: RewindCallbacks): Promise<RewindResult> {
  if (isNow(when)) return { last: undefined, knownFrom: undefined }
  const hole = await readRemovedUpTo(reader)
  let newer: PastEvent | undefined
  let count = 0
  for await (const event of readNewestFirst(going.read, hole)) {
    const isUndone = isAfter(event, when)
    if (isUndone && count >= MOST_UNDONE) return { last: undefined, knownFrom: toKnownFrom(newer, 'too-far') }
    const ended = await handleEvent(event, isUndone, going)
    // Untold: the state before the event is unknown, but the state after it is known; HistoryMismatch: the state after it is
    // unknown as well
    if (ended instanceof HistoryMismatch) return { last: undefined, knownFrom: toKnownFrom(newer, ended.why) }
    if (ended !== undefined && isUndone) return { last: undefined, knownFrom: toKnownFrom(event, ended.why) }
    if (!isUndone) return { last: event, knownFrom: undefined }
    newer = event
    count += 1
  }
  return hole === 0
    ? { last: undefined, knownFrom: undefined, beginning: toKnownFrom(newer, 'untold') }
    : endAtBeginning(reader, when, hole)
}

async function* readNewestFirst(read: ReadEventRange, after: number): AsyncGenerator<PastEvent> {
  for (let before = MAX_ID; ; ) {
    const page = await read({ after, before, limit: PAGE })
    yield* page
    before = page.at(-1)?.id ?? 0
    if (page.length < PAGE) return
  }
}

async function handleEvent(
  event: PastEvent,
  isUndone: boolean,
  { undo, check }: RewindCallbacks,
): Promise<HistoryGap | undefined> {
  try {
    await (isUndone ? undo(event) : check(event))
    return undefined
  } catch (error) {
    if (error instanceof HistoryGap) return error
    throw error
  }
}

/** Callbacks of `goBack`. */
export interface RewindCallbacks {
  readonly read: ReadEventRange
  readonly undo: (event: PastEvent) => Promise<void>
  readonly check: (event: PastEvent) => Promise<void>
}

/** Maximum integer of the databases. */
const MAX_ID = 2_147_483_647

/** Handles the end of a trimmed log: either the moment is reached, or earlier events are missing. */
async function endAtBeginning(reader: Reader, when: PointInTime, hole: number): Promise<RewindResult> {
  const first = await findFirstEventAfter(reader, hole)
  const isBeforeAll = first === undefined || isAfter(first, when)
  if (!isBeforeAll) return { last: undefined, knownFrom: undefined }
  return { last: undefined, knownFrom: toKnownFrom(first, 'trimmed') }
}

function toKnownFrom(event: Pick<PastEvent, 'id' | 'created_at'> | undefined, why: HistoryStart['why']): HistoryStart {
  if (event === undefined) return { eventId: null, at: null, why }
  return { eventId: event.id, at: new Date(Number(event.created_at)).toISOString(), why }
}

/** Throws ConflictError for a moment whose state is unknown, with the time since which it is known. */
export function rejectUnknown({ at, why }: HistoryStart): never {
  const since = at === null ? 'only as it is now' : `from ${at} on`
  throw new Problem('ConflictError', `What was then is not known (${why}): it is known ${since}.`)
}
