import type { ImpactAggregation } from '@burgee/protocol/administration/impact-reading'
import type { ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Columns } from '@burgee/storage/queries/impact/impact-points'

/** Sums of a group's series in one step. */
export interface StepSums {
  /**
   * Sum of a counter's increments, or of a histogram's observed values. For a gauge: sum over all connections, as an
   * average over the minutes of the step.
   */
  sum: number
  /** Number of observations. For a gauge: number of connections, as an average over the minutes of the step. */
  count: number
  /** Number of observations per histogram bucket, keyed by upper bound and then by lower bound. */
  readonly buckets: Map<number, Map<number, number>>
  hasValues: boolean
}

/** Returns empty sums. */
export function createStepSums(): StepSums {
  return { sum: 0, count: 0, buckets: new Map(), hasValues: false }
}

/** Adds the values that one series has in one time slot. */
export function addSlot(
  sums: StepSums,
  {
    type,
    bounds,
    columns,
  }: { readonly type: ImpactType; readonly bounds: readonly number[]; readonly columns: Columns },
  slot: number,
): void {
  const read = (column: number) => columns[column]?.[slot] ?? 0
  if (type === 'counter') addCounter(sums, read(0))
  else if (type === 'gauge') addGauge(sums, { sum: read(0), connections: read(1), minutes: read(2) })
  else addHistogram(sums, bounds, read)
}

function addCounter(sums: StepSums, value: number): void {
  sums.sum += value
  sums.count += value
  if (value !== 0) sums.hasValues = true
}

function addGauge(
  sums: StepSums,
  { sum, connections, minutes }: { readonly sum: number; readonly connections: number; readonly minutes: number },
): void {
  if (connections === 0) return
  const over = Math.max(minutes, 1)
  sums.sum += sum / over
  sums.count += connections / over
  sums.hasValues = true
}

function addHistogram(sums: StepSums, bounds: readonly number[], read: (column: number) => number): void {
  sums.sum += read(0)
  for (let index = 0; index <= bounds.length; index += 1) {
    const count = read(index + 1)
    if (count === 0) continue
    const upper = bounds[index] ?? Number.POSITIVE_INFINITY
    // as in Prometheus, the first bucket begins at 0, unless its upper bound is 0 or negative
    const lower = bounds[index - 1] ?? Math.min(0, upper)
    const known = sums.buckets.get(upper) ?? new Map<number, number>()
    sums.buckets.set(upper, known)
    known.set(lower, (known.get(lower) ?? 0) + count)
    sums.count += count
    sums.hasValues = true
  }
}

/** Tolerance for rounding errors, relative to the number of observations. */
const TOLERANCE = 1e-9
const QUANTILES: Partial<Record<ImpactAggregation, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 }

/** Aggregation to apply to the values of a metric. */
export interface Aggregation {
  readonly type: ImpactType
  readonly mode: ImpactAggregation
  /** Length of the period that the values cover; undefined if the period has not ended. */
  readonly seconds: number | undefined
}

/**
 * Returns the aggregated value of one step. Returns null if nothing was reported, and for a rate also if the step has
 * not ended yet. A counter without increments is 0.
 */
export function aggregate(sums: StepSums, { type, mode, seconds }: Aggregation): number | null {
  if (mode === 'count') return sums.count
  // reports arrive in batches, so the rate would fluctuate until the step has ended
  if (mode === 'rps') return seconds === undefined ? null : sums.count / seconds
  if (!sums.hasValues && !(type === 'histogram' && mode === 'sum')) return null
  if (mode === 'sum') return sums.sum
  if (mode === 'avg') return sums.sum / sums.count
  return readQuantile(sums, QUANTILES[mode] ?? 1)
}

/**
 * Returns an estimate of a quantile by linear interpolation within its bucket. For a quantile above the last finite
 * bound, returns this bound, as Prometheus does.
 */
function readQuantile({ buckets, count }: StepSums, quantile: number): number | null {
  const rank = quantile * count
  const tolerance = count * TOLERANCE
  let below = 0
  let density = 0
  let last: number | null = null
  for (const { value, mass, slope } of listEdges(buckets)) {
    const reached: number = last === null ? 0 : below + density * (value - last)
    if (last !== null && density > 0 && reached >= rank - tolerance) {
      return Math.min(value, last + (rank - below) / density)
    }
    below = reached + mass
    if (below >= rank - tolerance) return value
    density += slope
    last = value
  }
  return last
}

/** Value at which the cumulative number of observations jumps or changes its slope. */
interface Edge {
  readonly value: number
  /** Number of observations with this value. */
  mass: number
  /** Change in slope: observations per unit of the value. */
  slope: number
}

function listEdges(buckets: StepSums['buckets']): Edge[] {
  const edges = new Map<number, Edge>()
  const at = (value: number): Edge => {
    const edge = edges.get(value) ?? { value, mass: 0, slope: 0 }
    edges.set(value, edge)
    return edge
  }
  for (const [upper, byLower] of buckets) {
    for (const [lower, count] of byLower) {
      if (upper === Number.POSITIVE_INFINITY || upper === lower) at(lower).mass += count
      else {
        const slope = count / (upper - lower)
        at(lower).slope += slope
        at(upper).slope -= slope
      }
    }
  }
  return [...edges.values()].sort((one, other) => one.value - other.value)
}
