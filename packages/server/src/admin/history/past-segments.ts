import type { SegmentSnapshot } from '@burgee/protocol/administration/flag-history'
import type { Reader } from '@burgee/storage/database'
import { listPastEventsOfTypes, type PastEvent, SEGMENT_EVENTS } from '@burgee/storage/queries/events/past-events'
import { listSegmentsByIds, type SegmentRow } from '@burgee/storage/queries/targeting/segments'
import { isSame } from './flag-snapshot.ts'
import { GAP, HistoryBreak, IMPORTED, MISMATCH } from './history-break.ts'
import { type PointInTime, type ReadEventRange, type Rewindable, rewind } from './point-in-time.ts'

/**
 * Reconstructs segments at a point in time. `unknown` contains the ids of segments whose state at that time is unknown.
 */
export async function readSegmentsAt(reader: Reader, ids: readonly number[], when: PointInTime) {
  if (ids.length === 0) return { known: [], unknown: [], knownFrom: undefined }
  const history = new SegmentRewind(reader, ids, (await listSegmentsByIds(reader, ids)).map(toSegmentSnapshot))
  const { knownFrom } = await rewind(reader, when, history)
  if (knownFrom !== undefined) return { known: [], unknown: [...ids], knownFrom }
  const { known } = history
  return { known, unknown: ids.filter((id) => !known.some((one) => one.id === id)), knownFrom: undefined }
}

/**
 * States of segments that are rewound by undoing events one by one. If the history of one segment is not known, the
 * other segments are not affected.
 */
class SegmentRewind implements Rewindable {
  readonly read: ReadEventRange
  readonly #states: Map<number, SegmentSnapshot | null>
  readonly #unknown = new Set<number>()

  constructor(reader: Reader, ids: readonly number[], current: readonly SegmentSnapshot[]) {
    this.read = (range) => listPastEventsOfTypes(reader, SEGMENT_EVENTS, range)
    const byId = new Map(current.map((segment) => [segment.id, segment]))
    this.#states = new Map(ids.map((id) => [id, byId.get(id) ?? null]))
  }

  /** Segments that existed at that time and whose state is known. */
  get known(): SegmentSnapshot[] {
    return [...this.#states].flatMap(([id, state]) => (state === null || this.#unknown.has(id) ? [] : [state]))
  }

  async undo(event: PastEvent): Promise<undefined> {
    for (const id of this.#affectedIds(event)) {
      if (this.#unknown.has(id)) continue
      const before = undoSegmentEvent(this.#states.get(id) ?? null, event)
      if (before instanceof HistoryBreak) this.#unknown.add(id)
      else this.#states.set(id, before)
    }
  }

  async check(): Promise<undefined> {}

  #affectedIds({ type, data, pre_data }: PastEvent): number[] {
    if (type === 'instance-imported') return [...this.#states.keys()]
    const { id } = (data ?? pre_data) as { readonly id: number }
    return this.#states.has(id) ? [id] : []
  }
}

function toSegmentSnapshot({ id, name, description, project, constraints }: SegmentRow): SegmentSnapshot {
  return { id, name, description, project, constraints: constraints as SegmentSnapshot['constraints'] }
}

/** Returns the state of a segment before an event; null if the segment did not exist. */
function undoSegmentEvent(
  segment: SegmentSnapshot | null,
  { type, data, pre_data }: PastEvent,
): SegmentSnapshot | null | HistoryBreak {
  if (type === 'instance-imported') return IMPORTED
  const isAsRecorded =
    type === 'segment-deleted'
      ? segment === null
      : segment !== null && isSame(segment, toSegmentSnapshot(data as SegmentRow))
  if (!isAsRecorded) return MISMATCH
  if (type === 'segment-created') return null
  return pre_data === null ? GAP : toSegmentSnapshot(pre_data as SegmentRow)
}
