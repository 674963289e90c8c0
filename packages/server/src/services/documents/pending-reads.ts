import type { StoredEvent } from '../../store/events/events.ts'

/** What a document has heard of and not read yet. */
export interface PendingReads {
  /** Flags by name; 'all' where the whole environment is to be read. */
  readonly flags: ReadonlySet<string> | 'all'
  readonly segments: boolean
  /** Of the last event that asked for it; 0 where no event did. */
  readonly revisionId: number
}

/** Nothing is to be read. */
export const NOTHING_PENDING: PendingReads = { flags: new Set(), segments: false, revisionId: 0 }

/** Everything is to be read. */
export const ALL_PENDING: PendingReads = { flags: 'all', segments: true, revisionId: 0 }

/** Events that change segments and no flag. */
const OF_SEGMENTS: ReadonlySet<string> = new Set(['segment-created', 'segment-updated'])

/** What is to be read after an event that reaches an environment: its flag, the segments, or everything. */
export function readsAfter({ id, type, featureName }: StoredEvent): PendingReads {
  if (featureName !== null) return { flags: new Set([featureName]), segments: false, revisionId: id }
  if (OF_SEGMENTS.has(type)) return { flags: new Set(), segments: true, revisionId: id }
  return { ...ALL_PENDING, revisionId: id }
}

/** All of them together. */
export function joined(all: readonly PendingReads[]): PendingReads {
  const together = new GatheredReads()
  for (const one of all) together.add(one)
  return together.take()
}

/** What is to be read, gathered until somebody reads it; it grows by what is added, and copies nothing of what waits. */
export class GatheredReads {
  readonly #mostFlags: number
  #flags: Set<string> | 'all' = new Set()
  #segments = false
  #revisionId = 0

  /** @param mostFlags more of them are all */
  constructor(mostFlags: number = Number.POSITIVE_INFINITY) {
    this.#mostFlags = mostFlags
  }

  /** Whether there is anything to read. */
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

  /** Gives it away; nothing is pending then. */
  take(): PendingReads {
    const taken = { flags: this.#flags, segments: this.#segments, revisionId: this.#revisionId }
    this.#flags = new Set()
    this.#segments = false
    this.#revisionId = 0
    return taken
  }
}
