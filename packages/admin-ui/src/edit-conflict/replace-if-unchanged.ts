import { ApiError, type WithEtag } from '../api/http.ts'
import { findDifferences } from '../diff/diff.ts'

/** Functions that read a resource and extract its editable part. */
interface EditableReader<T> {
  readonly read: () => Promise<T>
  readonly bodyOf: (from: T) => unknown
}

/** Returns a resource for which the server sends no ETag, with an undefined ETag. */
export const withoutEtag = async <T>(reading: Promise<T>): Promise<WithEtag<T>> => ({
  value: await reading,
  etag: undefined,
})

/**
 * Replaces a resource that has no ETag. Fetches the resource again first, and rejects with ApiError 412 if it has
 * changed since `from` was fetched.
 */
export async function replaceIfUnchanged<T>(
  from: T,
  { read, bodyOf }: EditableReader<T>,
  write: () => Promise<unknown>,
) {
  const now = await read()
  if (findDifferences(bodyOf(from), bodyOf(now)).length > 0) throw new ApiError(412, 'changed since it was read')
  return write()
}
