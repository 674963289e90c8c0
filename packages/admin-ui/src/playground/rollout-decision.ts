import type { RolloutDecision } from '@burgee/protocol/playground'

/** Returns true if the percentage of a strategy excludes the context, regardless of the constraints. */
export function isOutsideRollout(decision: RolloutDecision | undefined): boolean {
  if (decision === undefined) return false
  const { bucket, limit } = decision
  if (bucket === 'random') return false
  return bucket === null || limit === null || bucket > limit
}
