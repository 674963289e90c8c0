import type { Logger } from '@burgee/kit/log/logger'
import { classifyDbError, dbErrorLine } from '../../store/errors.ts'
import { GatheredReads, type PendingReads } from './pending-reads.ts'

/** What is read after events, and how. */
export interface Following {
  /** What is read, as the log names it: 'The flags of the environment "x"'. */
  readonly what: string
  readonly clock: () => number
  readonly logger: Logger
  /** Whether something was read that stays in use while the database cannot be read. */
  readonly isInUse: () => boolean
  /** Reads, and puts in place what was read. Rejects with what the database throws; the same is read again then. */
  readonly read: (reads: PendingReads) => Promise<void>
  /** Names of more flags than these are read as all; without a bound by default. */
  readonly mostFlags?: number | undefined
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

/**
 * Reads what events ask for, one read at a time; what is asked for during one is read after it. Where the database
 * cannot be read it is tried again until it succeeds.
 */
export class FollowingReads {
  readonly #following: Following
  readonly #pending: GatheredReads
  #reading: Promise<void> | undefined
  #behindSinceMs: number | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  #isClosed = false

  /** @param first what is read at the beginning */
  constructor(following: Following, first: PendingReads) {
    this.#following = following
    this.#pending = new GatheredReads(following.mostFlags)
    this.#pending.add(first)
  }

  /** Since when something is known that is not read yet, in milliseconds since 1970; undefined where nothing is. */
  get behindSinceMs(): number | undefined {
    return this.#behindSinceMs
  }

  /** Whether everything that is known is read. */
  get isCurrent(): boolean {
    return this.#reading === undefined && !this.#pending.isPending
  }

  /** Remembers that this is to be read. */
  note(reads: PendingReads): void {
    this.#pending.add(reads)
    if (this.#pending.isPending) this.#behindSinceMs ??= this.#following.clock()
  }

  /**
   * Has read this, once it resolves, unless it cannot be read now. Reads nothing as long as nobody has asked by `run`.
   * Never rejects.
   */
  async ask(reads: PendingReads): Promise<void> {
    this.note(reads)
    if (!this.#following.isInUse() && this.#reading === undefined) return
    await this.run().catch(() => {})
  }

  /** Reads what is known and not read yet. Rejects where it cannot be read. */
  run(): Promise<void> {
    this.#reading ??= this.#readPending().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Reads nothing any more. */
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

  /** Said when it begins, not each time. */
  #failed(error: unknown): void {
    const { logger, what, isInUse } = this.#following
    if (this.#retryMs === FIRST_RETRY_MS) {
      const line = isInUse() ? `${what} cannot be read; those known before stay in use` : `${what} cannot be read`
      if (classifyDbError(error) === 'other') logger.warn(line, error)
      else logger.warn(`${line}: ${dbErrorLine(error)}`)
    }
    // before the first read, whoever asks tries again
    if (isInUse() && !this.#isClosed) {
      this.#retry = setTimeout(() => void this.run().catch(() => {}), this.#retryMs).unref()
    }
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS)
  }
}
