import type { ImpactLabels, ImpactMetric, ImpactSample, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { ImpactRefusals } from './impact-refusals.ts'

/** Component that received a sample: a server SDK, a page or app, an edge, or a proxy. */
export type ImpactOrigin = 'sdk' | 'browser' | 'edge' | 'proxy'

/** Limits on collected metrics. */
export interface ImpactBounds {
  /** Maximum number of metrics. */
  readonly metrics: number
  /** Maximum number of series per metric. The values of further series are added to the series `other`. */
  readonly series: number
}

/** Default limits of an environment. */
export const DEFAULT_IMPACT_BOUNDS: ImpactBounds = { metrics: 200, series: 200 }

/** Labels of the series for all values above the limit of series. */
export const OTHER_LABELS: ImpactLabels = [['other', 'true']]

/** Identity of a series of a metric. */
export interface ImpactSeriesKey {
  readonly name: string
  readonly type: ImpactType
  readonly labels: ImpactLabels
  /** Bounds of the buckets; histograms with different bounds are different series. */
  readonly bounds: readonly number[]
}

/** Collected values of one series. */
export interface ImpactRow extends ImpactSeriesKey {
  readonly help: string
  /**
   * Values in the same form as in a sample. Empty if the metric was announced and has no values; the row then has no
   * labels and bounds.
   */
  readonly values: readonly number[]
}

/** Source of samples. */
export interface ImpactSource {
  /** Value of the label `origin`. */
  readonly origin: ImpactOrigin
  /** True for an edge or proxy. Its samples keep their origin, except the origin `sdk`. */
  readonly isForwarded?: boolean
  /** True if any visitor can send reports, for example with the key of a web page. */
  readonly isPublic: boolean
}

interface Series {
  readonly labels: ImpactLabels
  readonly bounds: readonly number[]
  readonly values: number[]
}

interface Metric {
  readonly name: string
  readonly type: ImpactType
  readonly series: Map<string, Series>
  help: string
  /** Number of series that were reported with a public key. */
  publicSeries: number
  /** Number of series named `other`: one for each set of bounds. */
  others: number
}

/** Share of a limit that public sources may use, so that an invented name cannot displace a name of a server. */
const PUBLIC_SHARE = 0.5
/** Maximum number of series `other` per metric, because bounds can be invented as well. */
const MAX_OTHERS = 5
const MAX_VALUE = Number.MAX_VALUE

/**
 * Sums of the impact metrics of one environment: counters and histograms are added, gauges are replaced. The number of
 * metrics and series is limited, and the excess is counted.
 */
export class ImpactSums {
  readonly #bounds: ImpactBounds
  readonly #refusals: ImpactRefusals
  readonly #metrics = new Map<string, Metric>()
  #publicMetrics = 0
  #rows = 0

  constructor(bounds: ImpactBounds, refusals: ImpactRefusals) {
    this.#bounds = bounds
    this.#refusals = refusals
  }

  /** Number of metrics and series. */
  get size(): number {
    return this.#metrics.size + this.#rows
  }

  /** Adds the metrics of a report. */
  add(metrics: readonly ImpactMetric[], source: ImpactSource): void {
    for (const { name, help, type, samples } of metrics) {
      const isPublic =
        samples.length === 0 ? source.isPublic : samples.every(({ labels }) => isPublicSample(labels, source))
      const metric = this.#getMetric(name, type, isPublic)
      if (metric === undefined) continue
      metric.help = help
      for (const { labels, bounds, values } of samples) {
        const own = { labels: withOrigin(labels, source), bounds, values }
        this.#addSample(metric, own, isPublicSample(labels, source))
      }
    }
  }

  /** Adds one value. */
  addRow({ name, help, type, labels, bounds, values }: ImpactRow, isPublic = false): void {
    const metric = this.#getMetric(name, type, isPublic)
    if (metric === undefined) return
    metric.help = help
    if (values.length > 0) this.#addSample(metric, { labels, bounds, values }, isPublic)
  }

  /** Puts back rows that could not be delivered. A gauge that has a newer value keeps it. */
  restore(rows: readonly ImpactRow[]): void {
    for (const row of rows) {
      const { name, type, labels, bounds } = row
      const isNewer = type === 'gauge' && this.#metrics.get(`${type} ${name}`)?.series.has(getSeriesKey(labels, bounds))
      if (isNewer !== true) this.addRow(row)
    }
  }

  /** Returns everything collected, and resets. */
  drain(): ImpactRow[] {
    const rows: ImpactRow[] = []
    for (const { name, type, help, series } of this.#metrics.values()) {
      if (series.size === 0) rows.push({ name, type, help, labels: [], bounds: [], values: [] })
      for (const one of series.values()) rows.push({ name, type, help, ...one })
    }
    this.#metrics.clear()
    this.#publicMetrics = 0
    this.#rows = 0
    return rows
  }

  #getMetric(name: string, type: ImpactType, isPublic: boolean): Metric | undefined {
    const key = `${type} ${name}`
    const known = this.#metrics.get(key)
    if (known !== undefined) return known
    const most = this.#bounds.metrics
    if (this.#metrics.size >= most || (isPublic && this.#publicMetrics >= most * PUBLIC_SHARE)) {
      this.#refusals.add('metrics')
      return undefined
    }
    const fresh: Metric = { name, type, help: '', series: new Map(), publicSeries: 0, others: 0 }
    this.#metrics.set(key, fresh)
    if (isPublic) this.#publicMetrics += 1
    return fresh
  }

  #addSample(metric: Metric, sample: ImpactSample, isPublic: boolean): void {
    const key = getSeriesKey(sample.labels, sample.bounds)
    const known = metric.series.get(key)
    if (known !== undefined) addValues(metric.type, known.values, sample.values)
    else if (this.#hasRoom(metric, sample, isPublic)) {
      metric.series.set(key, { labels: sample.labels, bounds: sample.bounds, values: [...sample.values] })
      if (isOther(sample.labels)) metric.others += 1
      else if (isPublic) metric.publicSeries += 1
      this.#rows += 1
    } else {
      this.#refusals.add('series')
      if (!isOther(sample.labels)) this.#addSample(metric, { ...sample, labels: OTHER_LABELS }, isPublic)
    }
  }

  #hasRoom({ series, publicSeries, others }: Metric, { labels }: ImpactSample, isPublic: boolean): boolean {
    if (isOther(labels)) return others < MAX_OTHERS
    const most = this.#bounds.series
    return series.size - others < most && (!isPublic || publicSeries < most * PUBLIC_SHARE)
  }
}

/** Returns the key of a series within its metric. Texts of labels contain no control characters. */
export function getSeriesKey(labels: ImpactLabels, bounds: readonly number[]): string {
  let key = bounds.length === 0 ? '' : bounds.join()
  for (const [name, value] of labels) key += `\u0001${name}\u0002${value}`
  return key
}

/**
 * Returns labels with the origin of their source. Omits `environment`, because SDKs guess it from their token; the
 * environment of the token applies.
 */
export function withOrigin(
  labels: ImpactLabels,
  { origin, isForwarded }: Omit<ImpactSource, 'isPublic'>,
): ImpactLabels {
  const own = labels.filter(([name]) => name !== 'environment' && name !== 'origin')
  const at = own.findIndex(([name]) => name > 'origin')
  const sent = isForwarded === true ? findForwardedOrigin(labels) : undefined
  return own.toSpliced(at === -1 ? own.length : at, 0, ['origin', sent ?? origin])
}

/** Returns true for a sample that any visitor of a page can send, also through an edge or proxy. */
export function isPublicSample(labels: ImpactLabels, { isPublic, isForwarded }: Omit<ImpactSource, 'origin'>): boolean {
  return isPublic || (isForwarded === true && hasPublicOrigin(labels))
}

/** Returns true if a series has values of pages or apps, whose keys any visitor can read. */
export function hasPublicOrigin(labels: ImpactLabels): boolean {
  return labels.some(([name, value]) => name === 'origin' && (value === 'browser' || value === 'proxy'))
}

function findForwardedOrigin(labels: ImpactLabels): ImpactOrigin | undefined {
  const sent = labels.find(([name]) => name === 'origin')?.[1]
  return sent === 'edge' || sent === 'proxy' || sent === 'browser' ? sent : undefined
}

/** Adds the values of a sample to those of its series; the value of a gauge is replaced. */
export function addValues(type: ImpactType, sums: number[], values: readonly number[]): void {
  for (const [index, value] of values.entries()) {
    sums[index] = type === 'gauge' ? value : clamp((sums[index] ?? 0) + value)
  }
}

function clamp(value: number): number {
  return Math.max(-MAX_VALUE, Math.min(MAX_VALUE, value))
}

function isOther(labels: ImpactLabels): boolean {
  return labels === OTHER_LABELS
}
