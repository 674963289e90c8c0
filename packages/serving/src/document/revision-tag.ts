import { hash } from 'node:crypto'

/** State of a configuration, as identified by an ETag. */
export interface TaggedState {
  /** Hash of the query, as eight hex digits. */
  readonly queryHash: string
  /** Database epoch. Change numbers from different epochs cannot be compared. */
  readonly epoch: string
  /** Number of the last change, counted within its epoch. */
  readonly number: number
  /** Hash of the content in hex digits; the same content always has the same hash. */
  readonly contentHash: string
}

/** Revision, as read from an ETag. */
export interface TaggedRevision {
  /** Sequence in which the change number was assigned. Change numbers from different lineages cannot be compared. */
  readonly lineage: string
  /** Database epoch, which does not depend on the query; empty if the ETag contains no epoch. */
  readonly epoch: string
  readonly number: number
}

/** ETag that identifies a revision. The part after the dot identifies the content, so it is not part of the lineage. */
const TAG = /^(?:W\/)?"([^":]*):(\d{1,15})((?::[^".]*)?)(?:\.[^"]*)?"$/
const EPOCH_TAG = /^(?:W\/)?"[^":]*:\d{1,15}:[^":.]+\.[^"]+"$/

/**
 * Formats an ETag as `"<query hash>:<number>:<epoch>.<content hash>"`, a form that `isOlder` can compare. The first two
 * parts have the same form as the ETags of Unleash servers.
 */
export function formatRevisionTag({ queryHash, number, epoch, contentHash }: TaggedState): string {
  return `"${queryHash}:${number}:${epoch}.${contentHash}"`
}

/**
 * Parses an ETag that `formatRevisionTag` wrote, or one of the form `"<query hash>:<number>"` with or without a suffix.
 * Returns undefined for an ETag in any other form.
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
 * Returns true if an ETag has the form written by `formatRevisionTag`. The third part of the ETag is an epoch, which
 * changes after a restore. Other servers may put other text where the epoch would be.
 */
export function hasEpoch(etag: string | undefined): boolean {
  return EPOCH_TAG.test(etag ?? '')
}

/** Returns the epoch in an ETag that `formatRevisionTag` wrote; empty for any other ETag. */
export function getTagEpoch(etag: string | undefined): string {
  return hasEpoch(etag) ? (parseRevisionTag(etag)?.epoch ?? '') : ''
}

/**
 * Returns true if the first ETag is known to identify an older configuration than the second. Returns false if the
 * ETags belong to different lineages.
 *
 * @param leastNumber lowest number that the other ETag can have
 */
export function isOlder(etag: string | undefined, than: string | undefined, leastNumber = 0): boolean {
  const [one, other] = [parseRevisionTag(etag), parseRevisionTag(than)]
  if (one === undefined || other === undefined || one.lineage !== other.lineage) return false
  return one.number < Math.max(other.number, leastNumber)
}

const HASH_DIGITS = 16

/** Returns the first 16 hex digits of the SHA-256 hash of a string. */
export function hashText(text: string): string {
  return hash('sha256', text).slice(0, HASH_DIGITS)
}
