import type { Logger } from '@burgee/kit/log/logger'
import { classifyDbError, dbErrorLine } from '../../store/errors.ts'
import { GatheredReads, type PendingReads } from './pending-reads.ts'

/** Data to read after events. */
export interface Following {
  /** Name of the data in log lines, such as 'The flags of the environment "x"'. */
  readonly what: string
  readonly clock: () => number
  readonly logger: Logger
  /** Returns true if data has been read that stays in use while the database is unavailable. */
  readonly isInUse: () => boolean
  /** Reads and applies the data. Rejects on database errors; the same read is then retried. */
  readonly read: (reads: PendingReads) => Promise<void>
  /** Maximum number of flags to read by name; more are read as a whole. No bound by default. */
  readonly mostFlags?: number | undefined
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

/**
 * Reads data after events, one read at a time. Requests during a read are served by the next one. Retries until the
 * database can be read.
 */
export class FollowingReads {
  readonly #following: Following
  readonly #pending: GatheredReads
  #reading: Promise<void> | undefined
  #behindSinceMs: number | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  #isClosed = false

  /** @param first initial read */
  constructor(following: Following, first: PendingReads) {
    this.#following = following
    this.#pending = new GatheredReads(following.mostFlags)
    this.#pending.add(first)
  }

  /** Milliseconds since 1970 since when a change has been pending; undefined if none is. */
  get behindSinceMs(): number | undefined {
    return this.#behindSinceMs
  }

  /** True if no read is pending or running. */
  get isCurrent(): boolean {
    return this.#reading === undefined && !this.#pending.isPending
  }

  /** Records a pending read without starting it. */
  note(reads: PendingReads): void {
    this.#pending.add(reads)
    if (this.#pending.isPending) this.#behindSinceMs ??= this.#following.clock()
  }

  /**
   * Requests a read and resolves once it has finished or failed. Does not start a read unless data is in use; only
   * `run` does. Never rejects.
   */
  async ask(reads: PendingReads): Promise<void> {
    this.note(reads)
    if (!this.#following.isInUse() && this.#reading === undefined) return
    await this.run().catch(() => {})
  }

  /** Performs pending reads. Rejects if the database cannot be read. */
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
    const { logger, what } = this.#following
    if (this.#retryMs > FIRST_RETRY_MS) logger.info(`${what} are up to date again`)
    this.#retryMs = FIRST_RETRY_MS
    this.#behindSinceMs = undefined
  }

  /** Logs only the first failure of a series, and schedules a retry. */
  #failed(error: unknown): void {
    const { logger, what, isInUse } = this.#following
    if (this.#retryMs === FIRST_RETRY_MS) {
      const line = isInUse() ? `${what} cannot be read; those known before stay in use` : `${what} cannot be read`
      if (classifyDbError(error) === 'other') logger.warn(line, error)
      else logger.warn(`${line}: ${dbErrorLine(error)}`)
    }
    // before the first successful read, callers retry themselves
    if (isInUse() && !this.#isClosed) {
      this.#retry = setTimeout(() => void this.run().catch(() => {}), this.#retryMs).unref()
    }
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS)
  }
}
