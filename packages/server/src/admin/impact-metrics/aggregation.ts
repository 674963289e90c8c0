import type { ImpactAggregation } from '@burgee/protocol/administration/impact-reading'
import type { ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Columns } from '@burgee/storage/queries/impact/impact-points'

/** Sums of the series of a group in one step. */
export interface StepSums {
  /** Sum of a counter or of observations. For a gauge, the sum over connections, averaged over minutes. */
  sum: number
  /** Number of observations, or connections averaged over minutes. */
  count: number
  /** Number of observations by the upper bound of their bucket; the last bound is infinite. */
  readonly buckets: Map<number, number>
  hasValues: boolean
}

/** Returns empty sums. */
export function createStepSums(): StepSums {
  return { sum: 0, count: 0, buckets: new Map(), hasValues: false }
}

/** Adds the values of a series in one slot of its columns. */
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
    const bound = bounds[index] ?? Number.POSITIVE_INFINITY
    sums.buckets.set(bound, (sums.buckets.get(bound) ?? 0) + count)
    sums.count += count
    sums.hasValues = true
  }
}

const QUANTILES: Partial<Record<ImpactAggregation, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 }

/** Returns the value of a step, or null if nothing was reported. A counter without events is 0. */
export function aggregate(
  sums: StepSums,
  { type, mode, seconds }: { readonly type: ImpactType; readonly mode: ImpactAggregation; readonly seconds: number },
): number | null {
  if (mode === 'count') return sums.count
  if (mode === 'rps') return sums.count / Math.max(seconds, 1)
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
  const sorted = [...buckets].sort(([one], [other]) => one - other)
  const rank = quantile * count
  let before = 0
  let lower = 0
  for (const [bound, inBucket] of sorted) {
    if (before + inBucket >= rank && inBucket > 0) {
      if (bound === Number.POSITIVE_INFINITY) return lower
      const from = Math.min(lower, bound)
      return from + (bound - from) * ((rank - before) / inBucket)
    }
    before += inBucket
    lower = bound
  }
  return null
}
