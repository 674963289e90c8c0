import type { StoredEvent } from '@burgee/storage/queries/events/events'

/** Data of a document that events have changed and that must be read again. */
export interface PendingReads {
  /** Names of the flags to read, or 'all' for the whole environment. */
  readonly flags: ReadonlySet<string> | 'all'
  readonly segments: boolean
  /** Id of the last event that changed this data; 0 if there is none. */
  readonly revisionId: number
}

/** Value if there is nothing to read again. */
export const NOTHING_PENDING: PendingReads = { flags: new Set(), segments: false, revisionId: 0 }

/** Value if the whole environment must be read again. */
export const ALL_PENDING: PendingReads = { flags: 'all', segments: true, revisionId: 0 }

/** Types of events that change segments but no flag. */
const SEGMENT_EVENTS: ReadonlySet<string> = new Set(['segment-created', 'segment-updated'])

/** Returns the data to read again after an event: the flag of the event, all segments, or everything. */
export function getReads({ id, type, featureName }: StoredEvent): PendingReads {
  if (featureName !== null) return { flags: new Set([featureName]), segments: false, revisionId: id }
  if (SEGMENT_EVENTS.has(type)) return { flags: new Set(), segments: true, revisionId: id }
  return { ...ALL_PENDING, revisionId: id }
}

/** Merges several sets of data to read again. */
export function mergeReads(all: readonly PendingReads[]): PendingReads {
  const together = new GatheredReads()
  for (const one of all) together.add(one)
  return together.take()
}

/** Accumulates the data to read again until `take` is called. Adding does not copy earlier data. */
export class GatheredReads {
  readonly #maxFlags: number
  #flags: Set<string> | 'all' = new Set()
  #segments = false
  #revisionId = 0

  /** @param mostFlags maximum number of flag names; a larger set is replaced by 'all' */
  constructor(mostFlags: number = Number.POSITIVE_INFINITY) {
    this.#maxFlags = mostFlags
  }

  /** True if there is anything to read. */
  get isPending(): boolean {
    return this.#segments || this.#flags === 'all' || this.#flags.size > 0
  }

  add({ flags, segments, revisionId }: PendingReads): void {
    this.#segments ||= segments
    this.#revisionId = Math.max(this.#revisionId, revisionId)
    if (this.#flags === 'all') return
    if (flags === 'all') {
      this.#flags = 'all'
      return
    }
    for (const name of flags) this.#flags.add(name)
    if (this.#flags.size > this.#maxFlags) this.#flags = 'all'
  }

  /** Returns the accumulated data to read again, and clears it. */
  take(): PendingReads {
    const taken = { flags: this.#flags, segments: this.#segments, revisionId: this.#revisionId }
    this.#flags = new Set()
    this.#segments = false
    this.#revisionId = 0
    return taken
  }
}
