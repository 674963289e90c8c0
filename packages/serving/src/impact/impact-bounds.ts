import { DEFAULT_IMPACT_LIMITS, type ImpactLimits } from '@burgee/protocol/usage/impact-metrics'

/** Limits on collected metrics. */
export interface ImpactBounds {
  /** Maximum number of distinct metrics. */
  readonly metrics: number
  /**
   * Maximum number of time series per metric. Values of series beyond this limit are added to the `other` series of
   * their origin.
   */
  readonly series: number
}

/** Limits on reported metrics and on collected metrics. */
export type CollectionLimits = ImpactLimits & ImpactBounds

/** Default limits. */
export const DEFAULT_COLLECTION_LIMITS: CollectionLimits = { ...DEFAULT_IMPACT_LIMITS, metrics: 200, series: 200 }

/**
 * Maximum total length of all series in characters, so that the labels of one environment cannot exhaust the memory.
 */
export const MAX_CHARACTERS = 4 * 1024 * 1024
/**
 * Maximum number of `other` series per metric and per origin. Each set of bucket bounds needs a separate `other`
 * series, and callers can invent bounds as well.
 */
export const MAX_OTHERS = 5

/**
 * Fraction of a limit that public sources may use, so that names invented by callers cannot displace names that servers
 * report.
 */
const PUBLIC_SHARE = 0.5

/** Total number of items, and how many of them come from public sources. */
export interface UsedRoom {
  readonly all: number
  readonly public: number
}

/** Returns true if one more item fits within the limit. Public sources may use half of the limit. */
export function hasRoom(used: UsedRoom, limit: number, isPublic: boolean): boolean {
  return used.all < limit && (!isPublic || used.public < limit * PUBLIC_SHARE)
}
