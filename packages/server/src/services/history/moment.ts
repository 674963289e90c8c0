import { invalid } from '@burgee/kit/input/refusals'
import type { KnownFrom, MomentQuery } from '@burgee/protocol/administration/flag-history'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '../../store/database.ts'
import { firstEventAfter, type PastEvent } from '../../store/events/past-events.ts'
import { removedUpTo } from '../../store/retention/old-events.ts'
import { Misfit, Untold } from './flag-then.ts'

/** A moment: right after an event, or a time in milliseconds since 1970; with neither it is now. */
export interface When {
  readonly event?: number | undefined
  readonly at?: number | undefined
}

/** Right now: nothing has happened since. */
export const NOW: When = {}

/** Whether a moment is right now. */
export const isNow = ({ event, at }: When): boolean => event === undefined && at === undefined

/** Events that are undone for one moment at most, and read at once. */
const [MOST_UNDONE, PAGE] = [5000, 500]

/** What a request says of a moment. */
type Asked = { readonly [K in keyof MomentQuery]?: MomentQuery[K] | undefined }

/** A moment as a request says it. Throws ValidationError where it says none, or both. */
export function whenOf({ event, at }: Asked, [eventName, atName]: readonly [string, string], part = 'query'): When {
  if (event !== undefined && at !== undefined) {
    throw invalid(`Only one of "${eventName}" and "${atName}" can be given`, `${part}/${atName}`)
  }
  if (at === undefined) return { event }
  const time = Date.parse(at)
  if (Number.isNaN(time)) throw invalid(`"${atName}" must be a time, as 2030-01-31T12:00:00Z`, `${part}/${atName}`)
  return { at: time }
}

/** Reads a stretch of events, newest first. */
export type ReadStretch = (stretch: { after: number; before: number; limit: number }) => Promise<PastEvent[]>

/** Whether an event happened after a moment. */
export function isAfter({ id, created_at }: Pick<PastEvent, 'id' | 'created_at'>, { event, at }: When): boolean {
  if (event !== undefined) return id > event
  return at !== undefined && Number(created_at) > at
}

/** Where going back ended: at the wanted moment, or where it is not known any more. */
export interface Ending {
  /** The last event that had happened by the moment; undefined where there is none. */
  readonly last: PastEvent | undefined
  /** Present where no event had happened by the moment, and none is missing: the first of all. */
  readonly beginning?: KnownFrom | undefined
  /** Undefined where all is known. */
  readonly knownFrom: KnownFrom | undefined
}

/**
 * Goes back from now to a moment, event by event, newest first; `undo` is called with each that happened after it. The
 * last one that happened before is given to `check`, which throws Misfit where it does not fit what was found. Both may
 * throw Untold, which ends it: what is known is told from there on.
 */
export async function goBack(reader: Reader, when: When, going: Going): Promise<Ending> {
  if (isNow(when)) return { last: undefined, knownFrom: undefined }
  const hole = await removedUpTo(reader)
  let newer: PastEvent | undefined
  let count = 0
  for await (const event of newestFirst(going.read, hole)) {
    const isUndone = isAfter(event, when)
    if (isUndone && count >= MOST_UNDONE) return { last: undefined, knownFrom: from(newer, 'too-far') }
    const ended = await step(event, isUndone, going)
    // what an event does not tell is what was before it; where it does not fit, nothing is known right after it either
    if (ended instanceof Misfit) return { last: undefined, knownFrom: from(newer, ended.why) }
    if (ended !== undefined && isUndone) return { last: undefined, knownFrom: from(event, ended.why) }
    if (!isUndone) return { last: event, knownFrom: undefined }
    newer = event
    count += 1
  }
  return hole === 0
    ? { last: undefined, knownFrom: undefined, beginning: from(newer, 'untold') }
    : atTheBeginning(reader, when, hole)
}

async function* newestFirst(read: ReadStretch, after: number): AsyncGenerator<PastEvent> {
  for (let before = MOST_ID; ; ) {
    const page = await read({ after, before, limit: PAGE })
    yield* page
    before = page.at(-1)?.id ?? 0
    if (page.length < PAGE) return
  }
}

async function step(event: PastEvent, isUndone: boolean, { undo, check }: Going): Promise<Untold | undefined> {
  try {
    await (isUndone ? undo(event) : check(event))
    return undefined
  } catch (error) {
    if (error instanceof Untold) return error
    throw error
  }
}

/** What `goBack` reads and does. */
export interface Going {
  readonly read: ReadStretch
  readonly undo: (event: PastEvent) => Promise<void>
  readonly check: (event: PastEvent) => Promise<void>
}

/** A database's integers end here. */
const MOST_ID = 2_147_483_647

/** All events that there are were undone: whether that is the moment, or events before it are missing. */
async function atTheBeginning(reader: Reader, when: When, hole: number): Promise<Ending> {
  const first = await firstEventAfter(reader, hole)
  const isBeforeAll = first === undefined || isAfter(first, when)
  if (!isBeforeAll) return { last: undefined, knownFrom: undefined }
  return { last: undefined, knownFrom: from(first, 'trimmed') }
}

function from(event: Pick<PastEvent, 'id' | 'created_at'> | undefined, why: KnownFrom['why']): KnownFrom {
  if (event === undefined) return { eventId: null, at: null, why }
  return { eventId: event.id, at: new Date(Number(event.created_at)).toISOString(), why }
}

/** Refuses what is asked of a moment that is not known, and says from when on it is. Throws ConflictError. */
export function refuseUnknown({ at, why }: KnownFrom): never {
  const since = at === null ? 'only as it is now' : `from ${at} on`
  throw new Problem('ConflictError', `What was then is not known (${why}): it is known ${since}.`)
}
