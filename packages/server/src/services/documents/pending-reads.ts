import type { StoredEvent } from '../../store/events/events.ts'

/** Changes that a document has received and not read yet. */
export interface PendingReads {
  /** Names of the flags to read, or 'all' for the whole environment. */
  readonly flags: ReadonlySet<string> | 'all'
  readonly segments: boolean
  /** Id of the last event that requires the read; 0 if none does. */
  readonly revisionId: number
}

/** No pending reads. */
export const NOTHING_PENDING: PendingReads = { flags: new Set(), segments: false, revisionId: 0 }

/** Read of the whole environment. */
export const ALL_PENDING: PendingReads = { flags: 'all', segments: true, revisionId: 0 }

/** Types of events that change segments and no flag. */
const OF_SEGMENTS: ReadonlySet<string> = new Set(['segment-created', 'segment-updated'])

/** Returns the reads for an event that reaches an environment: its flag, the segments, or everything. */
export function readsAfter({ id, type, featureName }: StoredEvent): PendingReads {
  if (featureName !== null) return { flags: new Set([featureName]), segments: false, revisionId: id }
  if (OF_SEGMENTS.has(type)) return { flags: new Set(), segments: true, revisionId: id }
  return { ...ALL_PENDING, revisionId: id }
}

/** Merges pending reads. */
export function joined(all: readonly PendingReads[]): PendingReads {
  const together = new GatheredReads()
  for (const one of all) together.add(one)
  return together.take()
}

/** Accumulates pending reads until they are taken. Adding does not copy earlier ones. */
export class GatheredReads {
  readonly #mostFlags: number
  #flags: Set<string> | 'all' = new Set()
  #segments = false
  #revisionId = 0

  /** @param mostFlags maximum number of names; more become 'all' */
  constructor(mostFlags: number = Number.POSITIVE_INFINITY) {
    this.#mostFlags = mostFlags
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
    if (this.#flags.size > this.#mostFlags) this.#flags = 'all'
  }

  /** Returns the pending reads and clears them. */
  take(): PendingReads {
    const taken = { flags: this.#flags, segments: this.#segments, revisionId: this.#revisionId }
    this.#flags = new Set()
    this.#segments = false
    this.#revisionId = 0
    return taken
  }
}
