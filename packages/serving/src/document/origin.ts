/** Origin of a configuration: the upstream itself, or a substitute that is used until the upstream responds. */
export type Origin = 'upstream' | 'bootstrap' | 'backup'

/** Precedence of origins. The origin with the higher rank wins, regardless of which configuration arrives first. */
const RANK: Readonly<Record<Origin, number>> = { backup: 0, bootstrap: 1, upstream: 2 }

/**
 * Returns true if the first origin takes precedence over the second, regardless of which configuration arrives first.
 */
export function outranks(one: Origin, other: Origin): boolean {
  return RANK[one] > RANK[other]
}
