import type { Logger } from '@burgee/kit/logger'
import { type MetricsBucket, type MetricsPayload, splitPayload } from './metrics.ts'

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
  readonly clock: () => number
  readonly logger: Logger
  /** Hears of each failed request. */
  readonly onFailure: (kind: 'metrics' | 'register') => void
}

const MOST_SLOWDOWN = 10
const MOST_TOGGLES_PER_POST = 2000

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
  #deliveredAtMs: number | undefined

  constructor(deps: ReporterDeps) {
    this.#deps = deps
  }

  /** Whether `start` was called. */
  get isStarted(): boolean {
    return this.#timer !== undefined
  }

  /** When metrics were last delivered, in milliseconds since 1970. */
  get deliveredAtMs(): number | undefined {
    return this.#deliveredAtMs
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
      this.#deps.onFailure('register')
      this.#deps.logger.debug('Could not register with the upstream; will try again', error)
    }
  }

  async #flush(): Promise<void> {
    const payload = this.#deps.bucket.take()
    if (payload === undefined) return
    const parts = splitPayload(payload, MOST_TOGGLES_PER_POST)
    for (const [index, part] of parts.entries()) {
      try {
        await this.#deps.sink.send(part)
        this.#succeeded()
      } catch (error) {
        for (const rest of parts.slice(index)) this.#deps.bucket.restore(rest)
        this.#failed(error)
        return
      }
    }
  }

  #succeeded(): void {
    this.#deliveredAtMs = this.#deps.clock()
    if (this.#failures > 0)
      this.#deps.logger.warn(`Metrics are delivered again, after ${this.#failures} failed attempts`)
    this.#failures = 0
  }

  #failed(error: unknown): void {
    this.#failures += 1
    this.#deps.onFailure('metrics')
    if (this.#failures === 1) this.#deps.logger.error('Cannot deliver metrics to the upstream; they are kept', error)
  }
}
