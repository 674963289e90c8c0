import type { FlagMoment, FlagThen, KnownFrom, SegmentThen } from '@burgee/protocol/administration/flag-history'
import type { Tag } from '@burgee/protocol/event'
import type { Reader } from '../../store/database.ts'
import {
  lastTagsBefore,
  type PastEvent,
  pastOfFlag,
  pastOfTypes,
  SEGMENT_EVENTS,
  SHARED_EVENTS,
} from '../../store/events/past-events.ts'
import { readFlagRecords } from '../../store/features/flag-records.ts'
import { removedUpTo } from '../../store/retention/old-events.ts'
import { type SegmentRow, segmentsWithIds } from '../../store/targeting/segments.ts'
import { allEnvironments } from '../../store/transfer/state-reads.ts'
import { flagThen, isSame, Misfit, requireFit, requireTold, Untold } from './flag-then.ts'
import { goBack, type ReadStretch, type When } from './moment.ts'
import { beforeOwn } from './undo-own.ts'
import { beforeShared, isLostBy, TAG_LOSSES } from './undo-shared.ts'

/**
 * Reconstructs a flag at a moment, with the segments that it used then. The flag may have been deleted since, or may
 * not have existed yet.
 */
export async function flagAt(reader: Reader, name: string, when: When): Promise<FlagMoment> {
  const { flag, last, knownFrom } = await flagAloneAt(reader, name, when)
  if (knownFrom !== undefined) return { ...NOTHING, isKnown: false, knownFrom }
  const segments = await segmentsAt(reader, segmentsOf(flag), when)
  // events of other projects are not disclosed
  const told = last === undefined || (last.project !== null && last.project !== flag?.project) ? undefined : last
  const at = told === undefined ? null : new Date(Number(told.created_at)).toISOString()
  return {
    ...{ eventId: told?.id ?? null, at, isKnown: true, flag: flag && (await inOrder(reader, flag)) },
    ...{ segments: segments.known, untoldSegments: segments.untold, knownFrom: segments.knownFrom ?? null },
  }
}

/** Flag at a moment; null if it did not exist. If `knownFrom` is set, the state is unknown. */
export interface FlagAlone {
  readonly flag: FlagThen | null
  readonly last: PastEvent | undefined
  readonly knownFrom: KnownFrom | undefined
}

/**
 * Reconstructs a flag at a moment, without its segments, by undoing the later events. The result is exact or reported
 * as unknown.
 */
export async function flagAloneAt(reader: Reader, name: string, when: When): Promise<FlagAlone> {
  const [record] = await readFlagRecords(reader, [name])
  let flag = record === undefined ? null : flagThen(record)
  const tags = tagsBefore(reader, name)
  const before = (event: PastEvent): Promise<FlagThen | null> => beforeOf(flag, event, tags)
  const { last, beginning, knownFrom } = await goBack(reader, when, {
    read: ofFlagAndShared(reader, name),
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

const NOTHING = { eventId: null, at: null, flag: null, segments: [], untoldSegments: [] }

async function beforeOf(flag: FlagThen | null, event: PastEvent, tags: TagsAt): Promise<FlagThen | null> {
  if (event.feature_name !== null) return beforeOwn(flag, event)
  return beforeShared(flag, event, (_flag, { id }) => tags(id))
}

type TagsAt = (before: number) => Promise<readonly Tag[] | undefined>

/**
 * Returns a function that returns the tags of a flag right before an event. These are the tags recorded by the flag's
 * previous event, without the tags deleted since then. Call the function from newer to older events, so that it queries
 * deleted tags once for each event of the flag.
 */
function tagsBefore(reader: Reader, name: string): TagsAt {
  let known: Awaited<ReturnType<typeof lossesBefore>> | undefined
  return async (before) => {
    if (known === undefined || known.id >= before) known = await lossesBefore(reader, name, before)
    const { tags, losses } = known
    return tags?.filter((tag) => !losses.some((event) => event.id < before && isLostBy(event, tag)))
  }
}

/**
 * Returns the last event of a flag before another event, with the flag's tags at that event and the later events that
 * deleted tags. The id is 0 if there is no such event.
 */
async function lossesBefore(reader: Reader, name: string, before: number) {
  const last = await lastTagsBefore(reader, name, before)
  if (last === undefined) return { id: 0, tags: undefined, losses: [] }
  // the log was trimmed beyond this event, which was preserved for another purpose
  if (last.id <= (await removedUpTo(reader))) throw new Untold('trimmed')
  if (last.tags.length === 0) return { ...last, losses: [] }
  const losses = await pastOfTypes(reader, TAG_LOSSES, { after: last.id, before, limit: MOST_LOSSES })
  requireTold(losses.length < MOST_LOSSES)
  return { ...last, losses }
}

const MOST_LOSSES = 1000

/** Returns a function that reads the events of a flag and the events that affect several flags, sorted together. */
function ofFlagAndShared(reader: Reader, name: string): ReadStretch {
  return async (stretch) => {
    const [own, shared] = [await pastOfFlag(reader, name, stretch), await pastOfTypes(reader, SHARED_EVENTS, stretch)]
    return [...own, ...shared].sort((a, b) => b.id - a.id).slice(0, stretch.limit)
  }
}

/** Sorts the environments of a flag as they are ordered now; removed environments come last, by name. */
async function inOrder(reader: Reader, flag: FlagThen): Promise<FlagThen> {
  const places = new Map((await allEnvironments(reader)).map(({ name }, index) => [name, index]))
  const placeOf = (name: string) => places.get(name) ?? places.size
  const environments = flag.environments.toSorted(
    (a, b) => placeOf(a.name) - placeOf(b.name) || (a.name < b.name ? -1 : 1),
  )
  return { ...flag, environments }
}

/** Returns the ids of the segments that the strategies of a flag use. */
export function segmentsOf(flag: FlagThen | null): number[] {
  const used = (flag?.environments ?? []).flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments))
  return [...new Set(used)].sort((a, b) => a - b)
}

/** Reconstructs segments at a moment. `untold` contains the ids whose state at the moment is unknown. */
export async function segmentsAt(reader: Reader, ids: readonly number[], when: When) {
  if (ids.length === 0) return { known: [], untold: [], knownFrom: undefined }
  const rows = new Map((await segmentsWithIds(reader, ids)).map((row) => [row.id, segmentThen(row)]))
  const states = new Map<number, SegmentThen | null>(ids.map((id) => [id, rows.get(id) ?? null]))
  const untold = new Set<number>()
  const { knownFrom } = await goBack(reader, when, {
    read: (stretch) => pastOfTypes(reader, SEGMENT_EVENTS, stretch),
    undo: async (event) => {
      for (const id of idsOf(event, states)) {
        if (untold.has(id)) continue
        try {
          states.set(id, segmentBefore(states.get(id) ?? null, event))
        } catch (error) {
          if (!(error instanceof Untold)) throw error
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

function segmentThen({ id, name, description, project, constraints }: SegmentRow): SegmentThen {
  return { id, name, description, project, constraints: constraints as SegmentThen['constraints'] }
}

function idsOf({ type, data, pre_data }: PastEvent, states: ReadonlyMap<number, unknown>): number[] {
  if (type === 'instance-imported') return [...states.keys()]
  const { id } = (data ?? pre_data) as { readonly id: number }
  return states.has(id) ? [id] : []
}

/** Returns the state of a segment before an event; null if it did not exist. Throws Untold. */
export function segmentBefore(segment: SegmentThen | null, { type, data, pre_data }: PastEvent): SegmentThen | null {
  if (type === 'instance-imported') throw new Untold('imported')
  if (type !== 'segment-deleted') requireFit(segment !== null && isSame(segment, segmentThen(data as SegmentRow)))
  else if (segment !== null) throw new Misfit()
  if (type === 'segment-created') return null
  requireTold(pre_data !== null)
  return segmentThen(pre_data as SegmentRow)
}
