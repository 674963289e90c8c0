import type { FeatureUsageRow } from '@burgee/protocol/usage'
import { sumCounts } from '@burgee/protocol/usage/count-sum'

const HOUR_MS = 3_600_000

/** Number of results in one hour. */
export interface HourCount {
  /** Start of the hour in milliseconds since the epoch. */
  readonly at: number
  readonly yes: number
  readonly no: number
}

/** Returns a count for each of the last hours, ending with the current hour. An hour without reports counts as 0. */
export function countPerHour(rows: readonly FeatureUsageRow[], hours: number, now: number): HourCount[] {
  const end = Math.floor(now / HOUR_MS)
  const bars = Array.from({ length: hours + 1 }, (_, index) => ({ at: (end - hours + index) * HOUR_MS, yes: 0, no: 0 }))
  for (const { timestamp, yes, no } of rows) {
    const bar = bars[hours - (end - Math.floor(Date.parse(timestamp) / HOUR_MS))]
    if (bar === undefined) continue
    bar.yes = sumCounts(bar.yes, yes)
    bar.no = sumCounts(bar.no, no)
  }
  return bars
}

/** Adds up the "on" results and, separately, the "off" results. */
export function sumUsage(rows: readonly Pick<FeatureUsageRow, 'yes' | 'no'>[]): { yes: number; no: number } {
  const none = { yes: 0, no: 0 }
  return rows.reduce((sum, { yes, no }) => ({ yes: sumCounts(sum.yes, yes), no: sumCounts(sum.no, no) }), none)
}

/** Returns the percentage of "on" results, rounded to one decimal place. */
export function getSharePercent({ yes, no }: Pick<FeatureUsageRow, 'yes' | 'no'>): number {
  return Math.round((yes / Math.max(1, yes + no)) * 1000) / 10
}

/** Returns the number of results per variant, most frequent first. */
export function countPerVariant(rows: readonly FeatureUsageRow[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { variants } of rows) {
    for (const [name, count] of Object.entries(variants)) counts.set(name, sumCounts(counts.get(name) ?? 0, count))
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}
