import { startTimer } from '@burgee/kit/timer'
import { withTimeout } from '@burgee/kit/with-timeout'
import type { CollectionLimits } from '@burgee/serving/impact/impact-bounds'
import type { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { splitRows } from '@burgee/serving/impact/impact-wire'
import { BulkBucket, type Lane, type UsagePart } from '../usage/bulk-bucket.ts'
import { splitIntoPieces } from '../usage/bulk-pieces.ts'
import type { EdgeUsage, UsageStatus } from '../usage/usage-interface.ts'
import type { EdgeReport, WorkerRequest } from './edge-messages.ts'

/** Dependencies of `ForwardedUsage`. */
export interface ForwardedUsageDeps {
  /** Sends a request to the primary process. */
  readonly ask: (question: WorkerRequest) => Promise<unknown>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly impactLimits: CollectionLimits
}

/**
 * Interval at which usage is handed over to the primary process. A worker that is killed loses at most the usage of one
 * interval.
 */
const FORWARD_INTERVAL_MS = 1000
/** Maximum size of the reports in a message, not counting the list of callers to charge for the names. */
const MAX_PIECE_BYTES = 45 * 1024
const NO_USAGE: UsageStatus = {
  waiting: { registrations: 0, flags: 0, names: 0 },
  dropped: 0,
  deliveredAtMs: undefined,
  failures: 0,
}

/**
 * Collects the reports of SDKs in a worker, with the same limits as the primary process. The primary process merges and
 * delivers the reports of all workers. Messages are short, and each is sent only after the previous one was accepted. A
 * flood of reports therefore neither accumulates nor delays other messages.
 */
export class ForwardedUsage implements EdgeUsage {
  readonly #ask: ForwardedUsageDeps['ask']
  readonly #bucket: BulkBucket
  #timer: NodeJS.Timeout | undefined
  #handing: Promise<void> | undefined
  #isClosed = false
  #standing = NO_USAGE

  constructor({ ask, clock, impactLimits }: ForwardedUsageDeps) {
    this.#ask = ask
    this.#bucket = new BulkBucket({ clock, intervalMs: FORWARD_INTERVAL_MS, impactLimits })
  }

  /** Number of names and registrations dropped in this worker so far. */
  get dropped(): number {
    return this.#bucket.dropped
  }

  getStatus(): UsageStatus {
    return this.#standing
  }

  /** Stores the delivery status that the primary process has sent. */
  setStatus(standing: UsageStatus): void {
    this.#standing = standing
  }

  register(...[of, application]: Parameters<EdgeUsage['register']>): void {
    this.#bucket.register(of, application)
    this.#wait()
  }

  count(...[of, appName, counts]: Parameters<EdgeUsage['count']>): void {
    this.#bucket.count(of, appName, counts)
    this.#wait()
  }

  addImpact(...[of, impactMetrics, source]: Parameters<EdgeUsage['addImpact']>): void {
    this.#bucket.addImpact(of, impactMetrics, source)
    this.#wait()
  }

  /** Refusals of impact metrics by this worker. */
  get refusals(): ImpactRefusals {
    return this.#bucket.refusals
  }

  async close(limitMs: number): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const last = async () => {
      await this.#handing
      await this.#handOver()
    }
    await withTimeout(limitMs, last()).catch(() => {})
  }

  #wait(): void {
    if (this.#isClosed || this.#handing !== undefined) return
    this.#timer ??= startTimer(FORWARD_INTERVAL_MS, () => {
      this.#timer = undefined
      this.#handing = this.#handOver().finally(() => {
        this.#handing = undefined
        if (this.#bucket.lanes().size > 0) this.#wait()
      })
    })
  }

  /** Hands over everything that was collected so far. Never rejects. */
  async #handOver(): Promise<void> {
    for (const [key, lane] of this.#bucket.lanes()) {
      for (const piece of splitIntoPieces(this.#bucket.takeUsage(key), MAX_PIECE_BYTES)) {
        try {
          await this.#ask({ kind: 'reports', reports: toReports(lane, piece), owners: this.#bucket.listOwners(piece) })
        } catch {
          this.#bucket.drop(piece)
        }
      }
      for (const rows of splitRows(this.#bucket.takeImpact(key), MAX_PIECE_BYTES)) {
        const { environment, projects } = lane
        const report = { kind: 'impact', lane: { environment, projects }, rows } as const
        try {
          await this.#ask({ kind: 'reports', reports: [report], owners: [] })
        } catch {
          this.#bucket.refusals.add('undelivered', rows.length)
        }
      }
    }
  }
}

function toReports({ environment, projects }: Lane, { applications, metrics }: UsagePart): EdgeReport[] {
  const lane = { environment, projects }
  const registrations = applications.map(
    ({ appName, instanceId, sdkVersion, strategies }): EdgeReport => ({
      kind: 'application',
      lane,
      application: { appName, instanceId, sdkVersion, strategies },
    }),
  )
  const counts = [...Map.groupBy(metrics, ({ appName }) => appName)].map(
    ([appName, rows]): EdgeReport => ({
      kind: 'counts',
      lane,
      appName,
      counts: rows.map(({ featureName, timestamp, yes, no, variants }) => {
        return { name: featureName, at: timestamp, yes, no, variants }
      }),
    }),
  )
  return [...registrations, ...counts]
}
