import { createHash } from 'node:crypto'
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

/** Value that a connection reported, and the time until which it is current. */
interface TimedValue {
  readonly value: number
  readonly at: number
  readonly untilMs: number
}

interface ConnectionValue {
  /** Hash of the series and the connection. */
  readonly key: string
  last: TimedValue
  /** Last value before the minute of `last`. */
  earlier: TimedValue | undefined
}

interface GaugeSeries {
  readonly name: string
  readonly labels: ImpactLabels
  help: string
  /** True until a source that is not public reports the series. */
  isPublic: boolean
  readonly connections: Map<string, ConnectionValue>
}

/** Gauge as it was when a minute ended. */
export interface SealedGauge extends Omit<ImpactRow, 'type' | 'bounds' | 'values'> {
  readonly connections: readonly SealedValue[]
}

/** Value of a connection when a minute ended, and the time of its report. */
export interface SealedValue {
  readonly key: string
  readonly value: number
  readonly at: number
}

const MINUTE_MS = 60_000
/** Number of characters of a key: 66 bits. */
const KEY_LENGTH = 11
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
    const last = { value, at: now, untilMs }
    if (known !== undefined) {
      if (startOfMinute(known.last.at) !== startOfMinute(now)) known.earlier = known.last
      known.last = last
      return
    }
    if (this.#connections >= (isPublic ? MAX_CONNECTIONS / 2 : MAX_CONNECTIONS)) {
      this.#refusals.add('connections')
      return
    }
    const key = createKey([name, getSeriesKey(labels, []), connection])
    series.connections.set(connection, { key, last, earlier: undefined })
    this.#connections += 1
  }

  /**
   * Returns the gauges as they were when a minute ended. Drops connections that stopped reporting before that minute.
   */
  seal(minute: number): SealedGauge[] {
    const sealed: SealedGauge[] = []
    for (const [name, all] of this.#metrics) {
      for (const [key, series] of all) {
        const connections = this.#sealConnections(series, minute)
        if (series.connections.size === 0) all.delete(key)
        const { help, labels, isPublic } = series
        if (connections.length > 0) sealed.push({ name, help, labels, isPublic, connections })
      }
      if (all.size === 0) this.#metrics.delete(name)
    }
    return sealed
  }

  #sealConnections({ connections }: GaugeSeries, minute: number): SealedValue[] {
    const sealed: SealedValue[] = []
    for (const [id, { key, last, earlier }] of connections) {
      if (last.untilMs <= minute) {
        connections.delete(id)
        this.#connections -= 1
        continue
      }
      const then = last.at < minute + MINUTE_MS ? last : earlier
      if (then !== undefined && then.untilMs > minute) sealed.push({ key, value: then.value, at: then.at })
    }
    return sealed
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

/** Returns the rows of sealed gauges: the sum over the counted connections, and their number. */
export function toGaugeRows(sealed: readonly SealedGauge[], isCounted: (one: SealedValue) => boolean): ImpactRow[] {
  return sealed.flatMap(({ connections, ...series }) => {
    const counted = connections.filter(isCounted)
    if (counted.length === 0) return []
    const sum = counted.reduce((total, { value }) => total + value, 0)
    return [{ ...series, type: 'gauge' as const, bounds: [], values: [sum, counted.length] }]
  })
}

function startOfMinute(now: number): number {
  return now - (now % MINUTE_MS)
}

function createKey(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, KEY_LENGTH)
}

function countSeries(all: ReadonlyMap<string, GaugeSeries>): UsedRoom {
  let open = 0
  for (const { isPublic } of all.values()) if (isPublic) open += 1
  return { all: all.size, public: open }
}
