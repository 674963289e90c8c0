import { ApiError, type Tagged } from '../api/http.ts'
import { differences } from '../difference/difference.ts'

/** How something is read, and what of it an editor changes. */
interface Reading<T> {
  readonly read: () => Promise<T>
  readonly bodyOf: (from: T) => unknown
}

/** Something whose state the server does not name. */
export const untagged = async <T>(reading: Promise<T>): Promise<Tagged<T>> => ({
  value: await reading,
  etag: undefined,
})

/**
 * Replaces what has no state to name: reads it again first, and refuses with ApiError 412, as the server does for what has
 * one, when somebody has changed it since `from` was read.
 */
export async function replaceAsRead<T>(from: T, { read, bodyOf }: Reading<T>, write: () => Promise<unknown>) {
  const now = await read()
  if (differences(bodyOf(from), bodyOf(now)).length > 0) throw new ApiError(412, 'changed since it was read')
  return write()
}
