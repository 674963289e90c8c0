import { formatLabels, formatSeries, type SeriesSnapshot, toHistogramLines } from '@burgee/kit/series/series'
import type { ImpactLabels } from '@burgee/protocol/usage/impact-metrics'
import type { ImpactBounds } from '@burgee/serving/impact/impact-bounds'
import { getSeriesKey } from '@burgee/serving/impact/impact-labels'
import { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import { type ImpactRow, ImpactSums } from '@burgee/serving/impact/impact-sums'

/** Gauge in an environment, and the time of its last sample. */
interface GaugeTotal {
  readonly environment: string
  readonly row: ImpactRow
  readonly at: number
}

/** Series from all environments that have the same name. */
type Lines = SeriesSnapshot & {
  /** Name under which applications report the metric. */
  readonly reported: string
  readonly values: (readonly [string, number])[]
  readonly labels: Set<string>
}

/** Time without a sample after which a gauge no longer has a value. */
const GAUGE_MS = 180_000
const MAX_ENVIRONMENTS = 100
const MAX_GAUGES = 20_000

/**
 * Sums of impact metrics since the start of this process, for scraping. With several servers, the scraper adds up their
 * sums. Has the same limits as collected metrics, for each of at most 100 environments.
 */
export class ImpactTotals {
  readonly #bounds: ImpactBounds
  readonly #sums = new Map<string, ImpactSums>()
  readonly #gauges = new Map<string, GaugeTotal>()
  /** Values beyond the limits have already been counted during collection. */
  readonly #refusals = new ImpactRefusals()

  constructor(bounds: ImpactBounds) {
    this.#bounds = bounds
  }

  /** Adds values that have been written to the database. */
  add(environment: string, rows: readonly ImpactRow[], now: number): void {
    const sums = this.#sums.get(environment) ?? new ImpactSums(this.#bounds, this.#refusals)
    if (this.#sums.size >= MAX_ENVIRONMENTS && !this.#sums.has(environment)) return
    this.#sums.set(environment, sums)
    for (const row of rows) {
      if (row.type === 'gauge') this.#setGauge(environment, row, now)
      else if (row.values.length > 0) sums.addRow(row)
    }
  }

  /** Formats all values in the Prometheus text format. */
  format(now: number): string {
    const all = new Map<string, Lines>()
    for (const [environment, sums] of this.#sums) for (const row of sums.list()) addRow(all, environment, row)
    for (const [key, { environment, row, at }] of this.#gauges) {
      if (at <= now - GAUGE_MS) this.#gauges.delete(key)
      else addRow(all, environment, row)
    }
    return formatSeries([...all.values()])
  }

  #setGauge(environment: string, row: ImpactRow, at: number): void {
    const key = `${environment} ${row.name} ${getSeriesKey(row.labels, [])}`
    if (this.#gauges.size < MAX_GAUGES || this.#gauges.has(key)) this.#gauges.set(key, { environment, row, at })
  }
}

function addRow(all: Map<string, Lines>, environment: string, row: ImpactRow): void {
  const { name: reported, type, help, values } = row
  if (values.length === 0) return
  const name = `unleash_${type}_${toName(reported)}`
  const known = all.get(name)
  const text = help.replaceAll(/[\\\p{Cc}]/gu, ' ')
  const lines = known ?? { name, reported, help: text, type, merge: 'sum', values: [], labels: new Set() }
  const labels = toLabels(row.labels, environment)
  // series whose labels differ only in characters that Prometheus does not allow would become duplicates
  const key = `${formatLabels(labels)} ${row.bounds.join()}`
  if (lines.reported !== reported || lines.labels.has(key)) return
  all.set(name, lines)
  lines.labels.add(key)
  lines.values.push(...toLines(row, labels))
}

function toLines({ type, bounds, values }: ImpactRow, labels: Record<string, string>): (readonly [string, number])[] {
  const [first = 0, ...counts] = values
  if (type !== 'histogram') return [[formatLabels(labels), first]]
  const count = counts.reduce((sum, one) => sum + one, 0)
  return toHistogramLines({ labels, bounds, counts, sum: first, count })
}

function toLabels(labels: ImpactLabels, environment: string): Record<string, string> {
  const pairs = labels.map(([name, value]) => [toName(name), value] as const)
  return Object.fromEntries([...pairs, ['environment', environment]])
}

/** Returns a label name that Prometheus allows. Prometheus reserves `le` and names with two leading underscores. */
function toName(name: string): string {
  const allowed = name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^(__|le$|[0-9])/.test(allowed) ? `_label${allowed}` : allowed
}
