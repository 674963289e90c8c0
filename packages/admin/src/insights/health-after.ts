/** How many flags of a project are well, marked as stale, or older than their type lives. */
export interface HealthCounts {
  readonly active: number
  readonly stale: number
  readonly overdue: number
}

/** Share of flags that are well, in percent, as the server counts it; without flags all is well. */
export function healthOf({ active, stale, overdue }: HealthCounts): number {
  const all = active + stale + overdue
  return all === 0 ? 100 : Math.round((100 * active) / all)
}

/** What it would be without the stale ones, and without those that have outlived their type. */
export function healthAfter(counts: HealthCounts): { withoutStale: number; withoutOverdue: number } {
  return {
    withoutStale: healthOf({ ...counts, stale: 0 }),
    withoutOverdue: healthOf({ ...counts, overdue: 0 }),
  }
}
