import type { Repository } from '@burgee/serving/document/repository'

const MISSED_POLLS = 3
/**
 * Minimum age at which a configuration counts as stale. The poll interval alone is no measure, because it may be
 * shorter than the time that the upstream takes to reply.
 */
const MIN_STALE_MS = 1000

/** Dependencies of `isStale`. */
export interface StaleDeps {
  readonly repository: Repository
  /** Poll interval; undefined if the source pushes changes. */
  readonly pollIntervalMs: number | undefined
}

/**
 * Returns true if the current configuration may be outdated. This is the case if the configuration comes from a backup
 * or bootstrap, because the upstream has not responded yet, or if the upstream has not responded to three polls in a
 * row.
 */
export function isStale({ repository, pollIntervalMs }: StaleDeps): boolean {
  const { state } = repository
  if (state === undefined) return false
  if (state.origin !== 'upstream' || pollIntervalMs === undefined) return state.origin !== 'upstream'
  const longestMs = Math.max(MISSED_POLLS * pollIntervalMs, MIN_STALE_MS)
  return (repository.syncedAgoMs ?? Number.POSITIVE_INFINITY) > longestMs
}
