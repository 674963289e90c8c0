/** Rows per statement: databases bound the number of values. */
export const CHUNK = 500

/** A list in parts of `most`, by default as many as one statement can take. */
export function chunks<T>(list: readonly T[], most = CHUNK): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += most) parts.push(list.slice(at, at + most))
  return parts
}
