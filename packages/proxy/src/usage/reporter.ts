import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { startTimer } from '@burgee/kit/timer'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import { halveRows, splitRows } from '@burgee/serving/impact/impact-wire'
import { describeError } from '@burgee/serving/upstream/error-reason'
import { getErrorRetryAfterMs, UpstreamError } from '@burgee/serving/upstream/upstream'
import { deliver } from '@burgee/serving/usage/delivery'
import type { OwnedNames } from '@burgee/serving/usage/name-budget'
import { type MetricsBucket, type MetricsPayload, splitPayload } from './metrics-bucket.ts'

/** Destination for usage and registrations: an upstream over HTTP, or a server in the same process. */
export interface MetricsSink {
  register(): Promise<void>
  /** @param owners returns the callers to charge for the names, in case another process stores the counts */
  send(payload: MetricsPayload, owners: () => readonly OwnedNames[]): Promise<void>
  /** Sends impact metrics. */
  sendImpact(rows: readonly ImpactRow[]): Promise<void>
}

/** Dependencies of a reporter. */
export interface ReporterDeps {
  readonly bucket: MetricsBucket
  readonly sink: MetricsSink
  /** Interval of deliveries in milliseconds; 0 disables registration and delivery. */
  readonly intervalMs: number
  readonly jitterMs: number
  readonly random: () => number
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly logger: Logger
  /** Logs individual steps at debug level. */
  readonly debug?: DebugLog | undefined
  /** Called for each failed request. */
  readonly onFailure: (kind: 'metrics' | 'register') => void
}

const MAX_SLOWDOWN = 10
const MAX_TOGGLES_PER_POST = 2000
/** Maximum size of the impact metrics in a report, as JSON. */
const MAX_IMPACT_BYTES = 90 * 1024
const NOT_FOUND = 404
/** Time until impact metrics are sent again after the upstream has replied that it has no endpoint for them. */
const NO_IMPACT_MS = 3_600_000

/**
 * Registers once, and then delivers the counts in the bucket at every interval. Undelivered counts return to the bucket
 * and are sent with the next counts. While the upstream fails, the intervals grow. Outages of reporting are logged when
 * they begin and when they end.
 *
 * Counts are dropped in only one case: the upstream rejects a single toggle although it accepts other toggles.
 * Otherwise this toggle would block all other counts forever.
 */
export class Reporter {
  readonly #deps: ReporterDeps
  #timer: NodeJS.Timeout | undefined
  #isStarted = false
  readonly #deliveries: OutageLog
  readonly #impactDeliveries: OutageLog
  readonly #registrations: OutageLog
  /** Longest wait that the replies to failed requests have asked for since the last round started. */
  #retryAfterMs = 0
  #isRegistered = false
  #isStopped = false
  #deliveredAtMs: number | undefined
  #noImpactUntilMs = Number.NEGATIVE_INFINITY
  #sending: Promise<void> = Promise.resolve()

  constructor(deps: ReporterDeps) {
    this.#deps = deps
    const { logger } = deps
    this.#deliveries = new OutageLog({
      begins: (error) => logger.error(`Cannot deliver metrics to the upstream; keeping them: ${describeError(error)}`),
      ends: (failures) => logger.warn(`Delivering metrics works again, after ${failures} failed attempts`),
    })
    this.#impactDeliveries = new OutageLog({
      begins: (error) =>
        logger.error(`Cannot deliver impact metrics to the upstream; keeping them: ${describeError(error)}`),
      ends: (failures) => logger.warn(`Delivering impact metrics works again, after ${failures} failed attempts`),
    })
    this.#registrations = new OutageLog({
      begins: (error) => logger.error(`Cannot register with the upstream: ${describeError(error)}`),
      ends: (failures) => logger.warn(`Registered with the upstream, after ${failures} failed attempts`),
    })
  }

  /** True if `start` was called. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Time of the last delivery of metrics, in milliseconds since 1970. */
  get deliveredAtMs(): number | undefined {
    return this.#deliveredAtMs
  }

  /** Starts the reporter; the first metrics are sent after one interval. Does nothing if called again. */
  start(): void {
    if (this.#isStarted || this.#isStopped) return
    this.#isStarted = true
    if (this.#deps.intervalMs === 0) return
    void this.#register()
    this.#schedule()
  }

  /** Stops the reporter and sends the remaining counts. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    if (this.#deps.intervalMs > 0) await this.#flush()
    const { waitingImpact } = this.#deps.bucket
    if (waitingImpact === 0) return
    this.#deps.logger.warn(`${waitingImpact} series of impact metrics were not delivered`)
  }

  #schedule(): void {
    const { intervalMs, jitterMs, random } = this.#deps
    const jitter = jitterMs * (2 * random() - 1)
    const ownMs = intervalMs * Math.min(1 + this.#deliveries.failures, MAX_SLOWDOWN) + jitter
    this.#timer = startTimer(Math.max(ownMs, this.#retryAfterMs), () => void this.#tick())
  }

  async #tick(): Promise<void> {
    this.#retryAfterMs = 0
    if (!this.#isRegistered) await this.#register()
    await this.#flush()
    if (!this.#isStopped) this.#schedule()
  }

  async #register(): Promise<void> {
    const { sink, onFailure } = this.#deps
    try {
      await sink.register()
      this.#isRegistered = true
      this.#deps.debug?.('Registered with the upstream')
      this.#registrations.succeed()
    } catch (error) {
      // the registration has ended because of the shutdown, not because the upstream rejected it
      if (this.#isStopped) return
      onFailure('register')
      this.#applyRetryAfter(error)
      this.#registrations.fail(error)
    }
  }

  /**
   * Delivers the bucket. Deliveries run one at a time, so waiting for a delivery includes waiting for all earlier
   * deliveries.
   */
  #flush(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#round())
    return this.#sending
  }

  async #round(): Promise<void> {
    if (await this.#deliverCounts()) await this.#deliverImpact()
  }

  /** Delivers impact metrics separately, so that an upstream that rejects impact metrics still gets the counts. */
  async #deliverImpact(): Promise<void> {
    const { bucket, sink, onFailure, monotonic } = this.#deps
    const rows = bucket.takeImpact()
    if (rows.length === 0) return
    if (monotonic() < this.#noImpactUntilMs) {
      bucket.refusals.add('undelivered', rows.length)
      return
    }
    const send = (part: ImpactRow[]) =>
      sink.sendImpact(part).catch((error: unknown) => {
        if (!isUnsupported(error)) onFailure('metrics')
        throw error
      })
    const { refused, left, error } = await deliver(splitRows(rows, MAX_IMPACT_BYTES), { send, halve: halveRows })
    if (isUnsupported(error)) {
      this.#noImpactUntilMs = monotonic() + NO_IMPACT_MS
      bucket.refusals.add('undelivered', left.flat().length)
      return
    }
    bucket.refusals.add('undelivered', refused.flat().length)
    if (left.length === 0) return this.#impactDeliveries.succeed()
    bucket.restoreImpact(left.flat())
    this.#applyRetryAfter(error)
    this.#impactDeliveries.fail(error)
  }

  /**
   * Delivers all counts, in several parts if necessary. Halves a rejected part until the rejected toggle is isolated.
   * Returns false if the upstream fails to respond or reports an error.
   */
  async #deliverCounts(): Promise<boolean> {
    const payload = this.#deps.bucket.take()
    if (payload === undefined) return true
    const { refused, left, error } = await deliver(splitPayload(payload, MAX_TOGGLES_PER_POST), {
      send: (part) => this.#send(part),
      halve: (part) => splitPayload(part, Math.ceil(Object.keys(part.toggles).length / 2)),
    })
    if (left.length > 0) {
      this.#restore(left, error)
      return false
    }
    for (const part of refused) this.#drop(part)
    this.#deliveries.succeed()
    return true
  }

  async #send(part: MetricsPayload): Promise<void> {
    try {
      const { bucket, sink } = this.#deps
      await sink.send(part, () => bucket.listOwners(part))
    } catch (error) {
      this.#deps.onFailure('metrics')
      throw error
    }
    this.#deliveredAtMs = this.#deps.clock()
    this.#deps.debug?.(`Delivered metrics of toggles: ${Object.keys(part.toggles).length}`)
  }

  #restore(parts: readonly MetricsPayload[], error: unknown): void {
    for (const part of parts) this.#deps.bucket.restore(part)
    this.#applyRetryAfter(error)
    this.#deliveries.fail(error)
  }

  #applyRetryAfter(error: unknown): void {
    this.#retryAfterMs = Math.max(this.#retryAfterMs, getErrorRetryAfterMs(error))
  }

  #drop(part: MetricsPayload): void {
    this.#deps.bucket.drop(part)
    const names = Object.keys(part.toggles).map((name) => JSON.stringify(name))
    this.#deps.logger.warn(`The upstream rejects the counts of ${names.join()}; dropping them`)
  }
}

/** Returns true if the upstream has no endpoint for impact metrics, so that it cannot store them. */
function isUnsupported(error: unknown): boolean {
  return error instanceof UpstreamError && error.status === NOT_FOUND
}
