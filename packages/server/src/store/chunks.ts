/** Rows per statement: databases bound the number of values. */
export const CHUNK = 500

/** Flags per query where their rows are many: more would keep everybody else from the thread when they arrive. */
export const FLAGS_AT_ONCE = 250

/** A list in parts of `most`, by default as many as one statement can take. */
export function chunks<T>(list: readonly T[], most = CHUNK): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += most) parts.push(list.slice(at, at + most))
  return parts
}
