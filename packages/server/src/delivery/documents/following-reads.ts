import { getBackoffMs } from '@burgee/kit/backoff'
import type { Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { Touch } from '@burgee/serving/document/touch-log'
import { classifyDbError, formatDbError } from '@burgee/storage/errors'
import type { StoredEvent } from '@burgee/storage/queries/events/events'

/** Data in a document that events have changed and that must be read again. */
export interface PendingReads {
  /** Names of the flags to read, or 'all' for the whole environment. */
  readonly flags: ReadonlySet<string> | 'all'
  readonly segments: boolean
  /** Id of the last event that changed the data; 0 if there is none. */
  readonly revisionId: number
}

/** Pending reads for a document that is up to date. */
export const NOTHING_PENDING: PendingReads = { flags: new Set(), segments: false, revisionId: 0 }

/** Pending reads for a document whose whole environment must be read again. */
export const ALL_PENDING: PendingReads = { flags: 'all', segments: true, revisionId: 0 }

/** Types of events that change segments but no flag. */
const SEGMENT_EVENTS: ReadonlySet<string> = new Set(['segment-created', 'segment-updated'])

/** Returns the data that must be read again after an event: the event's flag, all segments, or everything. */
export function getReads({ id, type, featureName }: StoredEvent): PendingReads {
  if (featureName !== null) return { flags: new Set([featureName]), segments: false, revisionId: id }
  if (SEGMENT_EVENTS.has(type)) return { flags: new Set(), segments: true, revisionId: id }
  return { ...ALL_PENDING, revisionId: id }
}

/** Merges several sets of data that must be read again. */
export function mergeReads(all: readonly PendingReads[]): PendingReads {
  const together = new GatheredReads()
  for (const one of all) together.add(one)
  return together.take()
}

/**
 * Returns the flags and projects that an event affects, and the kind of its effect: single flags, segments or
 * everything.
 */
export function getTouch(event: StoredEvent): Touch {
  const { id, featureName: flag, project, data, preData } = event
  const projects = [project, ...listProjects(data), ...listProjects(preData)].filter((one) => typeof one === 'string')
  const { flags, segments } = getReads(event)
  const touched = new Map(flag === null ? [] : [[flag, projects]])
  return { id, flags: touched, scope: flags === 'all' ? 'all' : segments ? 'segments' : 'flags' }
}

/** Returns the projects named in an event's state; if a flag was moved between projects, also the previous project. */
function listProjects(state: unknown): unknown[] {
  if (typeof state !== 'object' || state === null) return []
  return ['oldProject', 'newProject', 'project'].map((key) => (state as Record<string, unknown>)[key])
}

/** Data that is read again when events change it, and the function that reads it. */
export interface FollowedData {
  /** Name of the data in log lines, such as 'The flags of the environment "x"'. */
  readonly what: string
  readonly clock: () => number
  readonly logger: Logger
  /** Returns true if the data has been read before, so that it is used even while the database is unavailable. */
  readonly isInUse: () => boolean
  /** Reads and applies the data. Rejects on database errors; the caller then retries. */
  readonly read: (reads: PendingReads) => Promise<void>
  /** Maximum number of flags to read by name. If more flags have changed, everything is read. Unlimited by default. */
  readonly maxFlags?: number | undefined
}

const RETRIES = { firstMs: 250, maxMs: 5000 }

/**
 * Reads data that events have changed, with one query at a time. A request that arrives during a query is served by the
 * next query. A failed query is retried until it succeeds.
 */
export class FollowingReads {
  readonly #following: FollowedData
  readonly #pending: GatheredReads
  #reading: Promise<void> | undefined
  #behindSinceMs: number | undefined
  #retry: NodeJS.Timeout | undefined
  readonly #outage: OutageLog
  #isClosed = false

  /** @param first data that is read first */
  constructor(following: FollowedData, first: PendingReads) {
    this.#following = following
    this.#pending = new GatheredReads(following.maxFlags)
    this.#pending.add(first)
    const { logger, what } = following
    this.#outage = new OutageLog({
      begins: (error) => this.#logFailure(error),
      ends: () => logger.info(`${what} are up to date again`),
    })
  }

  /**
   * Time of the oldest change that has not been read, in milliseconds since 1970; undefined if all changes have been
   * read.
   */
  get behindSinceMs(): number | undefined {
    return this.#behindSinceMs
  }

  /** True if all changes have been read and no query is running. */
  get isCurrent(): boolean {
    return this.#reading === undefined && !this.#pending.isPending
  }

  /** Records data that must be read, without starting a query. */
  record(reads: PendingReads): void {
    this.#pending.add(reads)
    if (this.#pending.isPending) this.#behindSinceMs ??= this.#following.clock()
  }

  /**
   * Records data that must be read, and resolves once the query for it has finished or failed. Starts the query only if
   * data has been read before; until then, only `run` starts queries. Never rejects.
   */
  async request(reads: PendingReads): Promise<void> {
    this.record(reads)
    if (!this.#following.isInUse() && this.#reading === undefined) return
    await this.run().catch(() => {})
  }

  /** Reads the recorded data. Rejects if the database cannot be read. */
  run(): Promise<void> {
    this.#reading ??= this.#readPending().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Stops reading. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await this.#reading?.catch(() => {})
  }

  async #readPending(): Promise<void> {
    clearTimeout(this.#retry)
    while (this.#pending.isPending && !this.#isClosed) {
      const reads = this.#pending.take()
      try {
        await this.#following.read(reads)
      } catch (error) {
        this.#pending.add(reads)
        this.#failed(error)
        throw error
      }
    }
    this.#outage.succeed()
    this.#behindSinceMs = undefined
  }

  /** Schedules a retry. */
  #failed(error: unknown): void {
    this.#outage.fail(error)
    const retryMs = getBackoffMs(RETRIES, this.#outage.failures)
    // before the first successful query, callers retry themselves
    if (this.#following.isInUse() && !this.#isClosed) {
      this.#retry = setTimeout(() => void this.run().catch(() => {}), retryMs).unref()
    }
  }

  #logFailure(error: unknown): void {
    const { logger, what, isInUse } = this.#following
    const line = isInUse() ? `${what} cannot be read; keeping the current ones` : `${what} cannot be read`
    if (classifyDbError(error) === 'other') logger.warn(line, error)
    else logger.warn(`${line}: ${formatDbError(error)}`)
  }
}

/**
 * Collects the data that must be read again until `take` is called. Adding to the collection does not copy earlier
 * data.
 */
class GatheredReads {
  readonly #maxFlags: number
  #flags: Set<string> | 'all' = new Set()
  #segments = false
  #revisionId = 0

  /** @param maxFlags maximum number of flag names; a larger set is replaced by 'all' */
  constructor(maxFlags: number = Number.POSITIVE_INFINITY) {
    this.#maxFlags = maxFlags
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

  /** Returns the collected data and clears the collection. */
  take(): PendingReads {
    const taken = { flags: this.#flags, segments: this.#segments, revisionId: this.#revisionId }
    this.#flags = new Set()
    this.#segments = false
    this.#revisionId = 0
    return taken
  }
}
