import type { Logger } from '@burgee/kit/logger'
import type { MetricsBucket, MetricsPayload } from './metrics.ts'

/** Where usage and registration go: an upstream over HTTP, or a server in the same process. */
export interface MetricsSink {
  register(): Promise<void>
  send(payload: MetricsPayload): Promise<void>
}

/** What a reporter needs. */
export interface ReporterDeps {
  readonly bucket: MetricsBucket
  readonly sink: MetricsSink
  readonly intervalMs: number
  readonly jitterMs: number
  readonly random: () => number
  readonly logger: Logger
}

const MOST_SLOWDOWN = 10

/**
 * Registers once and then hands the bucket over every interval. What could not be delivered goes back into the bucket
 * and is sent with the next one, later and later apart while the upstream refuses, but never given up.
 */
export class Reporter {
  readonly #deps: ReporterDeps
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #isRegistered = false
  #isStopped = false

  constructor(deps: ReporterDeps) {
    this.#deps = deps
  }

  /** Begins; the first metrics follow one interval later. Called again it does nothing. */
  start(): void {
    if (this.#timer !== undefined || this.#isStopped) return
    void this.#register()
    this.#schedule()
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#flush()
  }

  #schedule(): void {
    const { intervalMs, jitterMs, random } = this.#deps
    const jitter = jitterMs * (2 * random() - 1)
    const delay = intervalMs * Math.min(1 + this.#failures, MOST_SLOWDOWN) + jitter
    this.#timer = setTimeout(() => void this.#tick(), Math.max(delay, 1))
  }

  async #tick(): Promise<void> {
    if (!this.#isRegistered) await this.#register()
    await this.#flush()
    if (!this.#isStopped) this.#schedule()
  }

  async #register(): Promise<void> {
    try {
      await this.#deps.sink.register()
      this.#isRegistered = true
    } catch (error) {
      this.#deps.logger.debug('Could not register with the upstream; will try again', error)
    }
  }

  async #flush(): Promise<void> {
    const payload = this.#deps.bucket.take()
    if (payload === undefined) return
    try {
      await this.#deps.sink.send(payload)
      if (this.#failures > 0)
        this.#deps.logger.warn(`Metrics are delivered again, after ${this.#failures} failed attempts`)
      this.#failures = 0
    } catch (error) {
      this.#deps.bucket.restore(payload)
      this.#failures += 1
      if (this.#failures === 1) this.#deps.logger.error('Cannot deliver metrics to the upstream; they are kept', error)
    }
  }
}
