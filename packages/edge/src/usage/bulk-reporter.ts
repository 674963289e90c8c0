import { addJitter } from '@burgee/kit/backoff'
import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { startTimer } from '@burgee/kit/timer'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { CollectionLimits } from '@burgee/serving/impact/impact-bounds'
import type { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import { halveRows, listForwarded, splitRows, toWireMetrics } from '@burgee/serving/impact/impact-wire'
import { describeError } from '@burgee/serving/upstream/error-reason'
import { deliver } from '@burgee/serving/usage/delivery'
import type { OwnedNames } from '@burgee/serving/usage/name-budget'
import { type FetchingToken, type FetchingTokens, findReporter } from '../environments/fetching-tokens.ts'
import {
  type BulkReport,
  type EdgeUpstream,
  ImpactUnsupported,
  PartlyReported,
} from '../upstream/upstream-interface.ts'
import { BulkBucket, type Lane, type UsagePart } from './bulk-bucket.ts'
import { ENVELOPE_BYTES, halve, MAX_REPORT_BYTES, splitIntoPieces } from './bulk-pieces.ts'
import { DeliveryFailures, NoTokenError } from './delivery-failures.ts'
import type { EdgeUsage, ReportSource, SharedUsage } from './usage-interface.ts'

/** Dependencies of usage reporting. */
export interface BulkReporterDeps {
  readonly upstream: Pick<EdgeUpstream, 'report'>
  readonly fetching: FetchingTokens
  /** Time between reports in milliseconds; 0 disables collecting and reporting. */
  readonly intervalMs: number
  readonly impactLimits: CollectionLimits
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly logger: Logger
  /** Logs details at debug level. */
  readonly debug?: DebugLog | undefined
}

/** Maximum number of concurrent requests to the upstream. */
const MAX_CONCURRENT_REQUESTS = 8

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
  readonly #usageFailures: DeliveryFailures
  readonly #impactFailures: DeliveryFailures
  /** Lanes by the lane of the report, for one list of tokens that fetch. */
  #lanes: { readonly tokens: readonly FetchingToken[]; readonly bySource: WeakMap<ReportSource['lane'], Lane> }
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #deliveredAtMs: number | undefined
  #failures = 0
  #round: Promise<void> = Promise.resolve()

  constructor(deps: BulkReporterDeps) {
    this.#deps = deps
    this.#bucket = new BulkBucket(deps)
    this.#lanes = { tokens: deps.fetching.current(), bySource: new WeakMap() }
    const { logger } = deps
    const createOutage = (what: string) =>
      new OutageLog({
        begins: (error) => logger.error(`Cannot deliver ${what} to the upstream; keeping it: ${describeError(error)}`),
        ends: () => logger.warn(`Delivering ${what} works again`),
      })
    this.#usageFailures = new DeliveryFailures({ ...deps, outage: createOutage('usage') })
    this.#impactFailures = new DeliveryFailures({ ...deps, outage: createOutage('impact metrics') })
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
    const { waiting, waitingImpact } = this.#bucket
    const { logger } = this.#deps
    if (waiting.flags > 0) logger.warn(`The counts of ${waiting.flags} flags were not delivered`)
    if (waitingImpact > 0) logger.warn(`${waitingImpact} series of impact metrics were not delivered`)
  }

  /** Returns the source of a report, with the lane whose token will deliver it. */
  #sourceOf({ lane, owner }: ReportSource): ReportSource {
    const tokens = this.#deps.fetching.current()
    if (this.#lanes.tokens !== tokens) this.#lanes = { tokens, bySource: new WeakMap() }
    const known = this.#lanes.bySource.get(lane)
    if (known !== undefined) return { lane: known, owner }
    const { environment, projects } = lane
    const found = { environment, projects: findReporter(tokens, environment, projects)?.projects ?? [] }
    this.#lanes.bySource.set(lane, found)
    return { lane: found, owner }
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
      const due: (() => Promise<void>)[] = []
      for (const [key, lane] of this.#bucket.lanes()) {
        if (isLast || this.#usageFailures.isDue(key)) due.push(() => this.#deliverUsage(key, lane))
        if (isLast || this.#impactFailures.isDue(key)) due.push(() => this.#deliverImpact(key, lane))
      }
      const work = async () => {
        for (let next = due.shift(); next !== undefined; next = due.shift()) await next()
      }
      await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, work))
    })
    return this.#round
  }

  async #deliverUsage(key: string, lane: Lane): Promise<void> {
    const pieces = splitIntoPieces(this.#bucket.takeUsage(key))
    if (pieces.length === 0) return
    const token = this.#findToken(lane)
    if (token === undefined) {
      this.#keepUsage(key, lane, { parts: pieces, error: createNoTokenError() })
      return
    }
    const rests: UsagePart[] = []
    let why: unknown
    const send = async (piece: UsagePart) => {
      try {
        await this.#sendUsage(token, piece)
      } catch (error) {
        if (!(error instanceof PartlyReported)) throw error
        // the part that was delivered must not be counted twice
        rests.push(error.rest as unknown as UsagePart)
        why = error.cause
      }
    }
    const { refused, left, error } = await deliver<UsagePart>(pieces, { send, halve })
    for (const part of refused) this.#dropUsage(part, `the upstream rejects ${listNames(part)}`)
    if (left.length + rests.length === 0) this.#usageFailures.succeed(key)
    else this.#keepUsage(key, lane, { parts: [...rests, ...left], error: error ?? why })
  }

  /** Delivers impact metrics in separate reports, so that an upstream that rejects them still gets the counts. */
  async #deliverImpact(key: string, lane: Lane): Promise<void> {
    const rows = listForwarded(this.#bucket.takeImpact(key))
    if (rows.length === 0) return
    const token = this.#findToken(lane)
    if (token === undefined) {
      this.#keepImpact(key, lane, { rows, error: createNoTokenError() })
      return
    }
    const { refusals } = this.#bucket
    const send = async (part: ImpactRow[]) => {
      try {
        await this.#send(token, { applications: [], metrics: [], impactMetrics: toWireMetrics(part) })
      } catch (error) {
        if (!(error instanceof ImpactUnsupported)) throw error
        refusals.add('undelivered', part.length)
      }
    }
    const pieces = splitRows(rows, MAX_REPORT_BYTES - ENVELOPE_BYTES)
    const { refused, left, error } = await deliver(pieces, { send, halve: halveRows })
    for (const part of refused) this.#dropImpact(part, `the upstream rejects ${quote(part.map(({ name }) => name))}`)
    if (left.length === 0) this.#impactFailures.succeed(key)
    else this.#keepImpact(key, lane, { rows: left.flat(), error })
  }

  #findToken({ environment, projects }: Lane): string | undefined {
    return findReporter(this.#deps.fetching.current(), environment, projects)?.text
  }

  async #sendUsage(token: string, { applications, metrics }: UsagePart): Promise<void> {
    await this.#send(token, {
      applications: applications.map((row) => ({ ...row })),
      metrics: metrics.map((row) => ({ ...row })),
    })
    this.#deps.debug?.(`Reported: ${metrics.length} rows of counts, ${applications.length} applications`)
  }

  async #send(token: string, report: BulkReport): Promise<void> {
    try {
      await this.#deps.upstream.report(token, report)
    } catch (error) {
      if (!(error instanceof ImpactUnsupported)) this.#failures += 1
      throw error
    }
    this.#deliveredAtMs = this.#deps.clock()
  }

  #keepUsage(
    key: string,
    lane: Lane,
    { parts, error }: { readonly parts: readonly UsagePart[]; readonly error: unknown },
  ): void {
    if (this.#usageFailures.fail(key, error)) for (const part of parts) this.#bucket.restoreUsage(lane, part)
    else for (const part of parts) this.#dropUsage(part, describeLoss('usage', lane, error))
  }

  #keepImpact(
    key: string,
    lane: Lane,
    { rows, error }: { readonly rows: readonly ImpactRow[]; readonly error: unknown },
  ): void {
    if (this.#impactFailures.fail(key, error)) this.#bucket.restoreImpact(lane, rows)
    else this.#dropImpact(rows, describeLoss('impact metrics', lane, error))
  }

  #dropUsage(part: UsagePart, why: string): void {
    this.#bucket.drop(part)
    const { applications, metrics } = part
    this.#deps.logger.warn(`Dropped ${metrics.length} rows of counts and ${applications.length} registrations: ${why}`)
  }

  #dropImpact(rows: readonly ImpactRow[], why: string): void {
    this.#bucket.refusals.add('undelivered', rows.length)
    this.#deps.logger.warn(`Dropped ${rows.length} series of impact metrics: ${why}`)
  }
}

function createNoTokenError(): NoTokenError {
  return new NoTokenError('this environment has no token')
}

function describeLoss(what: string, { environment }: Lane, error: unknown): string {
  return `${what} of the environment "${environment}" is not accepted: ${describeError(error)}`
}

function listNames({ applications, metrics }: UsagePart): string {
  const names = [...metrics.map(({ featureName }) => featureName), ...applications.map(({ appName }) => appName)]
  return quote(names)
}

function quote(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join()
}
