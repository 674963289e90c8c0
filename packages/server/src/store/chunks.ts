/** Rows per statement; databases limit the number of parameters. */
export const CHUNK = 500

/** Flags per query if each has many rows; larger results would block the event loop when they arrive. */
export const FLAGS_AT_ONCE = 250

/** Splits a list into parts of `most` items, by default as many as one statement can take. */
export function chunks<T>(list: readonly T[], most = CHUNK): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += most) parts.push(list.slice(at, at + most))
  return parts
}
