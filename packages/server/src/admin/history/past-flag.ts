import type {
  FlagHistoryPoint,
  FlagSnapshot,
  HistoryStart,
  SegmentSnapshot,
} from '@burgee/protocol/administration/flag-history'
import type { Tag } from '@burgee/protocol/event'
import type { Reader } from '@burgee/storage/database'
import {
  findLastTagsBefore,
  listPastEventsOfTypes,
  listPastFlagEvents,
  type PastEvent,
  SEGMENT_EVENTS,
  SHARED_EVENTS,
} from '@burgee/storage/queries/events/past-events'
import { readFlagRecords } from '@burgee/storage/queries/flags/flag-records'
import { readRemovedUpTo } from '@burgee/storage/queries/retention/old-events'
import { listSegmentsByIds, type SegmentRow } from '@burgee/storage/queries/targeting/segments'
import { listAllEnvironments } from '@burgee/storage/queries/transfer/state-reads'
import { HistoryGap, HistoryMismatch, isSame, requireMatch, requireRecorded, toFlagSnapshot } from './flag-snapshot.ts'
import { type PointInTime, type ReadEventRange, rewind } from './point-in-time.ts'
import { undoOwnEvent } from './undo-own.ts'
import { isLostBy, TAG_LOSSES, undoSharedEvent } from './undo-shared.ts'

/**
 * Reconstructs a flag at a moment, with the segments that it used then. The flag may have been deleted since, or may
 * not have existed yet.
 */
export async function readFlagAt(reader: Reader, name: string, when: PointInTime): Promise<FlagHistoryPoint> {
  const { flag, last, knownFrom } = await readFlagWithoutSegmentsAt(reader, name, when)
  if (knownFrom !== undefined) return { ...NOT_EXISTING, isKnown: false, knownFrom }
  const segments = await readSegmentsAt(reader, getSegmentIds(flag), when)
  // events of other projects are not disclosed
  const told = last === undefined || (last.project !== null && last.project !== flag?.project) ? undefined : last
  const at = told === undefined ? null : new Date(Number(told.created_at)).toISOString()
  return {
    eventId: told?.id ?? null,
    at,
    isKnown: true,
    flag: flag && (await sortEnvironments(reader, flag)),
    segments: segments.known,
    untoldSegments: segments.untold,
    knownFrom: segments.knownFrom ?? null,
  }
}

/** Flag at a moment; null if it did not exist. If `knownFrom` is set, the state is unknown. */
export interface FlagWithoutSegments {
  readonly flag: FlagSnapshot | null
  readonly last: PastEvent | undefined
  readonly knownFrom: HistoryStart | undefined
}

/**
 * Reconstructs a flag at a moment, without its segments, by undoing the later events. The result is exact or reported
 * as unknown.
 */
export async function readFlagWithoutSegmentsAt(
  reader: Reader,
  name: string,
  when: PointInTime,
): Promise<FlagWithoutSegments> {
  const [record] = await readFlagRecords(reader, [name])
  let flag = record === undefined ? null : toFlagSnapshot(record)
  const tags = createTagReader(reader, name)
  const before = (event: PastEvent): Promise<FlagSnapshot | null> => undoEvent(flag, event, tags)
  const { last, beginning, knownFrom } = await rewind(reader, when, {
    read: createEventReader(reader, name),
    undo: async (event) => {
      flag = await before(event)
    },
    check: async (event) => {
      await before(event)
    },
  })
  // the flag existed before its first recorded event
  const unknown = knownFrom ?? (flag === null ? undefined : beginning)
  return unknown === undefined
    ? { flag, last, knownFrom: undefined }
    : { flag: null, last: undefined, knownFrom: unknown }
}

const NOT_EXISTING = { eventId: null, at: null, flag: null, segments: [], untoldSegments: [] }

async function undoEvent(flag: FlagSnapshot | null, event: PastEvent, tags: TagsAt): Promise<FlagSnapshot | null> {
  if (event.feature_name !== null) return undoOwnEvent(flag, event)
  return undoSharedEvent(flag, event, (_flag, { id }) => tags(id))
}

type TagsAt = (before: number) => Promise<readonly Tag[] | undefined>

/**
 * Returns a function that returns the tags of a flag right before an event. These are the tags recorded by the flag's
 * previous event, without the tags deleted since then. Call the function from newer to older events, so that it queries
 * deleted tags once for each event of the flag.
 */
function createTagReader(reader: Reader, name: string): TagsAt {
  let known: Awaited<ReturnType<typeof readTagLosses>> | undefined
  return async (before) => {
    if (known === undefined || known.id >= before) known = await readTagLosses(reader, name, before)
    const { tags, losses } = known
    return tags?.filter((tag) => !losses.some((event) => event.id < before && isLostBy(event, tag)))
  }
}

/**
 * Returns the last event of a flag before another event, with the flag's tags at that event and the later events that
 * deleted tags. The id is 0 if there is no such event.
 */
async function readTagLosses(reader: Reader, name: string, before: number) {
  const last = await findLastTagsBefore(reader, name, before)
  if (last === undefined) return { id: 0, tags: undefined, losses: [] }
  // the log was trimmed beyond this event, which was preserved for another purpose
  if (last.id <= (await readRemovedUpTo(reader))) throw new HistoryGap('trimmed')
  if (last.tags.length === 0) return { ...last, losses: [] }
  const losses = await listPastEventsOfTypes(reader, TAG_LOSSES, { after: last.id, before, limit: MAX_LOSSES })
  requireRecorded(losses.length < MAX_LOSSES)
  return { ...last, losses }
}

const MAX_LOSSES = 1000

/** Returns a function that reads the events of a flag and the events that affect several flags, sorted together. */
function createEventReader(reader: Reader, name: string): ReadEventRange {
  return async (stretch) => {
    const [own, shared] = [
      await listPastFlagEvents(reader, name, stretch),
      await listPastEventsOfTypes(reader, SHARED_EVENTS, stretch),
    ]
    return [...own, ...shared].sort((a, b) => b.id - a.id).slice(0, stretch.limit)
  }
}

/** Sorts the environments of a flag as they are ordered now; removed environments come last, by name. */
async function sortEnvironments(reader: Reader, flag: FlagSnapshot): Promise<FlagSnapshot> {
  const places = new Map((await listAllEnvironments(reader)).map(({ name }, index) => [name, index]))
  const placeOf = (name: string) => places.get(name) ?? places.size
  const environments = flag.environments.toSorted(
    (a, b) => placeOf(a.name) - placeOf(b.name) || (a.name < b.name ? -1 : 1),
  )
  return { ...flag, environments }
}

/** Returns the ids of the segments that the strategies of a flag use. */
export function getSegmentIds(flag: FlagSnapshot | null): number[] {
  const used = (flag?.environments ?? []).flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments))
  return [...new Set(used)].sort((a, b) => a - b)
}

/** Reconstructs segments at a moment. `untold` contains the ids whose state at the moment is unknown. */
export async function readSegmentsAt(reader: Reader, ids: readonly number[], when: PointInTime) {
  if (ids.length === 0) return { known: [], untold: [], knownFrom: undefined }
  const rows = new Map((await listSegmentsByIds(reader, ids)).map((row) => [row.id, toSegmentSnapshot(row)]))
  const states = new Map<number, SegmentSnapshot | null>(ids.map((id) => [id, rows.get(id) ?? null]))
  const untold = new Set<number>()
  const { knownFrom } = await rewind(reader, when, {
    read: (stretch) => listPastEventsOfTypes(reader, SEGMENT_EVENTS, stretch),
    undo: async (event) => {
      for (const id of getAffectedIds(event, states)) {
        if (untold.has(id)) continue
        try {
          states.set(id, undoSegmentEvent(states.get(id) ?? null, event))
        } catch (error) {
          if (!(error instanceof HistoryGap)) throw error
          untold.add(id)
        }
      }
    },
    check: async () => {},
  })
  if (knownFrom !== undefined) return { known: [], untold: [...ids], knownFrom }
  const known = ids.flatMap((id) => (untold.has(id) ? [] : (states.get(id) ?? [])))
  return { known, untold: ids.filter((id) => !known.some((one) => one.id === id)), knownFrom: undefined }
}

function toSegmentSnapshot({ id, name, description, project, constraints }: SegmentRow): SegmentSnapshot {
  return { id, name, description, project, constraints: constraints as SegmentSnapshot['constraints'] }
}

function getAffectedIds({ type, data, pre_data }: PastEvent, states: ReadonlyMap<number, unknown>): number[] {
  if (type === 'instance-imported') return [...states.keys()]
  const { id } = (data ?? pre_data) as { readonly id: number }
  return states.has(id) ? [id] : []
}

/** Returns the state of a segment before an event; null if it did not exist. Throws Untold. */
export function undoSegmentEvent(
  segment: SegmentSnapshot | null,
  { type, data, pre_data }: PastEvent,
): SegmentSnapshot | null {
  if (type === 'instance-imported') throw new HistoryGap('imported')
  if (type !== 'segment-deleted')
    requireMatch(segment !== null && isSame(segment, toSegmentSnapshot(data as SegmentRow)))
  else if (segment !== null) throw new HistoryMismatch()
  if (type === 'segment-created') return null
  requireRecorded(pre_data !== null)
  return toSegmentSnapshot(pre_data as SegmentRow)
}
