import type { ImpactLabels, ImpactMetric, ImpactSample, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { hasRoom, type ImpactBounds, MAX_CHARACTERS, MAX_OTHERS } from './impact-bounds.ts'
import {
  getOrigin,
  getSeriesKey,
  type ImpactSource,
  isOther,
  isPublicSample,
  toOtherLabels,
  withOrigin,
} from './impact-labels.ts'
import type { ImpactRefusals } from './impact-refusals.ts'

/** Identity of a series of a metric. */
export interface ImpactSeriesKey {
  readonly name: string
  readonly type: ImpactType
  readonly labels: ImpactLabels
  /** Upper bounds of the buckets; histograms with different bounds are separate series. */
  readonly bounds: readonly number[]
}

/** Collected values of one series. */
export interface ImpactRow extends ImpactSeriesKey {
  readonly help: string
  /**
   * Values of the series, in the same form as in a sample. Empty if the metric was announced but has no values; the row
   * then has neither labels nor bounds.
   */
  readonly values: readonly number[]
  /** True if only public sources, which any visitor can imitate, have reported the series. */
  readonly isPublic: boolean
}

interface Series {
  readonly labels: ImpactLabels
  readonly bounds: readonly number[]
  readonly values: number[]
  isPublic: boolean
}

interface Metric {
  readonly name: string
  readonly type: ImpactType
  readonly series: Map<string, Series>
  help: string
  /** True until a non-public source reports the metric. */
  isPublic: boolean
  /** Number of series, excluding `other` series. */
  readonly used: { all: number; public: number }
  /** Number of `other` series, by origin. */
  readonly others: Map<string, number>
}

const MAX_VALUE = Number.MAX_VALUE
/** Estimated number of characters that a bucket bound and its count take as text. */
const CHARACTERS_PER_BOUND = 16

/**
 * Sums of the impact metrics of one environment. Counters and histograms are added up; a gauge keeps the last value
 * that was reported. The numbers of metrics, series and characters are limited, and everything rejected is counted.
 */
export class ImpactSums {
  readonly #bounds: ImpactBounds
  readonly #refusals: ImpactRefusals
  readonly #maxCharacters: number
  readonly #metrics = new Map<string, Metric>()
  readonly #characters = { all: 0, public: 0 }
  #publicMetrics = 0
  #rows = 0

  /** @param maxCharacters maximum total number of characters of all labels and bucket bounds */
  constructor(bounds: ImpactBounds, refusals: ImpactRefusals, maxCharacters = MAX_CHARACTERS) {
    this.#bounds = bounds
    this.#refusals = refusals
    this.#maxCharacters = maxCharacters
  }

  /** Number of metrics and series. */
  get size(): number {
    return this.#metrics.size + this.#rows
  }

  /** Number of series. */
  get seriesCount(): number {
    return this.#rows
  }

  /** Adds the metrics that one report contains. */
  add(metrics: readonly ImpactMetric[], source: ImpactSource): void {
    // a forwarded metric without samples may have come from a web page
    const isAnnouncementPublic = source.isPublic || source.isForwarded === true
    for (const { name, help, type, samples } of metrics) {
      const isPublic =
        samples.length === 0 ? isAnnouncementPublic : samples.every(({ labels }) => isPublicSample(labels, source))
      const metric = this.#getMetric(name, type, isPublic)
      if (metric === undefined) continue
      metric.help = help
      for (const { labels, bounds, values } of samples) {
        const own = { labels: withOrigin(labels, source), bounds, values }
        this.#addSample(metric, own, isPublicSample(labels, source))
      }
    }
  }

  /** Adds the values of one series. */
  addRow({ name, help, type, labels, bounds, values, isPublic }: ImpactRow): void {
    const metric = this.#getMetric(name, type, isPublic)
    if (metric === undefined) return
    metric.help = help
    if (values.length > 0) this.#addSample(metric, { labels, bounds, values }, isPublic)
  }

  /** Restores rows that could not be delivered. Does not overwrite newer values of gauges. */
  restore(rows: readonly ImpactRow[]): void {
    for (const row of rows) {
      const { name, type, labels, bounds } = row
      const isNewer = type === 'gauge' && this.#metrics.get(`${type} ${name}`)?.series.has(getSeriesKey(labels, bounds))
      if (isNewer !== true) this.addRow(row)
    }
  }

  /** Returns everything collected. */
  *list(): Generator<ImpactRow, void> {
    for (const { name, type, help, series, isPublic } of this.#metrics.values()) {
      if (series.size === 0) yield { name, type, help, labels: [], bounds: [], values: [], isPublic }
      for (const one of series.values()) yield { name, type, help, ...one }
    }
  }

  /** Returns all collected rows and starts from zero. */
  drain(): ImpactRow[] {
    const rows = [...this.list()]
    this.#metrics.clear()
    this.#characters.all = 0
    this.#characters.public = 0
    this.#publicMetrics = 0
    this.#rows = 0
    return rows
  }

  #getMetric(name: string, type: ImpactType, isPublic: boolean): Metric | undefined {
    const key = `${type} ${name}`
    const known = this.#metrics.get(key)
    if (known !== undefined) {
      if (known.isPublic && !isPublic) {
        known.isPublic = false
        this.#publicMetrics -= 1
      }
      return known
    }
    const used = { all: this.#metrics.size, public: this.#publicMetrics }
    if (!hasRoom(used, this.#bounds.metrics, isPublic)) {
      this.#refusals.add('metrics')
      return undefined
    }
    const counts = { used: { all: 0, public: 0 }, others: new Map<string, number>() }
    const fresh: Metric = { name, type, help: '', series: new Map(), isPublic, ...counts }
    this.#metrics.set(key, fresh)
    if (isPublic) this.#publicMetrics += 1
    return fresh
  }

  #addSample(metric: Metric, sample: ImpactSample, isPublic: boolean): void {
    const key = getSeriesKey(sample.labels, sample.bounds)
    const known = metric.series.get(key)
    if (known !== undefined) {
      addValues(metric.type, known.values, sample.values)
      known.isPublic &&= isPublic
      return
    }
    if (this.#reserve(metric, sample, isPublic)) {
      const { labels, bounds, values } = sample
      metric.series.set(key, { labels, bounds, values: [...values], isPublic })
      this.#rows += 1
      return
    }
    this.#refusals.add('series')
    if (!isOther(sample.labels)) {
      this.#addSample(metric, { ...sample, labels: toOtherLabels(sample.labels) }, isPublic)
    }
  }

  /** Counts a new series. Returns false, and counts nothing, if there is no room for another series. */
  #reserve({ used, others }: Metric, { labels, bounds }: ImpactSample, isPublic: boolean): boolean {
    if (isOther(labels)) {
      const origin = getOrigin(labels)
      const count = others.get(origin) ?? 0
      if (count < MAX_OTHERS) others.set(origin, count + 1)
      return count < MAX_OTHERS
    }
    const characters = measureSeries(labels, bounds)
    const after = { all: this.#characters.all + characters, public: this.#characters.public + characters }
    if (!hasRoom(after, this.#maxCharacters, isPublic) || !hasRoom(used, this.#bounds.series, isPublic)) return false
    this.#characters.all = after.all
    used.all += 1
    if (isPublic) {
      this.#characters.public = after.public
      used.public += 1
    }
    return true
  }
}

function measureSeries(labels: ImpactLabels, bounds: readonly number[]): number {
  return labels.reduce((sum, [name, value]) => sum + name.length + value.length, bounds.length * CHARACTERS_PER_BOUND)
}

/** Adds the values of a sample to its series; the value of a gauge is overwritten. */
function addValues(type: ImpactType, sums: number[], values: readonly number[]): void {
  for (const [index, value] of values.entries()) {
    sums[index] = type === 'gauge' ? value : clamp((sums[index] ?? 0) + value)
  }
}

function clamp(value: number): number {
  return Math.max(-MAX_VALUE, Math.min(MAX_VALUE, value))
}
