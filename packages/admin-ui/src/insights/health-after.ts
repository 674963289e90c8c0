/**
 * Numbers of flags in a project: active flags, stale flags, and overdue flags (older than the lifetime of their type).
 */
export interface HealthCounts {
  readonly active: number
  readonly stale: number
  readonly overdue: number
}

/** Returns the percentage of healthy flags, as the server computes it; 100 without flags. */
export function calculateHealth({ active, stale, overdue }: HealthCounts): number {
  const all = active + stale + overdue
  return all === 0 ? 100 : Math.round((100 * active) / all)
}

/** Returns two hypothetical health values: without stale flags, and without overdue flags. */
export function calculateHealthAfter(counts: HealthCounts): { withoutStale: number; withoutOverdue: number } {
  return {
    withoutStale: calculateHealth({ ...counts, stale: 0 }),
    withoutOverdue: calculateHealth({ ...counts, overdue: 0 }),
  }
}
