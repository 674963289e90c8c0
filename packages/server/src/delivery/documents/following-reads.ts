import type { Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import { classifyDbError, formatDbError } from '@burgee/storage/errors'
import { GatheredReads, type PendingReads } from './pending-reads.ts'

/** Data that is read again when events change it, and the function that reads it. */
export interface FollowedData {
  /** Name of the data in log lines, such as 'The flags of the environment "x"'. */
  readonly what: string
  readonly clock: () => number
  readonly logger: Logger
  /** Returns true if data has been read and is used even while the database is unavailable. */
  readonly isInUse: () => boolean
  /** Reads and applies the data. Rejects on database errors; the caller then retries. */
  readonly read: (reads: PendingReads) => Promise<void>
  /** Maximum number of flags to read by name. If more flags have changed, all data is read. Unlimited by default. */
  readonly maxFlags?: number | undefined
}

const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 5000

/**
 * Reads data that events have changed, with one query at a time. A request that arrives during a query is served by the
 * next query. Failed queries are retried until they succeed.
 */
export class FollowingReads {
  readonly #following: FollowedData
  readonly #pending: GatheredReads
  #reading: Promise<void> | undefined
  #behindSinceMs: number | undefined
  #retry: NodeJS.Timeout | undefined
  readonly #outage: OutageLog
  #isClosed = false

  /** @param first data to read first */
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

  /** Records data to read, without starting a query. */
  record(reads: PendingReads): void {
    this.#pending.add(reads)
    if (this.#pending.isPending) this.#behindSinceMs ??= this.#following.clock()
  }

  /**
   * Requests data to be read, and resolves once the query has finished or failed. Starts a query only if data is
   * already in use; otherwise only `run` starts one. Never rejects.
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
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** this.#outage.failures, MAX_RETRY_MS)
    this.#outage.fail(error)
    // before the first successful query, callers retry themselves
    if (this.#following.isInUse() && !this.#isClosed) {
      this.#retry = setTimeout(() => void this.run().catch(() => {}), retryMs).unref()
    }
  }

  #logFailure(error: unknown): void {
    const { logger, what, isInUse } = this.#following
    const line = isInUse() ? `${what} cannot be read; those known before stay in use` : `${what} cannot be read`
    if (classifyDbError(error) === 'other') logger.warn(line, error)
    else logger.warn(`${line}: ${formatDbError(error)}`)
  }
}
