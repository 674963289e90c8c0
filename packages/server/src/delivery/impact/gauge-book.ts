import type { ImpactLabels } from '@burgee/protocol/usage/impact-metrics'
import { hasRoom, type ImpactBounds, type UsedRoom } from '@burgee/serving/impact/impact-bounds'
import { getSeriesKey } from '@burgee/serving/impact/impact-labels'
import type { ImpactRefusals } from '@burgee/serving/impact/impact-refusals'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'

/** Last value of a gauge, as reported by one connection. */
export interface GaugeReport {
  readonly name: string
  readonly help: string
  readonly labels: ImpactLabels
  readonly value: number
  /** Id of the connection. */
  readonly connection: string
  readonly now: number
  /** Interval between the connection's reports, in milliseconds. */
  readonly intervalMs: number
  /** True if any visitor of a web page can send such reports. */
  readonly isPublic: boolean
}

interface ConnectionValue {
  value: number
  readonly sinceMs: number
  untilMs: number
}

interface GaugeSeries {
  readonly name: string
  readonly labels: ImpactLabels
  help: string
  /** True until a source that is not public reports the series. */
  isPublic: boolean
  readonly connections: Map<string, ConnectionValue>
}

/**
 * Maximum number of connection values, summed over all gauges of an environment. Public sources may use half of this
 * number.
 */
const MAX_CONNECTIONS = 50_000
/** Number of intervals without a report after which the value of a connection is dropped. */
const FORGOTTEN_AFTER = 3

/**
 * Gauges in one environment, with the last value from each connection. A connection that stops reporting is dropped
 * after three intervals.
 */
export class GaugeBook {
  readonly #bounds: ImpactBounds
  readonly #refusals: ImpactRefusals
  readonly #metrics = new Map<string, Map<string, GaugeSeries>>()
  #connections = 0

  constructor(bounds: ImpactBounds, refusals: ImpactRefusals) {
    this.#bounds = bounds
    this.#refusals = refusals
  }

  /** Number of connections with a value, across all gauges. */
  get size(): number {
    return this.#connections
  }

  report({ name, help, labels, value, connection, now, intervalMs, isPublic }: GaugeReport): void {
    const series = this.#getSeries(name, labels, isPublic)
    if (series === undefined) return
    series.help = help
    series.isPublic &&= isPublic
    const untilMs = now + FORGOTTEN_AFTER * intervalMs
    const known = series.connections.get(connection)
    if (known !== undefined) {
      known.value = value
      known.untilMs = untilMs
      return
    }
    if (this.#connections >= (isPublic ? MAX_CONNECTIONS / 2 : MAX_CONNECTIONS)) {
      this.#refusals.add('connections')
      return
    }
    series.connections.set(connection, { value, sinceMs: now, untilMs })
    this.#connections += 1
  }

  /**
   * Returns, for each series and a minute that has ended, the sum over the series' connections and their number. Drops
   * connections that stopped reporting before that minute.
   */
  sample(minute: number, endMs: number): ImpactRow[] {
    const rows: ImpactRow[] = []
    for (const [name, all] of this.#metrics) {
      for (const [key, series] of all) {
        const values = this.#sumConnections(series, minute, endMs)
        if (series.connections.size === 0) all.delete(key)
        const { help, labels, isPublic } = series
        if (values !== undefined) rows.push({ name, type: 'gauge', help, labels, bounds: [], values, isPublic })
      }
      if (all.size === 0) this.#metrics.delete(name)
    }
    return rows
  }

  #sumConnections({ connections }: GaugeSeries, minute: number, endMs: number): number[] | undefined {
    let sum = 0
    let count = 0
    for (const [id, { value, sinceMs, untilMs }] of connections) {
      if (untilMs <= minute) {
        connections.delete(id)
        this.#connections -= 1
      } else if (sinceMs < endMs) {
        sum += value
        count += 1
      }
    }
    return count === 0 ? undefined : [sum, count]
  }

  #getSeries(name: string, labels: ImpactLabels, isPublic: boolean): GaugeSeries | undefined {
    const all = this.#metrics.get(name) ?? new Map<string, GaugeSeries>()
    const key = getSeriesKey(labels, [])
    const known = all.get(key)
    if (known !== undefined) return known
    if (!this.#metrics.has(name) && !hasRoom(this.#countMetrics(), this.#bounds.metrics, isPublic)) {
      this.#refusals.add('metrics')
      return undefined
    }
    // gauges have no `other` series, because connections with different labels cannot share a last value
    if (!hasRoom(countSeries(all), this.#bounds.series, isPublic)) {
      this.#refusals.add('series')
      return undefined
    }
    this.#metrics.set(name, all)
    const fresh: GaugeSeries = { name, labels, help: '', isPublic, connections: new Map() }
    all.set(key, fresh)
    return fresh
  }

  #countMetrics(): UsedRoom {
    let open = 0
    for (const all of this.#metrics.values()) if (countSeries(all).public === all.size) open += 1
    return { all: this.#metrics.size, public: open }
  }
}

function countSeries(all: ReadonlyMap<string, GaugeSeries>): UsedRoom {
  let open = 0
  for (const { isPublic } of all.values()) if (isPublic) open += 1
  return { all: all.size, public: open }
}
