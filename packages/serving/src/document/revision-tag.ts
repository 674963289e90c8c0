import { hash } from 'node:crypto'

/** State of a configuration that an ETag identifies. */
export interface TaggedState {
  /** Hash of the query, eight hex digits. */
  readonly queryHash: string
  /** Database epoch. Numbers of different epochs cannot be compared. */
  readonly epoch: string
  /** Number of the change within its epoch. */
  readonly number: number
  /** Hash of the content in hex digits: equal content has an equal hash. */
  readonly contentHash: string
}

/** Revision that an ETag carries. */
export interface TaggedRevision {
  /** Sequence to which the number belongs. Numbers of different lineages cannot be compared. */
  readonly lineage: string
  /** Database epoch, independent of the query; empty if the ETag contains no epoch. */
  readonly epoch: string
  readonly number: number
}

/** ETag of a revision. The part after the dot identifies the content and does not belong to the lineage. */
const TAG = /^(?:W\/)?"([^":]*):(\d{1,15})((?::[^".]*)?)(?:\.[^"]*)?"$/
const EPOCH_TAG = /^(?:W\/)?"[^":]*:\d{1,15}:[^":.]+\.[^"]+"$/

/**
 * Formats an ETag as `"<query hash>:<number>:<epoch>.<content hash>"`, which `isOlder` understands. The first two parts
 * have the same form as in Unleash servers.
 */
export function formatRevisionTag({ queryHash, number, epoch, contentHash }: TaggedState): string {
  return `"${queryHash}:${number}:${epoch}.${contentHash}"`
}

/**
 * Parses an ETag written by `formatRevisionTag`, or `"<query hash>:<number>"` with or without a suffix. Returns
 * undefined for any other form.
 */
export function parseRevisionTag(etag: string | undefined): TaggedRevision | undefined {
  const [, query, number, more = ''] = TAG.exec(etag ?? '') ?? []
  return number === undefined ? undefined : { lineage: `${query}${more}`, epoch: more.slice(1), number: Number(number) }
}

/** Returns the change number in an ETag, or undefined if the ETag has another form. */
export function parseRevisionNumber(etag: string | undefined): number | undefined {
  return parseRevisionTag(etag)?.number
}

/**
 * Returns true if an ETag has the form written by `formatRevisionTag`. The third part of that form is an epoch, which
 * changes after a restore. Other servers can write another text in place of the epoch.
 */
export function hasEpoch(etag: string | undefined): boolean {
  return EPOCH_TAG.test(etag ?? '')
}

/** Returns the epoch in an ETag written by `formatRevisionTag`; empty for any other form. */
export function getTagEpoch(etag: string | undefined): string {
  return hasEpoch(etag) ? (parseRevisionTag(etag)?.epoch ?? '') : ''
}

/**
 * Returns true if one ETag is known to identify an older configuration than another ETag. Returns false for ETags of
 * different lineages.
 *
 * @param leastNumber known minimum of the other ETag's number
 */
export function isOlder(etag: string | undefined, than: string | undefined, leastNumber = 0): boolean {
  const [one, other] = [parseRevisionTag(etag), parseRevisionTag(than)]
  if (one === undefined || other === undefined || one.lineage !== other.lineage) return false
  return one.number < Math.max(other.number, leastNumber)
}

const HASH_DIGITS = 16

/** Returns the first 16 hex digits of the SHA-256 of a text. */
export function hashText(text: string): string {
  return hash('sha256', text).slice(0, HASH_DIGITS)
}
