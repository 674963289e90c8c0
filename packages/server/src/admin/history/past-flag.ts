import type { FlagHistoryPoint, FlagSnapshot, HistoryStart } from '@burgee/protocol/administration/flag-history'
import type { Reader } from '@burgee/storage/database'
import {
  listPastEventsOfTypes,
  listPastFlagEvents,
  type PastEvent,
  SHARED_EVENTS,
} from '@burgee/storage/queries/events/past-events'
import { readFlagRecords } from '@burgee/storage/queries/flags/flag-records'
import { listAllEnvironments } from '@burgee/storage/queries/transfer/state-reads'
import { toFlagSnapshot } from './flag-snapshot.ts'
import { createTagReader } from './former-tags.ts'
import { HistoryBreak } from './history-break.ts'
import { readSegmentsAt } from './past-segments.ts'
import { type PointInTime, type ReadEventRange, type Rewindable, rewind } from './point-in-time.ts'
import { rewindFlagEvent } from './rewind-flag-event.ts'
import { rewindSharedEvent, type TagsBefore } from './rewind-shared-event.ts'

/**
 * Reconstructs a flag at a point in time, with the segments that it used then. The flag may have been deleted since, or
 * may not have existed yet.
 */
export async function readFlagAt(reader: Reader, name: string, when: PointInTime): Promise<FlagHistoryPoint> {
  const { flag, last, knownFrom } = await readFlagWithoutSegmentsAt(reader, name, when)
  if (knownFrom !== undefined) return { ...NOT_EXISTING, isKnown: false, knownFrom }
  const segments = await readSegmentsAt(reader, getSegmentIds(flag), when)
  // events in other projects are not disclosed
  const isOfOtherProject = last !== undefined && last.project !== null && last.project !== flag?.project
  const shown = isOfOtherProject ? undefined : last
  const at = shown === undefined ? null : new Date(Number(shown.created_at)).toISOString()
  return {
    eventId: shown?.id ?? null,
    at,
    isKnown: true,
    flag: flag && (await sortEnvironments(reader, flag)),
    segments: segments.known,
    untoldSegments: segments.unknown,
    knownFrom: segments.knownFrom ?? null,
  }
}

/** Flag at a point in time; null if the flag did not exist. If `knownFrom` is set, the state is unknown. */
export interface FlagWithoutSegments {
  readonly flag: FlagSnapshot | null
  readonly last: PastEvent | undefined
  readonly knownFrom: HistoryStart | undefined
}

/**
 * Reconstructs a flag at a point in time, without its segments, by undoing the later events. The result is either exact
 * or reported as unknown.
 */
export async function readFlagWithoutSegmentsAt(
  reader: Reader,
  name: string,
  when: PointInTime,
): Promise<FlagWithoutSegments> {
  const [record] = await readFlagRecords(reader, [name])
  const history = new FlagRewind(reader, name, record === undefined ? null : toFlagSnapshot(record))
  const { last, beginning, knownFrom } = await rewind(reader, when, history)
  const { flag } = history
  // the flag already existed before its first recorded event
  const unknown = knownFrom ?? (flag === null ? undefined : beginning)
  return unknown === undefined
    ? { flag, last, knownFrom: undefined }
    : { flag: null, last: undefined, knownFrom: unknown }
}

const NOT_EXISTING = { eventId: null, at: null, flag: null, segments: [], untoldSegments: [] }

/** State of a flag that is rewound by undoing events one by one. */
class FlagRewind implements Rewindable {
  readonly read: ReadEventRange
  readonly #tagsBefore: TagsBefore
  #flag: FlagSnapshot | null

  constructor(reader: Reader, name: string, flag: FlagSnapshot | null) {
    this.read = createEventReader(reader, name)
    this.#tagsBefore = createTagReader(reader, name)
    this.#flag = flag
  }

  /** State before the last undone event; null if the flag did not exist. */
  get flag(): FlagSnapshot | null {
    return this.#flag
  }

  async undo(event: PastEvent): Promise<HistoryBreak | undefined> {
    const before = await this.#stateBefore(event)
    if (before instanceof HistoryBreak) return before
    this.#flag = before
    return undefined
  }

  async check(event: PastEvent): Promise<HistoryBreak | undefined> {
    const before = await this.#stateBefore(event)
    return before instanceof HistoryBreak ? before : undefined
  }

  async #stateBefore(event: PastEvent): Promise<FlagSnapshot | null | HistoryBreak> {
    if (event.feature_name !== null) return rewindFlagEvent(this.#flag, event)
    return rewindSharedEvent(this.#flag, event, this.#tagsBefore)
  }
}

/** Returns a function that reads the events of a flag and the events that affect several flags, sorted together. */
function createEventReader(reader: Reader, name: string): ReadEventRange {
  return async (range) => {
    const own = await listPastFlagEvents(reader, name, range)
    const shared = await listPastEventsOfTypes(reader, SHARED_EVENTS, range)
    return [...own, ...shared].sort((a, b) => b.id - a.id).slice(0, range.limit)
  }
}

/** Sorts the environments of a flag in their current order; removed environments come last, sorted by name. */
async function sortEnvironments(reader: Reader, flag: FlagSnapshot): Promise<FlagSnapshot> {
  const positions = new Map((await listAllEnvironments(reader)).map(({ name }, index) => [name, index]))
  const getPosition = (name: string) => positions.get(name) ?? positions.size
  const environments = flag.environments.toSorted(
    (a, b) => getPosition(a.name) - getPosition(b.name) || (a.name < b.name ? -1 : 1),
  )
  return { ...flag, environments }
}

/** Returns the ids of the segments that the strategies of a flag use. */
function getSegmentIds(flag: FlagSnapshot | null): number[] {
  const used = (flag?.environments ?? []).flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments))
  return [...new Set(used)].sort((a, b) => a - b)
}
