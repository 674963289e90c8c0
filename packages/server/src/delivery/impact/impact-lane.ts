import type { ImpactMetric } from '@burgee/protocol/usage/impact-metrics'
import type { ImpactBounds } from '@burgee/serving/impact/impact-bounds'
import { type ImpactSource, isPublicSample, withOrigin } from '@burgee/serving/impact/impact-labels'
import type { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { type ImpactRow, ImpactSums } from '@burgee/serving/impact/impact-sums'
import { GaugeBook, type SealedGauge, type SealedValue, toGaugeRows } from './gauge-book.ts'

/** Environment, and the projects that the reporting tokens cover. */
export interface ImpactScope {
  readonly environment: string
  readonly projects: readonly string[]
}

/** Connection that sent a report. */
export interface ImpactConnection extends ImpactSource {
  readonly id: string
  readonly intervalMs: number
}

/** Rows collected in one minute. `start` is in milliseconds since 1970. */
export interface MinuteRows {
  readonly minute: number
  readonly rows: readonly ImpactRow[]
}

/** Gauges as they were when a minute ended. */
export interface SealedMinute {
  readonly minute: number
  /** End of the minute. */
  readonly end: number
  readonly gauges: readonly SealedGauge[]
}

const MINUTE_MS = 60_000
/**
 * Maximum number of minutes whose values wait to be written. If the database is unavailable for longer, later values
 * are added to the last of these minutes.
 */
const MAX_WAITING_MINUTES = 60
/** Maximum number of rows that wait to be written, across all minutes. */
const MAX_WAITING_ROWS = 50_000

/** Collected impact metrics of one scope, by minute. */
export class ImpactLane {
  readonly scope: ImpactScope
  readonly #bounds: ImpactBounds
  readonly #refusals: ImpactRefusals
  readonly #gauges: GaugeBook
  readonly #minutes = new Map<number, ImpactSums>()
  #sealedUntil: number
  #sealed: SealedMinute | undefined

  constructor(
    scope: ImpactScope,
    now: number,
    of: { readonly bounds: ImpactBounds; readonly refusals: ImpactRefusals },
  ) {
    this.scope = scope
    this.#bounds = of.bounds
    this.#refusals = of.refusals
    this.#gauges = new GaugeBook(of.bounds, of.refusals)
    this.#sealedUntil = startOfMinute(now)
  }

  /** Number of metrics and series that wait to be written. */
  get waiting(): number {
    let rows = 0
    for (const sums of this.#minutes.values()) rows += sums.size
    return rows
  }

  /** True if no values are waiting to be written and no gauge has a value. */
  get isIdle(): boolean {
    return this.#minutes.size === 0 && this.#gauges.size === 0 && this.#sealed === undefined
  }

  add(metrics: readonly ImpactMetric[], from: ImpactConnection, now: number): void {
    const sums = this.#getSums(startOfMinute(now))
    const summed = metrics.filter(({ type }) => type !== 'gauge')
    if (summed.length > 0) sums.add(summed, from)
    const { id: connection, intervalMs } = from
    for (const { name, help, type, samples } of metrics) {
      if (type !== 'gauge') continue
      for (const { labels, values } of samples) {
        const value = values[0] ?? 0
        const own = withOrigin(labels, from)
        const isPublic = isPublicSample(labels, from)
        this.#gauges.report({ name, help, labels: own, value, connection, now, intervalMs, isPublic })
      }
    }
  }

  /** Gauges that `sealGauges` has sealed and `addSealedGauges` has not added yet. */
  get sealed(): SealedMinute | undefined {
    return this.#sealed
  }

  /**
   * Seals the gauges of the last minute that has ended. Returns undefined if this has been done, or if no gauge had a
   * value.
   */
  sealGauges(now: number): SealedMinute | undefined {
    const end = startOfMinute(now)
    // also correct after the clock was set back
    if (end === this.#sealedUntil) return undefined
    this.#sealedUntil = end
    this.addSealedGauges()
    const minute = end - MINUTE_MS
    const gauges = this.#gauges.seal(minute)
    if (gauges.length > 0) this.#sealed = { minute, end, gauges }
    return this.#sealed
  }

  /** Adds the sealed gauges to the waiting values, except for connections that do not count here. */
  addSealedGauges(isCounted: (one: SealedValue) => boolean = () => true): void {
    if (this.#sealed === undefined) return
    const { minute, gauges } = this.#sealed
    this.#sealed = undefined
    const rows = toGaugeRows(gauges, isCounted)
    if (rows.length === 0) return
    const sums = this.#getSums(minute)
    for (const row of rows) sums.addRow(row)
  }

  /** Removes and returns all waiting values. */
  drain(): MinuteRows[] {
    const drained = [...this.#minutes].map(([minute, sums]) => ({ minute, rows: sums.drain() }))
    this.#minutes.clear()
    return drained.filter(({ rows }) => rows.length > 0)
  }

  /** Puts back rows that could not be written. */
  restore({ minute, rows }: MinuteRows): void {
    this.#getSums(minute).restore(rows)
  }

  #getSums(minute: number): ImpactSums {
    const known = this.#minutes.get(minute)
    if (known !== undefined) return known
    if (this.#minutes.size >= MAX_WAITING_MINUTES || this.waiting >= MAX_WAITING_ROWS) {
      const last = [...this.#minutes.values()].at(-1)
      if (last !== undefined) return last
    }
    const fresh = new ImpactSums(this.#bounds, this.#refusals)
    this.#minutes.set(minute, fresh)
    return fresh
  }
}

function startOfMinute(now: number): number {
  return now - (now % MINUTE_MS)
}
