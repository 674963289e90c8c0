import { hash } from 'node:crypto'

/** Which state of a configuration a tag is for. */
export interface TaggedState {
  /** What was asked for, as eight hex digits. */
  readonly queryHash: string
  /** Which life of the database; numbers of different lives cannot be compared. */
  readonly epoch: string
  /** Counts the changes. */
  readonly number: number
  /** What the configuration is, as hex digits: equal content, equal hash. */
  readonly contentHash: string
}

/** What the tag of a configuration says about its age. */
export interface TaggedRevision {
  /** What the number counts changes of: numbers of different lineages cannot be compared. */
  readonly lineage: string
  /** Which life of the database, whatever was asked for; empty where the tag does not say it. */
  readonly epoch: string
  readonly number: number
}

/** The last part, behind the point, tells one content from another and is no part of the lineage. */
const TAG = /^(?:W\/)?"([^":]*):(\d{1,15})((?::[^".]*)?)(?:\.[^"]*)?"$/
const EPOCH_TAG = /^(?:W\/)?"[^":]*:\d{1,15}:[^":.]+\.[^"]+"$/

/**
 * Writes the tag `"<hash of the query>:<number>:<epoch>.<hash of the content>"`, which `isOlder` reads. The first
 * two parts are as other servers of the service write them.
 */
export function tagOf({ queryHash, number, epoch, contentHash }: TaggedState): string {
  return `"${queryHash}:${number}:${epoch}.${contentHash}"`
}

/** Reads a tag of `tagOf` or `"<hash of the query>:<number>"`, with or without an addition; undefined for any other. */
export function revisionOf(etag: string | undefined): TaggedRevision | undefined {
  const [, query, number, more = ''] = TAG.exec(etag ?? '') ?? []
  return number === undefined ? undefined : { lineage: `${query}${more}`, epoch: more.slice(1), number: Number(number) }
}

/** The number of the change that a tag is for; undefined for a tag of another form. */
export function numberOf(etag: string | undefined): number | undefined {
  return revisionOf(etag)?.number
}

/**
 * True if a tag has the form of `tagOf`, whose third part is an epoch: after a restore that epoch is another one. Other
 * servers may write something else in its place.
 */
export function hasEpoch(etag: string | undefined): boolean {
  return EPOCH_TAG.test(etag ?? '')
}

/**
 * Whether a tag is known to be of an older configuration than another tag; one of another epoch never is.
 *
 * @param leastNumber what the other tag's number is known to be at least
 */
export function isOlder(etag: string | undefined, than: string | undefined, leastNumber = 0): boolean {
  const [one, other] = [revisionOf(etag), revisionOf(than)]
  if (one === undefined || other === undefined || one.lineage !== other.lineage) return false
  return one.number < Math.max(other.number, leastNumber)
}

const HASH_DIGITS = 16

/** The first 16 hex digits of the SHA-256 of a text, for the parts of a tag. */
export function hashOf(text: string): string {
  return hash('sha256', text).slice(0, HASH_DIGITS)
}
