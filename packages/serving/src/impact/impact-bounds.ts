import { DEFAULT_IMPACT_LIMITS, type ImpactLimits } from '@burgee/protocol/usage/impact-metrics'

/** Limits on collected metrics. */
export interface ImpactBounds {
  /** Maximum number of metrics. */
  readonly metrics: number
  /** Maximum number of series per metric. Values of further series are added to the series `other` of their origin. */
  readonly series: number
}

/** Limits on reported and on collected metrics. */
export type CollectionLimits = ImpactLimits & ImpactBounds

/** Default limits. */
export const DEFAULT_COLLECTION_LIMITS: CollectionLimits = { ...DEFAULT_IMPACT_LIMITS, metrics: 200, series: 200 }

/** Maximum number of characters of all series, by which the labels of an environment cannot fill the memory. */
export const MAX_CHARACTERS = 4 * 1024 * 1024
/**
 * Maximum number of series `other` of a metric and an origin: there is one for each set of bounds, and bounds can be
 * invented as well.
 */
export const MAX_OTHERS = 5

/** Share of a limit that public sources may use, so that an invented name cannot displace a name of a server. */
const PUBLIC_SHARE = 0.5

/** Numbers of items, all and public ones. */
export interface UsedRoom {
  readonly all: number
  readonly public: number
}

/** Returns true if there is room for one more. Public sources may use half of a limit. */
export function hasRoom(used: UsedRoom, limit: number, isPublic: boolean): boolean {
  return used.all < limit && (!isPublic || used.public < limit * PUBLIC_SHARE)
}
