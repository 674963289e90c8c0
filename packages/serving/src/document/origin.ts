/** Where a configuration came from: the upstream itself, or something in its place until it answers. */
export type Origin = 'upstream' | 'bootstrap' | 'backup'

/** Which origin wins over which, however late it comes. */
const RANK: Readonly<Record<Origin, number>> = { backup: 0, bootstrap: 1, upstream: 2 }

/** Whether a configuration of the first origin is worth more than one of the second, however late that comes. */
export function outranks(one: Origin, other: Origin): boolean {
  return RANK[one] > RANK[other]
}
