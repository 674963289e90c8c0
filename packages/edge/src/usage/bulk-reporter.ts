import { addJitter } from '@burgee/kit/backoff'
import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { startTimer } from '@burgee/kit/timer'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { toWireMetrics } from '@burgee/serving/impact/impact-wire'
import { describeError } from '@burgee/serving/upstream/error-reason'
import { getErrorRetryAfterMs, UpstreamError } from '@burgee/serving/upstream/upstream'
import { deliver } from '@burgee/serving/usage/delivery'
import type { OwnedNames } from '@burgee/serving/usage/name-budget'
import { type FetchingTokens, findReporter } from '../environments/fetching-tokens.ts'
import { type EdgeUpstream, PartlyReported } from '../upstream/edge-upstream.ts'
import { BulkBucket, type BulkPart, type Lane } from './bulk-bucket.ts'
import { halve, splitIntoPieces } from './bulk-pieces.ts'
import type { EdgeUsage, ReportSource, SharedUsage } from './edge-usage.ts'

/** Dependencies of usage reporting. */
export interface BulkReporterDeps {
  readonly upstream: Pick<EdgeUpstream, 'report'>
  readonly fetching: FetchingTokens
  /** Time between reports in milliseconds; 0 disables collecting and reporting. */
  readonly intervalMs: number
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly logger: Logger
  /** Logs details at debug level. */
  readonly debug?: DebugLog | undefined
}

const MAX_SLOWDOWN = 10
/** Maximum number of concurrent requests. */
const MAX_CONCURRENT_REQUESTS = 8
/**
 * Time for which reports are retained during a lasting failure. In that time, another token may arrive or the upstream
 * may be fixed.
 */
const RETENTION_MS = 600_000
/** Statuses of lasting failures: retrying alone does not help. */
const LASTING_STATUSES = new Set([400, 401, 403, 404, 413, 422])

/** State of a lane whose deliveries fail. */
interface DeliveryFailure {
  failures: number
  /** Time of the next attempt. */
  readonly nextAtMs: number
  /** Start of a lasting failure, which needs intervention; undefined if a retry can succeed. */
  readonly lastingSinceMs: number | undefined
}

/**
 * Creates the reporter. The reporter sends the reports of SDKs at each interval, in pieces that every upstream accepts.
 */
export function createUsage(deps: BulkReporterDeps): SharedUsage {
  return new BulkReporter(deps)
}

/**
 * Retains undelivered reports and retries them with growing delays. If the upstream rejects a piece as invalid, halves
 * the piece until the invalid row is isolated. If the upstream rejects the token or URL, or there is no token, all
 * reports are retained for ten minutes and then dropped. Outages of reporting are logged when they begin and when they
 * end.
 */
class BulkReporter implements SharedUsage {
  readonly #deps: BulkReporterDeps
  readonly #bucket: BulkBucket
  readonly #troubles = new Map<string, DeliveryFailure>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #deliveredAtMs: number | undefined
  #failures = 0
  readonly #outage: OutageLog
  #round: Promise<void> = Promise.resolve()

  constructor(deps: BulkReporterDeps) {
    this.#deps = deps
    this.#bucket = new BulkBucket(deps.clock, deps.intervalMs)
    const { logger } = deps
    this.#outage = new OutageLog({
      begins: (error) => logger.error(`Cannot deliver usage to the upstream; keeping it: ${describeError(error)}`),
      ends: () => logger.warn('Delivering usage works again'),
    })
    this.#wait()
  }

  register(...[of, application]: Parameters<EdgeUsage['register']>): void {
    if (this.#deps.intervalMs > 0) this.#bucket.register(this.#sourceOf(of), application)
  }

  count(...[of, appName, counts]: Parameters<EdgeUsage['count']>): void {
    if (this.#deps.intervalMs > 0) this.#bucket.count(this.#sourceOf(of), appName, counts)
  }

  addImpact(...[of, impactMetrics, source]: Parameters<EdgeUsage['addImpact']>): void {
    if (this.#deps.intervalMs > 0) this.#bucket.addImpact(this.#sourceOf(of), impactMetrics, source)
  }

  addImpactRows(...[of, rows]: Parameters<SharedUsage['addImpactRows']>): void {
    if (this.#deps.intervalMs > 0) this.#bucket.addImpactRows(this.#sourceOf(of), rows)
  }

  get refusals(): ImpactRefusals {
    return this.#bucket.refusals
  }

  recordOwners(owned: readonly OwnedNames[]): void {
    this.#bucket.recordOwners(owned)
  }

  getStatus() {
    const { dropped, waiting } = this.#bucket
    return { deliveredAtMs: this.#deliveredAtMs, waiting, dropped, failures: this.#failures }
  }

  async close(limitMs: number): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await withTimeout(limitMs, this.#deliverAll(true)).catch(() => {})
    const { flags } = this.#bucket.waiting
    if (flags > 0) this.#deps.logger.warn(`The counts of ${flags} flags were not delivered`)
  }

  /** Returns the source of a report, with the lane of the token that will deliver the report. */
  #sourceOf({ lane: { environment, projects }, owner }: ReportSource): ReportSource {
    const reporter = findReporter(this.#deps.fetching.current(), environment, projects)
    return { lane: { environment, projects: reporter?.projects ?? [] }, owner }
  }

  #wait(): void {
    const { intervalMs, random } = this.#deps
    if (intervalMs === 0 || this.#isClosed) return
    this.#timer = startTimer(addJitter(intervalMs, random), () => {
      void this.#deliverAll(false).then(() => this.#wait())
    })
  }

  /**
   * Delivers all reports. Deliveries run one at a time, so waiting for a delivery includes waiting for all earlier
   * deliveries. Never rejects.
   */
  #deliverAll(isLast: boolean): Promise<void> {
    this.#round = this.#round.then(async () => {
      const now = this.#deps.monotonic()
      const isDue = (key: string) => isLast || (this.#troubles.get(key)?.nextAtMs ?? now) <= now
      const due = [...this.#bucket.lanes()].filter(([key]) => isDue(key))
      const work = async () => {
        for (let next = due.shift(); next !== undefined; next = due.shift()) await this.#deliver(...next)
      }
      await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, work))
    })
    return this.#round
  }

  async #deliver(key: string, lane: Lane): Promise<void> {
    const token = findReporter(this.#deps.fetching.current(), lane.environment, lane.projects)
    const pieces = splitIntoPieces(this.#bucket.take(key))
    if (token === undefined) {
      this.#keep(key, lane, pieces, new NoTokenError('this environment has no token'))
      return
    }
    const rests: BulkPart[] = []
    let why: unknown
    const send = async (piece: BulkPart) => {
      try {
        await this.#send(token.text, piece)
      } catch (error) {
        if (!(error instanceof PartlyReported)) throw error
        // the delivered part must not be counted twice
        rests.push({ ...(error.rest as unknown as BulkPart), impact: piece.impact })
        why = error.cause
      }
    }
    const { refused, left, error } = await deliver<BulkPart>(pieces, { send, halve: halve })
    for (const part of refused) this.#drop(part, `the upstream refuses ${listNames(part)}`)
    if (left.length + rests.length > 0) this.#keep(key, lane, [...rests, ...left], error ?? why)
    else this.#succeeded(key)
  }

  async #send(token: string, piece: BulkPart): Promise<void> {
    try {
      const { applications, metrics, impact } = piece
      await this.#deps.upstream.report(token, {
        applications: applications.map((row) => ({ ...row })),
        metrics: metrics.map((row) => ({ ...row })),
        ...(impact.length === 0 ? undefined : { impactMetrics: toWireMetrics(impact) }),
      })
    } catch (error) {
      this.#failures += 1
      throw error
    }
    this.#deliveredAtMs = this.#deps.clock()
    this.#deps.debug?.(`Reported: ${piece.metrics.length} rows of counts, ${piece.applications.length} applications`)
  }

  #keep(key: string, lane: Lane, parts: readonly BulkPart[], error: unknown): void {
    const { monotonic, intervalMs, random } = this.#deps
    const now = monotonic()
    const before = this.#troubles.get(key)
    const lastingSinceMs = isLastingFailure(error) ? (before?.lastingSinceMs ?? now) : undefined
    if (lastingSinceMs !== undefined && now - lastingSinceMs >= RETENTION_MS) {
      const why = `usage of the environment "${lane.environment}" is not taken: ${describeError(error)}`
      for (const part of parts) this.#drop(part, why)
      this.#troubles.delete(key)
      if (this.#troubles.size === 0) this.#outage.reset()
      return
    }
    for (const part of parts) this.#bucket.restore(lane, part)
    const failures = (before?.failures ?? 0) + 1
    const delayMs = intervalMs * (Math.min(failures, MAX_SLOWDOWN) - 0.5 + random() * 0.2)
    this.#outage.fail(error)
    const nextAtMs = now + Math.max(delayMs, getErrorRetryAfterMs(error))
    this.#troubles.set(key, { failures, nextAtMs, lastingSinceMs })
  }

  #drop(part: BulkPart, why: string): void {
    this.#bucket.drop(part)
    const { applications, metrics, impact } = part
    const dropped =
      impact.length > 0
        ? `${impact.length} impact metrics`
        : `${metrics.length} rows of counts and ${applications.length} registrations`
    this.#deps.logger.warn(`Dropped ${dropped}: ${why}`)
  }

  #succeeded(key: string): void {
    this.#troubles.delete(key)
    if (this.#troubles.size === 0) this.#outage.succeed()
  }
}

/** Returns true if a retry cannot succeed unless the token, the URL or the upstream changes. */
function isLastingFailure(error: unknown): boolean {
  return error instanceof NoTokenError || (error instanceof UpstreamError && LASTING_STATUSES.has(error.status))
}

/** Thrown if no token can currently report for an environment. */
class NoTokenError extends Error {}

function listNames({ applications, metrics, impact }: BulkPart): string {
  const names = [
    ...metrics.map(({ featureName }) => featureName),
    ...applications.map(({ appName }) => appName),
    ...impact.map(({ name }) => name),
  ]
  return names.map((name) => JSON.stringify(name)).join()
}
