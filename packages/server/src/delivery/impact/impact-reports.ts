import { OutageLog } from '@burgee/kit/log/outage-log'
import { startTimer } from '@burgee/kit/timer'
import { readImpactMetrics } from '@burgee/protocol/usage/impact-metrics'
import type { CollectionLimits, ImpactBounds } from '@burgee/serving/impact/impact-bounds'
import { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import { chunks } from '@burgee/storage/chunks'
import { DatabaseGone } from '@burgee/storage/errors'
import type { ImpactMinute } from '@burgee/storage/queries/impact/impact-minutes'
import { addImpactMinutes } from '@burgee/storage/queries/impact/impact-writes'
import { record } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { type ImpactConnection, ImpactLane, type ImpactScope, type MinuteRows } from './impact-lane.ts'
import { ImpactTotals } from './impact-totals.ts'
import { SharedGauges } from './shared-gauges.ts'

/** Collects the impact metrics of SDKs in memory, and writes them in batches. */
export interface ImpactReports {
  /** Adds the `impactMetrics` of an SDK report. Never throws: rejected parts are only counted. */
  add(scope: ImpactScope, impactMetrics: unknown, from: ImpactConnection): void
  /** Adds sums that another component in this process has collected. */
  addRows(scope: ImpactScope, rows: readonly ImpactRow[]): void
  /** Sums for scraping; undefined if the server does not expose them. */
  readonly totals: ImpactTotals | undefined
  /** Calls a listener after each write with the metrics that have new values. */
  onWritten(listener: WriteListener): void
  readonly refusals: ImpactRefusals
  /**
   * Returns the number of reports with impact metrics since the start, and the number of rows waiting to be written.
   */
  readonly tally: () => { readonly reports: number; readonly waiting: number }
  /** Writes everything collected. Data that cannot be written remains in memory and is retried. */
  flush(): Promise<void>
  /** Writes the remaining data and stops. */
  close(): Promise<void>
}

/** Called with an environment, and the names of the metrics that have new values there. Must not reject. */
export type WriteListener = (written: {
  readonly environment: string
  readonly names: readonly string[]
}) => Promise<void>

/**
 * Interval between writes. Must be less than a minute, because points have a resolution of one minute and safeguards
 * are checked once a minute.
 */
const FLUSH_MS = 10_000
/** Maximum number of scopes, that is, combinations of an environment and the projects of a token. */
const MAX_LANES = 1000
const ROWS_PER_TRANSACTION = 500

/** Creates the collection. */
export function createImpactReports(
  world: World,
  { limits, isExposed }: { readonly limits: CollectionLimits; readonly isExposed: boolean },
): ImpactReports {
  return new ImpactBuffer(world, limits, isExposed)
}

class ImpactBuffer implements ImpactReports {
  readonly refusals = new ImpactRefusals()
  readonly totals: ImpactTotals | undefined
  readonly #world: World
  readonly #limits: CollectionLimits
  readonly #bounds: ImpactBounds
  readonly #lanes = new Map<string, ImpactLane>()
  readonly #outage: OutageLog
  readonly #gauges: SharedGauges
  #onWritten: WriteListener = async () => {}
  #reports = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(world: World, limits: CollectionLimits, isExposed: boolean) {
    this.#world = world
    this.#limits = limits
    this.#bounds = { metrics: limits.metrics, series: limits.series }
    this.totals = isExposed ? new ImpactTotals(this.#bounds) : undefined
    this.#gauges = new SharedGauges(world)
    this.#outage = new OutageLog({
      begins: (error) => {
        // the code that watches the database already logs the outage
        if (error instanceof DatabaseGone) return
        world.logger.warn('Cannot write impact metrics; retrying with the next write', error)
      },
      ends: () => world.logger.info('Writing impact metrics works again'),
    })
  }

  readonly tally = () => {
    let waiting = 0
    for (const lane of this.#lanes.values()) waiting += lane.waiting
    return { reports: this.#reports, waiting }
  }

  onWritten(listener: WriteListener): void {
    this.#onWritten = listener
  }

  add(scope: ImpactScope, impactMetrics: unknown, from: ImpactConnection): void {
    if (impactMetrics === undefined || impactMetrics === null) return
    this.#reports += 1
    const { metrics, refused } = readImpactMetrics(impactMetrics, this.#limits)
    this.refusals.addAll(refused)
    if (metrics.length === 0) return
    const now = this.#world.clock()
    this.#getLane(scope, now)?.add(metrics, from, now)
    this.#schedule()
  }

  addRows(scope: ImpactScope, rows: readonly ImpactRow[]): void {
    if (rows.length === 0) return
    const now = this.#world.clock()
    const lane = this.#getLane(scope, now)
    for (const { name, help, type, ...sample } of rows) {
      const samples = sample.values.length === 0 ? [] : [sample]
      lane?.add([{ name, help, type, samples }], { ...IN_PROCESS, id: this.#gauges.node }, now)
    }
    this.#schedule()
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write()).finally(() => this.#schedule())
    return this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
  }

  #getLane(scope: ImpactScope, now: number): ImpactLane | undefined {
    const key = `${scope.environment}\0${scope.projects.join('\0')}`
    const known = this.#lanes.get(key)
    if (known !== undefined) return known
    if (this.#lanes.size >= MAX_LANES) {
      this.refusals.add('metrics')
      return undefined
    }
    const { environment, projects } = scope
    const fresh = new ImpactLane({ environment, projects }, now, { bounds: this.#bounds, refusals: this.refusals })
    this.#lanes.set(key, fresh)
    return fresh
  }

  #schedule(): void {
    if (this.#isClosed || this.#lanes.size === 0) return
    this.#timer ??= startTimer(FLUSH_MS, () => void this.flush()).unref()
  }

  async #write(): Promise<void> {
    const now = this.#world.clock()
    for (const [key, lane] of this.#lanes) {
      if (!(await this.#collectGauges(lane, now))) return
      const drained = lane.drain()
      if (drained.length === 0) {
        if (lane.isIdle) this.#lanes.delete(key)
        continue
      }
      if (!(await this.#writeLane(lane, drained))) return
      const rows = drained.flatMap((minute) => minute.rows.filter(({ values }) => values.length > 0))
      const names = [...new Set(rows.map(({ name }) => name))]
      if (names.length > 0 && !this.#isClosed) await this.#onWritten({ environment: lane.scope.environment, names })
    }
  }

  async #collectGauges(lane: ImpactLane, now: number): Promise<boolean> {
    try {
      await this.#gauges.collect(lane, { now, isLast: this.#isClosed })
      return true
    } catch (error) {
      this.#outage.fail(error)
      return false
    }
  }

  /** Writes the rows of one `ImpactLane` in small transactions. Puts back the rows that could not be written. */
  async #writeLane(lane: ImpactLane, drained: readonly MinuteRows[]): Promise<boolean> {
    const parts = drained.flatMap(({ minute, rows }) =>
      chunks(rows, ROWS_PER_TRANSACTION).map((part) => ({ minute, rows: part })),
    )
    for (const [index, part] of parts.entries()) {
      try {
        await this.#writePart(lane.scope, part)
      } catch (error) {
        this.#outage.fail(error)
        for (const rest of parts.slice(index)) lane.restore(rest)
        return false
      }
    }
    this.#outage.succeed()
    return true
  }

  async #writePart(scope: ImpactScope, { minute, rows }: MinuteRows): Promise<void> {
    const minutes = rows.map((row): ImpactMinute => ({ ...row, ...scope, minute }))
    const now = this.#world.clock()
    const rules = { now, limits: this.#bounds }
    const excess = await record(this.#world, (tx) => addImpactMinutes(tx, minutes, rules))
    this.totals?.add(scope.environment, rows, now)
    if (excess.metrics > 0) this.refusals.add('metrics', excess.metrics)
    if (excess.series > 0) this.refusals.add('series', excess.series)
    this.#world.debug?.(`Wrote impact metrics: ${rows.length} series of ${scope.environment}`)
  }
}

/** Connection of the proxy in this process, without its id. */
const IN_PROCESS: Omit<ImpactConnection, 'id'> = { origin: 'proxy', isPublic: true, intervalMs: 60_000 }
