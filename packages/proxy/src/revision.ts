/** What the tag of a configuration says about its age. */
interface Revision {
  /** What the number counts changes of: numbers of different scopes cannot be compared. */
  readonly scope: string
  readonly number: number
}

const TAG = /^(?:W\/)?"([^":]*):(\d{1,15})((?::[^"]*)?)"$/

/** Reads a tag `"<hash of the query>:<revision>"`, as servers of the service write it; undefined for any other. */
function revisionOf(etag: string | undefined): Revision | undefined {
  const [, query, number, more = ''] = TAG.exec(etag ?? '') ?? []
  return number === undefined ? undefined : { scope: `${query}${more}`, number: Number(number) }
}

/** Whether a tag is known to be of an older configuration than another tag. */
export function isOlder(etag: string | undefined, than: string | undefined): boolean {
  const [one, other] = [revisionOf(etag), revisionOf(than)]
  return one !== undefined && other !== undefined && one.scope === other.scope && one.number < other.number
}
