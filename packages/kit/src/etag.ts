import { createHash } from 'node:crypto'

/** Weak entity tag of a body: its length in hex and 27 base64 characters of its SHA-1. Never used for security. */
export function weakEtag(body: string | Buffer): string {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const digest = createHash('sha1').update(body).digest('base64').slice(0, 27)
  return `W/"${length.toString(16)}-${digest}"`
}

/** Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const plain = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === plain)
}
