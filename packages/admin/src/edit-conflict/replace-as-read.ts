import { ApiError, type Tagged } from '../api/http.ts'
import { differences } from '../difference/difference.ts'

/** Functions that read a resource and extract its editable part. */
interface Reading<T> {
  readonly read: () => Promise<T>
  readonly bodyOf: (from: T) => unknown
}

/** Wraps a resource for which the server sends no ETag. */
export const untagged = async <T>(reading: Promise<T>): Promise<Tagged<T>> => ({
  value: await reading,
  etag: undefined,
})

/**
 * Replaces a resource that has no ETag. Reads it again first, and rejects with ApiError 412 if it has changed since
 * `from` was read.
 */
export async function replaceAsRead<T>(from: T, { read, bodyOf }: Reading<T>, write: () => Promise<unknown>) {
  const now = await read()
  if (differences(bodyOf(from), bodyOf(now)).length > 0) throw new ApiError(412, 'changed since it was read')
  return write()
}
