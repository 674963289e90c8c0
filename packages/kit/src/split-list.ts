/** Splits a list into parts with at most `max` items each. An empty list is split into no parts. */
export function splitList<T>(list: readonly T[], max: number): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += max) parts.push(list.slice(at, at + max))
  return parts
}
