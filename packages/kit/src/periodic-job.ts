import type { OutageLog } from './log/outage-log.ts'
import { startTimer } from './timer.ts'

/** Options of a periodic job. */
export interface PeriodicJobOptions {
  /** Work to repeat. A long run should check `isClosed` and end early once it is true. */
  readonly run: () => Promise<void>
  /** Milliseconds between the start of the job and its first run; 0 by default. */
  readonly firstMs?: number
  /** Milliseconds between the end of a run and the next run. */
  readonly everyMs: number
  /** Log that records when runs fail. After a failed run, the next run follows after the usual pause. */
  readonly outage: OutageLog
  /** Calls `call` once after `ms` milliseconds; the default is a timer of the process. */
  readonly startTimer?: (ms: number, call: () => void) => NodeJS.Timeout
}

/** Work that is repeated, one run at a time, until the job is closed. The job does not keep the process alive. */
export class PeriodicJob {
  readonly #options: PeriodicJobOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: PeriodicJobOptions) {
    this.#options = options
  }

  /** True once closing the job has begun. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Starts the schedule. */
  start(): void {
    const { firstMs = 0 } = this.#options
    if (firstMs === 0) this.#begin()
    else this.#schedule(firstMs)
  }

  /** Cancels further runs and waits for the current run. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(ms: number): void {
    const { startTimer: start = startTimer } = this.#options
    if (!this.#isClosed) this.#timer = start(ms, () => this.#begin()).unref()
  }

  #begin(): void {
    if (this.#isClosed) return
    this.#running = this.#run().finally(() => this.#schedule(this.#options.everyMs))
  }

  async #run(): Promise<void> {
    const { run, outage } = this.#options
    try {
      await run()
      outage.succeed()
    } catch (error) {
      outage.fail(error)
    }
  }
}
