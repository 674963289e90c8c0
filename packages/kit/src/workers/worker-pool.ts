import type { Logger } from '../log/logger.ts'
import type { MonotonicClock } from '../monotonic-clock.ts'
import { after } from '../timer.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { PlainChannel } from './messages.ts'

/** One worker process. */
export interface WorkerProcess<Own extends PlainChannel = PlainChannel> {
  readonly channel: Own
  /** Resolves when it takes connections. Rejects when it ends before. */
  readonly open: Promise<void>
  /** Resolves with what is known of its end: an exit code or a signal. */
  readonly ended: Promise<string>
  /** Asks it to end what is in flight and itself. */
  stop(): void
  /** Ends it at once, whatever it does. */
  kill(): void
}

/** What a pool stands on. */
export interface WorkerPoolDeps<Own extends PlainChannel = PlainChannel> {
  readonly count: number
  readonly fork: () => WorkerProcess<Own>
  /** Called for each worker before it says anything; the result when it has gone. */
  readonly join: (channel: Own) => () => void
  readonly logger: Logger
  readonly monotonic: MonotonicClock
  /** How long workers may take for their requests in flight and for handing over their counts; then they are killed. */
  readonly stopLimitMs: number
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 10_000
/** A worker that has lived so long has not failed at its start. */
const HEALTHY_AGE_MS = 10_000

/**
 * Keeps a number of worker processes alive: one that ends is replaced at once, or later and later while its successors
 * end soon after their start.
 */
export class WorkerPool<Own extends PlainChannel = PlainChannel> {
  readonly #deps: WorkerPoolDeps<Own>
  readonly #processes = new Set<WorkerProcess<Own>>()
  #replacements = 0
  #delayMs = FIRST_DELAY_MS
  #isDraining = false

  constructor(deps: WorkerPoolDeps<Own>) {
    this.#deps = deps
  }

  /** How many workers are alive. */
  get size(): number {
    return this.#processes.size
  }

  /** How many workers took the place of one that had ended. */
  get replacements(): number {
    return this.#replacements
  }

  /** Starts all of them. The first goes ahead: when it cannot start, nobody can. */
  async start(): Promise<void> {
    try {
      await this.#begin()
      await Promise.all(Array.from({ length: this.#deps.count - 1 }, () => this.#begin()))
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** The end is near: nobody is replaced from now on. */
  drain(): void {
    this.#isDraining = true
  }

  /** Ends all of them; resolves when they have gone. One that does not hear is killed. */
  async close(): Promise<void> {
    this.#isDraining = true
    const ended = [...this.#processes].map((process) => process.ended)
    for (const process of this.#processes) process.stop()
    const limit = after(this.#deps.stopLimitMs, () => this.#killAll())
    await Promise.all(ended)
    clearTimeout(limit)
  }

  #killAll(): void {
    this.#deps.logger.error(`${this.#processes.size} workers do not end and are killed`)
    for (const process of this.#processes) process.kill()
  }

  /** From the moment it takes connections it is replaced should it end, also while others still start. */
  async #begin(): Promise<void> {
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
      this.#deps.logger.error(`A worker has ended (${how}); another one takes its place`)
      const age = this.#deps.monotonic() - since
      this.#delayMs = age >= HEALTHY_AGE_MS ? FIRST_DELAY_MS : Math.min(this.#delayMs * 2, LONGEST_DELAY_MS)
      after(this.#delayMs, () => this.#replace())
    })
  }

  #replace(): void {
    if (this.#isDraining) return
    this.#replacements += 1
    const process = this.#fork()
    // its end is what matters, whether it was open or not
    process.open.catch(() => {})
    this.#guard(process)
  }
}
