import { DEFAULT_IMPACT_LIMITS, type ImpactLimits } from '@burgee/protocol/usage/impact-metrics'

/** Limits on collected metrics. */
export interface ImpactBounds {
  /** Maximum number of metrics. */
  readonly metrics: number
  /** Maximum number of series per metric. Values beyond this limit are added to the `other` series of their origin. */
  readonly series: number
}

/** Limits on reported and on collected metrics. */
export type CollectionLimits = ImpactLimits & ImpactBounds

/** Default limits. */
export const DEFAULT_COLLECTION_LIMITS: CollectionLimits = { ...DEFAULT_IMPACT_LIMITS, metrics: 200, series: 200 }

/** Maximum number of characters of all series, so that the labels of an environment cannot exhaust the memory. */
export const MAX_CHARACTERS = 4 * 1024 * 1024
/**
 * Maximum number of `other` series per metric and origin. Each set of bucket bounds has its own `other` series, and
 * callers can invent bounds as well.
 */
export const MAX_OTHERS = 5

/** Share of a limit that public sources may use, so that invented names cannot displace names that servers report. */
const PUBLIC_SHARE = 0.5

/** Number of items, and how many of them come from public sources. */
export interface UsedRoom {
  readonly all: number
  readonly public: number
}

/** Returns true if another item fits into the limit. Public sources may use half of the limit. */
export function hasRoom(used: UsedRoom, limit: number, isPublic: boolean): boolean {
  return used.all < limit && (!isPublic || used.public < limit * PUBLIC_SHARE)
}
