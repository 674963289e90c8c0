import { getBackoffMs } from '../backoff.ts'
import type { Logger } from '../log/logger.ts'
import type { MonotonicClock } from '../monotonic-clock.ts'
import { startTimer } from '../timer.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { PlainChannel } from './messages.ts'

/** A worker process. */
export interface WorkerProcess<Own extends PlainChannel = PlainChannel> {
  readonly channel: Own
  /** Resolves once the process accepts connections. Rejects if the process exits first. */
  readonly open: Promise<void>
  /** Resolves when the process has exited, with its exit code or signal. */
  readonly ended: Promise<string>
  /** Makes the process finish requests in flight and then exit. */
  stop(): void
  /** Kills the process at once. */
  kill(): void
}

/** Dependencies of a worker pool. */
export interface WorkerPoolDeps<Own extends PlainChannel = PlainChannel> {
  readonly count: number
  readonly fork: () => WorkerProcess<Own>
  /**
   * Called for each new worker, before it sends anything. The function that it returns is called when the worker has
   * exited.
   */
  readonly join: (channel: Own) => () => void
  readonly logger: Logger
  readonly monotonic: MonotonicClock
  /**
   * Time in milliseconds within which workers must finish requests and deliver their counts. Workers that take longer
   * are killed.
   */
  readonly stopLimitMs: number
}

const REPLACEMENT_DELAYS = { firstMs: 100, maxMs: 10_000 }
/**
 * Age in milliseconds from which a worker is considered healthy. If an older worker exits, this does not count as a
 * failed start.
 */
const HEALTHY_AGE_MS = 10_000

/**
 * Keeps a fixed number of worker processes running. A worker that exits is replaced. If replacements keep exiting soon
 * after their start, the delay before the next replacement grows each time.
 */
export class WorkerPool<Own extends PlainChannel = PlainChannel> {
  readonly #deps: WorkerPoolDeps<Own>
  readonly #processes = new Set<WorkerProcess<Own>>()
  #replacements = 0
  /** Number of consecutive workers that exited soon after their start, plus 1. */
  #earlyEnds = 1
  #isDraining = false

  constructor(deps: WorkerPoolDeps<Own>) {
    this.#deps = deps
  }

  /** Number of running workers. */
  get size(): number {
    return this.#processes.size
  }

  /** Number of workers that were started to replace an exited worker. */
  get replacements(): number {
    return this.#replacements
  }

  /**
   * Starts the first worker alone, and then all others at once. Rejects if the first worker fails, because the others
   * would fail as well.
   */
  async start(): Promise<void> {
    try {
      await this.#startOne()
      await Promise.all(Array.from({ length: this.#deps.count - 1 }, () => this.#startOne()))
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Stops replacing workers, in preparation for shutdown. */
  drain(): void {
    this.#isDraining = true
  }

  /** Stops all workers and resolves when they have exited. Kills workers that do not stop in time. */
  async close(): Promise<void> {
    this.#isDraining = true
    const ended = [...this.#processes].map((process) => process.ended)
    for (const process of this.#processes) process.stop()
    const limit = startTimer(this.#deps.stopLimitMs, () => this.#killAll())
    await Promise.all(ended)
    clearTimeout(limit)
  }

  #killAll(): void {
    this.#deps.logger.error(`${this.#processes.size} workers do not exit; killing them`)
    for (const process of this.#processes) process.kill()
  }

  /**
   * Starts a worker. From the time at which the worker accepts connections, it is replaced if it exits, even while
   * other workers are still starting.
   */
  async #startOne(): Promise<void> {
    const process = this.#fork()
    await process.open
    this.#guard(process)
  }

  #fork(): WorkerProcess<Own> {
    const process = this.#deps.fork()
    const leave = this.#deps.join(process.channel)
    watchHeartbeat(process, this.#deps.logger)
    this.#processes.add(process)
    void process.ended.then(() => {
      this.#processes.delete(process)
      leave()
    })
    return process
  }

  #guard(process: WorkerProcess<Own>): void {
    const since = this.#deps.monotonic()
    void process.ended.then((how) => {
      if (this.#isDraining) return
      this.#deps.logger.error(`A worker exited (${how}); starting another one`)
      const age = this.#deps.monotonic() - since
      this.#earlyEnds = age >= HEALTHY_AGE_MS ? 1 : this.#earlyEnds + 1
      startTimer(getBackoffMs(REPLACEMENT_DELAYS, this.#earlyEnds), () => this.#replace())
    })
  }

  #replace(): void {
    if (this.#isDraining) return
    this.#replacements += 1
    const process = this.#fork()
    // `#guard` handles the exit of a worker, whether or not it had begun to accept connections
    process.open.catch(() => {})
    this.#guard(process)
  }
}
