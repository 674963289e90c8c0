import { addJitter, getBackoffMs } from '@burgee/kit/backoff'
import type { Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { startTimer } from '@burgee/kit/timer'
import { withTimeout } from '@burgee/kit/with-timeout'
import { describeError } from '@burgee/serving/upstream/error-reason'
import type { EdgeSnapshot, EdgeStorage } from './edge-storage.ts'

/** Dependencies of a snapshot writer. */
export interface SnapshotWriterDeps {
  readonly storage: EdgeStorage
  /** Returns the node's current state. */
  readonly takeSnapshot: () => EdgeSnapshot
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly logger: Logger
  readonly monotonic: MonotonicClock
}

/** Urgency of a write: `soon` if callers depend on the change, for example on a valid token; `later` otherwise. */
export type Urgency = 'soon' | 'later'

const GATHER_MS = 1000
const INTERVAL_MS = 60_000
const LOAD_RETRIES = { firstMs: 1000, maxMs: 60_000 }

/**
 * Stores the state of a node for its next start. Writes one second after tokens change, at most once a minute after
 * flags change, and at shutdown. Only one write runs at a time, and each write stores the newest state. Nothing is
 * written until the stored state has been loaded. A failed write is retried after a minute and does not affect other
 * work. Logs when writes begin to fail and when writes work again.
 */
export class SnapshotWriter {
  readonly #deps: SnapshotWriterDeps
  #timer: { readonly handle: NodeJS.Timeout; readonly atMs: number } | undefined
  #savedAtMs = Number.NEGATIVE_INFINITY
  #isDirty = false
  #isClosed = false
  #isLoaded = false
  #saving: Promise<void> | undefined
  #loadTimer: NodeJS.Timeout | undefined
  readonly #loads: OutageLog
  readonly #writes: OutageLog

  constructor(deps: SnapshotWriterDeps) {
    this.#deps = deps
    const { logger } = deps
    this.#loads = new OutageLog({
      begins: (error) => logger.warn(`Cannot read the snapshot; retrying: ${describeError(error)}`),
      ends: () => logger.warn('Snapshot reads recovered'),
    })
    this.#writes = new OutageLog({
      begins: (error) => logger.error(`Cannot write the snapshot: ${describeError(error)}`),
      ends: () => logger.warn('Snapshot writes recovered'),
    })
  }

  /**
   * Loads the stored state and passes it to `use`. Resolves after the first attempt to load, even if it failed;
   * failures are logged and retried. Never rejects.
   */
  load(use: (kept: EdgeSnapshot) => void | Promise<void>): Promise<void> {
    return this.#load(use)
  }

  /** Records that the state has changed and schedules a write. */
  markChanged(urgency: Urgency = 'later'): void {
    if (this.#isClosed) return
    this.#isDirty = true
    if (!this.#isLoaded) return
    this.#plan(
      urgency === 'soon' ? GATHER_MS : Math.max(GATHER_MS, this.#savedAtMs + INTERVAL_MS - this.#deps.monotonic()),
    )
  }

  /**
   * Writes pending changes and closes the storage. Waits at most `limitMs` for the writes and at most `limitMs` for
   * closing. Never rejects.
   */
  async close(limitMs: number): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#loadTimer)
    clearTimeout(this.#timer?.handle)
    const last = async () => {
      await this.#saving
      await this.#save()
    }
    await withTimeout(limitMs, last()).catch(() => {})
    await withTimeout(limitMs, this.#deps.storage.close()).catch(() => {})
  }

  async #load(use: (kept: EdgeSnapshot) => void | Promise<void>): Promise<void> {
    const { storage, random } = this.#deps
    try {
      const kept = await storage.load()
      if (this.#isClosed) return
      if (kept !== undefined) await use(kept)
      this.#isLoaded = true
      if (this.#isDirty) this.markChanged('soon')
      this.#loads.succeed()
    } catch (error) {
      this.#loads.fail(error)
      if (this.#isClosed) return
      const delayMs = addJitter(getBackoffMs(LOAD_RETRIES, this.#loads.failures), random)
      this.#loadTimer = startTimer(delayMs, () => void this.#load(use))
    }
  }

  #plan(delayMs: number): void {
    const atMs = this.#deps.monotonic() + delayMs
    if (this.#timer !== undefined && this.#timer.atMs <= atMs) return
    clearTimeout(this.#timer?.handle)
    const handle = startTimer(delayMs, () => {
      this.#timer = undefined
      // if a write is in progress, it schedules the next one when it ends
      this.#saving ??= this.#save().finally(() => {
        this.#saving = undefined
        if (this.#isDirty) this.markChanged()
      })
    })
    this.#timer = { handle, atMs }
  }

  /** Writes the state if it has changed. Never rejects. */
  async #save(): Promise<void> {
    if (!this.#isDirty || !this.#isLoaded) return
    const { storage, takeSnapshot, monotonic } = this.#deps
    this.#isDirty = false
    this.#savedAtMs = monotonic()
    try {
      await storage.save(takeSnapshot())
      this.#writes.succeed()
    } catch (error) {
      this.#isDirty = true
      this.#writes.fail(error)
    }
  }
}
