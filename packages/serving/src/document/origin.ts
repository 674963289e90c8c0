/** Origin of a configuration: the upstream itself, or a substitute until it responds. */
export type Origin = 'upstream' | 'bootstrap' | 'backup'

/** Precedence of origins. The higher rank wins, regardless of arrival order. */
const RANK: Readonly<Record<Origin, number>> = { backup: 0, bootstrap: 1, upstream: 2 }

/** Returns true if the first origin takes precedence over the second, regardless of arrival order. */
export function outranks(one: Origin, other: Origin): boolean {
  return RANK[one] > RANK[other]
}
